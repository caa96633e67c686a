#pragma once

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// How rows are normalized.
struct RowNormalization {
  bool is_centered;  ///< around their mean, rather than 0
  double eps;        ///< added to the variance (or the mean square), so that it is not 0
};

/// The rows of x, a row-major matrix of floats or doubles: (x - mean) / sqrt(variance + eps) weight + bias. weight and
/// bias are rows of x's dtype. Mean and variance are computed in float64. `scales`, of doubles, becomes
/// 1 / sqrt(variance + eps) for each row.
Tensor normalized_rows(const Tensor& x, const RowNormalization& by, const Tensor& weight, const Tensor& bias,
                       Tensor& scales);

}  // namespace minitensor
