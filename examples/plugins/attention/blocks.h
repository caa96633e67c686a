/// \file
/// Small matrices with padding, and their product. Every row has a multiple of kColumns elements and every matrix a
/// multiple of kRows rows; what is added is 0, so that no loop has a tail.
#pragma once

#include <cstdint>

#include "vector.h"

// A plugin is downloaded: what is used in several places is there once.
#define ATTENTION_ONCE __attribute__((noinline))

namespace attention {

using Index = std::int64_t;

/// Of a product, what is kept in registers: kRows rows of two vectors.
inline constexpr Index kRows = 4;
template <class T>
inline constexpr Index kColumns = Index{2} * kLanes<T>;

constexpr Index round_up(Index size, Index step) { return (size + step - 1) / step * step; }

/// A matrix in row-major order, `stride` elements from row to row.
template <class T>
struct Matrix {
  T* data;
  Index stride;

  T* row(Index i) const { return data + i * stride; }
};

/// How the left factor of a product is read: element (i, k) is data[i * row_step + k * column_step].
template <class T>
struct Factor {
  const T* data;
  Index row_step;
  Index column_step;
};

template <class T>
Factor<T> as_is(Matrix<T> matrix) {
  return {matrix.data, matrix.stride, 1};
}

template <class T>
Factor<T> transposed(Matrix<T> matrix) {
  return {matrix.data, 1, matrix.stride};
}

/// Adds a * b to c, which has `rows` rows (a multiple of kRows) and `columns` columns (of kColumns).
template <class T>
ATTENTION_ONCE void add_product(Factor<T> a, Matrix<const T> b, Matrix<T> c, Index rows, Index columns, Index inner) {
  constexpr int kLane = kLanes<T>;
  for (Index i = 0; i < rows; i += kRows) {
    for (Index j = 0; j < columns; j += kColumns<T>) {
      Vector<T> sums[kRows][2];
      for (int r = 0; r < kRows; ++r) {
        sums[r][0] = load(c.row(i + r) + j);
        sums[r][1] = load(c.row(i + r) + j + kLane);
      }
      const T* left = a.data + i * a.row_step;
      const T* right = b.data + j;
      for (Index k = 0; k < inner; ++k, left += a.column_step, right += b.stride) {
        const Vector<T> first = load(right);
        const Vector<T> second = load(right + kLane);
        for (int r = 0; r < kRows; ++r) {
          const T factor = left[r * a.row_step];
          sums[r][0] += factor * first;
          sums[r][1] += factor * second;
        }
      }
      for (int r = 0; r < kRows; ++r) {
        store(c.row(i + r) + j, sums[r][0]);
        store(c.row(i + r) + j + kLane, sums[r][1]);
      }
    }
  }
}

/// Sets `count` elements to 0.
template <class T>
ATTENTION_ONCE void clear(T* to, Index count) {
  for (Index i = 0; i < count; ++i) to[i] = 0;
}

/// Copies `rows` rows of `columns` elements that stand one after the other, and fills up to `padded_rows` rows.
template <class T>
ATTENTION_ONCE void copy_padded(const T* from, Index rows, Index columns, Matrix<T> to, Index padded_rows) {
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) to.row(i)[j] = from[i * columns + j];
    clear(to.row(i) + columns, to.stride - columns);
  }
  clear(to.row(rows), (padded_rows - rows) * to.stride);
}

/// The transpose of the same, in blocks of as many rows as `to` has columns: block i is a matrix of `columns` rows,
/// which begins at row i * columns of `to`. (As one wide matrix, its rows would be in each other's way in the cache.)
template <class T>
ATTENTION_ONCE void copy_transposed(const T* from, Index rows, Index columns, Matrix<T> to) {
  for (Index first = 0; first < rows; first += to.stride, to.data += columns * to.stride) {
    const Index count = rows - first < to.stride ? rows - first : to.stride;
    for (Index j = 0; j < columns; ++j) {
      for (Index i = 0; i < count; ++i) to.row(j)[i] = from[(first + i) * columns + j];
      clear(to.row(j) + count, to.stride - count);
    }
  }
}

}  // namespace attention
