#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Indices are integers of any dtype; negative ones count from the end. Throw kValue for one that is out of range,
// kShape for shapes that do not fit, and kDType for indices that are not integers or conditions that are not bool.

/// The elements at `indices` along `axis`, which the axes of `indices` replace. No axis: those of the flattened tensor.
Tensor take(const Tensor& x, const Tensor& indices, std::optional<std::int64_t> axis = std::nullopt);
/// result[.., i, ..] = x[.., indices[.., i, ..], ..]: NumPy's take_along_axis. The other axes broadcast.
Tensor gather(const Tensor& x, const Tensor& indices, std::int64_t axis = 0);
/// `x` with each element of `updates` added at the place along `axis` that `indices` says. `updates` and `indices`
/// broadcast to each other and to `x` along the other axes. The result has the promoted dtype.
Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& updates, std::int64_t axis = 0);
/// `a` where the condition is true, else `b`. All broadcast; the result has the promoted dtype of `a` and `b`.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
/// The positions of the elements that are not 0, in row-major order: a tensor of int64 for each axis.
std::vector<Tensor> nonzero(const Tensor& x);

}  // namespace minitensor
