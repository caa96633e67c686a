#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loader/wasm_builder.h"

namespace minitensor::test {

/// Small inputs of every kind that inspect_anything reads, good and hostile, by name.
std::vector<std::pair<std::string, ByteVector>> seeds();

}  // namespace minitensor::test
