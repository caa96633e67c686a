#pragma once

#include <cstdint>
#include <span>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Reductions over `axes` (negative ones count from the end; none given: all axes). With keep_dims the reduced axes
// stay, with size 1. Sums are pairwise and in float64; sums of float32 are rounded once, at the end. Throw kShape for
// an axis out of range or given twice.

/// The sum; of no elements: 0.
Tensor sum(const Tensor& x, std::span<const std::int64_t> axes = {}, bool keep_dims = false);
/// The arithmetic mean; of no elements: NaN.
Tensor mean(const Tensor& x, std::span<const std::int64_t> axes = {}, bool keep_dims = false);

}  // namespace minitensor
