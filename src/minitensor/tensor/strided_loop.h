#pragma once

#include <array>
#include <cstdint>

#include "minitensor/tensor/shape.h"

namespace minitensor {

/// Visits the elements of N tensors of one shape in row-major order, a row of the last axis at a time.
/// `row(offsets, steps, length)` gets, for each tensor, the offset of the row's first element and the step along it.
template <std::size_t N, typename Row>
void for_each_row(const Shape& shape, const std::array<Strides, N>& strides, Row&& row) {
  for (const std::int64_t size : shape) {
    if (size == 0) return;
  }
  std::array<std::int64_t, N> offsets{};
  std::array<std::int64_t, N> steps{};
  const int last = shape.rank() - 1;
  if (last < 0) {
    row(offsets, steps, std::int64_t{1});
    return;
  }
  for (std::size_t i = 0; i < N; ++i) steps[i] = strides[i][last];
  Shape index = Shape::filled(shape.rank(), 0);
  for (;;) {
    row(offsets, steps, shape[last]);
    int axis = last - 1;
    for (; axis >= 0; --axis) {
      if (++index[axis] < shape[axis]) {
        for (std::size_t i = 0; i < N; ++i) offsets[i] += strides[i][axis];
        break;
      }
      index[axis] = 0;
      for (std::size_t i = 0; i < N; ++i) offsets[i] -= strides[i][axis] * (shape[axis] - 1);
    }
    if (axis < 0) return;
  }
}

}  // namespace minitensor
