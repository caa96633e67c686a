#pragma once

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// The matrix product, by the rules of NumPy's matmul: a 1-D `a` is a row, a 1-D `b` a column, and the axis added for
/// it is not in the result; axes before the last two broadcast. Sums of products are accumulated in the result's
/// dtype. Throws kShape: "matmul: inner sizes differ: [2,3] x [4,5]"; a 0-D input is refused.
Tensor matmul(const Tensor& a, const Tensor& b);

}  // namespace minitensor
