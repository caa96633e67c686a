#include "minitensor/tensor/strided_loop.h"

namespace minitensor {

void walk_rows(const Shape& shape, const Strides* const* strides, std::size_t count, RowFunction row, void* context) {
  for (const std::int64_t size : shape) {
    if (size == 0) return;
  }
  std::int64_t offsets[kMaxWalked] = {};
  std::int64_t steps[kMaxWalked] = {};
  const int last = shape.rank() - 1;
  if (last < 0) {
    row(context, offsets, steps, 1);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) steps[i] = (*strides[i])[last];
  Shape index = Shape::filled(shape.rank(), 0);
  for (;;) {
    row(context, offsets, steps, shape[last]);
    int axis = last - 1;
    for (; axis >= 0; --axis) {
      const bool is_over = ++index[axis] == shape[axis];
      if (is_over) index[axis] = 0;
      const std::int64_t moved = is_over ? 1 - shape[axis] : 1;
      for (std::size_t i = 0; i < count; ++i) offsets[i] += (*strides[i])[axis] * moved;
      if (!is_over) break;
    }
    if (axis < 0) return;
  }
}

}  // namespace minitensor
