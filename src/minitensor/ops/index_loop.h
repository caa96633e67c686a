#pragma once

#include <cstdint>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// A row-major copy with elements converted to `dtype`, to be written to.
Tensor copy_as(const Tensor& x, DType dtype);

/// Indices along an axis as positions from 0 on, in int64: negative ones count from the end. Throws kValue, in the name
/// of `operation`, for one that is out of range, and names it, the axis and its size.
Tensor positions_of(const Tensor& indices, std::int64_t size, int axis, const char* operation);

/// An element of `x` for each of `positions`: the one at that position along `axis` and at the same place along the
/// others. `x` is broadcast to `positions` along those. Requires: both have one rank; positions are within range.
Tensor gather_positions(const Tensor& x, const Tensor& positions, int axis);

/// Zeros with each of `values` added at its position along `axis`, which has `size` elements: the adjoint of
/// gather_positions. Requires what add_at_positions does.
Tensor spread_to_positions(const Tensor& values, const Tensor& positions, int axis, std::int64_t size);

/// Adds each element of `updates` to the element of `totals` at that position along `axis`, one after the other, in
/// row-major order. Requires: `totals` and `updates` are float32, float64 or int64, both of one; `positions` and
/// `updates` have one shape, which is that of `totals` but for `axis`; positions are within range.
void add_at_positions(Tensor& totals, const Tensor& positions, const Tensor& updates, int axis);

}  // namespace minitensor
