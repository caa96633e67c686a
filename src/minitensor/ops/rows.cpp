#include "minitensor/ops/rows.h"

#include <algorithm>

#include "minitensor/ops/shape_ops.h"

namespace minitensor {

namespace {

// The kept axes, then the ones of the set.
Dims order_of(int rank, const AxisSet& axes) {
  Dims order;
  for (const bool is_in_row : {false, true}) {
    for (int axis = 0; axis < rank; ++axis) {
      if (axes[static_cast<std::size_t>(axis)] == is_in_row) order.push_back(axis);
    }
  }
  return order;
}

std::int64_t length_of(const Shape& shape, const AxisSet& axes) {
  std::int64_t length = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axes[static_cast<std::size_t>(axis)]) length *= shape[axis];
  }
  return length;
}

}  // namespace

Tensor to_rows(const Tensor& x, const AxisSet& axes, DType dtype) {
  const Dims order = order_of(x.rank(), axes);
  const Tensor moved = x.rank() == 0 ? x : transpose(x, order.span());
  const std::int64_t length = length_of(x.shape(), axes);
  std::int64_t count = 1;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!axes[static_cast<std::size_t>(axis)]) count *= x.shape()[axis];
  }
  return moved.cast(dtype).contiguous().view({count, length}, {length, 1});
}

Tensor from_rows(const Tensor& rows, const Shape& shape, const AxisSet& axes) {
  if (shape.rank() == 0) return rows.view({}, {});
  const Dims order = order_of(shape.rank(), axes);
  Shape moved = shape;
  Dims places = order;
  for (int i = 0; i < order.rank(); ++i) {
    moved[i] = shape[static_cast<int>(order[i])];
    places[static_cast<int>(order[i])] = i;
  }
  return transpose(rows.view(moved, row_major_strides(moved)), places.span()).contiguous();
}

AxisSet one_axis(std::int64_t axis, int rank, std::string_view operation) {
  AxisSet set;
  set.set(static_cast<std::size_t>(normalize_axis(axis, std::max(rank, 1), operation)));
  return set;
}

}  // namespace minitensor
