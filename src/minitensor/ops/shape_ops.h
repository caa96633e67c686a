#pragma once

#include <cstdint>
#include <span>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// The same elements in row-major order under another shape; one size may be -1 and is inferred. A view where the
/// strides allow it, else a copy. Throws kShape.
Tensor reshape(const Tensor& x, std::span<const std::int64_t> shape);

/// The axes in the order of `axes` (none given: reversed), as a view. Throws kShape unless `axes` is a permutation.
Tensor transpose(const Tensor& x, std::span<const std::int64_t> axes = {});

}  // namespace minitensor
