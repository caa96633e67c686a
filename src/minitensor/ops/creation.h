#pragma once

#include <cstdint>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// Tensor::empty, with errors in the name of `operation`.
Tensor empty_for(const char* operation, const Shape& shape, DType dtype);

/// Whether all of low, …, high - 1 are values of the dtype.
bool holds(DType dtype, std::int64_t low, std::int64_t high);

/// start, start + step, … up to, but not including, stop; each computed as start + i step in float64, and converted.
/// Throws kValue when the step is 0 or one of the numbers is not finite, and for one that an integer dtype does not
/// hold.
Tensor arange(double start, double stop, double step = 1, DType dtype = DType::kFloat32);

/// `count` numbers at equal distances from start to stop, which is the last of them if `endpoint`. Of an integer dtype
/// they are rounded down. Throws kValue for a negative count, and for an end that an integer dtype does not hold.
Tensor linspace(double start, double stop, std::int64_t count, bool endpoint = true, DType dtype = DType::kFloat32);

/// 1 where the column is the row plus `k`, else 0. Throws kShape for a negative size.
Tensor eye(std::int64_t rows, std::int64_t columns, std::int64_t k = 0, DType dtype = DType::kFloat32);

/// The matrices of the last two axes with 0 above their k-th diagonal (below it: negative k). Throws kShape for a rank
/// below 2.
Tensor tril(const Tensor& x, std::int64_t k = 0);
/// The same with 0 below it.
Tensor triu(const Tensor& x, std::int64_t k = 0);

}  // namespace minitensor
