#pragma once

#include <string>

namespace minitensor {

/// The number as messages show it: with as few digits as tell it from every other, as 0.1, -2.5, Infinity and NaN.
std::string number_text(double value);

}  // namespace minitensor
