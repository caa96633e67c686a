#pragma once

#include <cstddef>
#include <cstdint>

namespace minitensor::kernels {

/// A matrix in memory: element (i, j) is data[i * row_step + j * column_step], so that a transposed view, or one row
/// repeated by a step of 0, needs no copy. Steps may be negative.
template <typename T>
struct MatrixView {
  const T* data;
  std::ptrdiff_t row_step;
  std::ptrdiff_t column_step;
};

/// out[rows, columns] = a[rows, inner] b[inner, columns]; `out` is row-major and overlaps neither. Each element is the
/// plain sum of its products in the order of the inner axis (0 where there are none), whatever the sizes and steps, so
/// its error is at most inner * eps * sum |a b| / 2, to first order. Integers wrap around.
/// Throws kMemory, with `out` untouched, when there is no room to pack blocks of the inputs (at most 1.2 MB).
void matmul(MatrixView<float> a, MatrixView<float> b, float* out, std::size_t rows, std::size_t inner,
            std::size_t columns);
void matmul(MatrixView<double> a, MatrixView<double> b, double* out, std::size_t rows, std::size_t inner,
            std::size_t columns);
void matmul(MatrixView<std::int64_t> a, MatrixView<std::int64_t> b, std::int64_t* out, std::size_t rows,
            std::size_t inner, std::size_t columns);

}  // namespace minitensor::kernels
