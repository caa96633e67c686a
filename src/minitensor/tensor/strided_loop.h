#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "minitensor/tensor/shape.h"

namespace minitensor {

/// What for_each_row calls, with `context` as it is given.
using RowFunction = void (*)(void* context, const std::int64_t* offsets, const std::int64_t* steps,
                             std::int64_t length);
/// for_each_row of `count` tensors, at most kMaxWalked.
inline constexpr std::size_t kMaxWalked = 4;
void walk_rows(const Shape& shape, const Strides* const* strides, std::size_t count, RowFunction row, void* context);

/// Visits the elements of N tensors of one shape in row-major order, a row of the last axis at a time.
/// `row(offsets, steps, length)` gets, for each tensor, the offset of the row's first element and the step along it.
template <std::size_t N, typename Row>
void for_each_row(const Shape& shape, const std::array<const Strides*, N>& strides, Row&& row) {
  static_assert(N <= kMaxWalked);
  using Callable = std::remove_reference_t<Row>;
  walk_rows(
      shape, strides.data(), N,
      [](void* context, const std::int64_t* offsets, const std::int64_t* steps, std::int64_t length) {
        (*static_cast<Callable*>(context))(offsets, steps, length);
      },
      &row);
}

}  // namespace minitensor
