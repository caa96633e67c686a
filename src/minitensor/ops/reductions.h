#pragma once

#include "minitensor/ops/reduce_loop.h"

namespace minitensor {

extern const Reduction kSum;
extern const Reduction kMean;
extern const Reduction kMax;
extern const Reduction kMin;

}  // namespace minitensor
