#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "minitensor/ops/reduce_loop.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Reductions over `axes` (negative ones count from the end; none given: all axes; an empty list: no axis). With
// keep_dims the reduced axes stay, with size 1. Throw kShape for an axis out of range or given twice.

using OptionalAxes = std::optional<std::span<const std::int64_t>>;

/// The sum; of no elements: 0. Of bool and integers in int64, modulo 2^64.
Tensor sum(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false);
/// The arithmetic mean; of no elements: NaN.
Tensor mean(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false);
/// The product; of no elements: 1. Of bool and integers in int64, modulo 2^64.
Tensor prod(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false);
/// The largest or smallest element; NaN where there is one. Throw kValue when there are no elements.
Tensor max(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false);
Tensor min(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false);
/// Whether an element, or every element, is not 0 (NaN is not); of no elements: false, or true.
Tensor any(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false);
Tensor all(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false);

/// The sum over the axes along which `shape` was broadcast to the shape of `x`, which has this shape then.
Tensor sum_to_shape(const Tensor& x, const Shape& shape);

/// A reduced tensor, broadcast to the shape that it was reduced from: how gradients of reductions spread. A view.
Tensor spread(const Tensor& reduced, const Shape& shape, const AxisSet& axes);

/// The gradient of an extreme over axes: what comes to it goes in equal parts to the elements that are equal to it.
Tensor shared_among_extremes(const Tensor& x, const Tensor& extreme, const Tensor& gradient, const AxisSet& axes);

}  // namespace minitensor
