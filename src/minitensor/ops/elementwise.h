#pragma once

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Two inputs broadcast by NumPy's rule; the result has their promoted dtype. Throws kShape.

Tensor add(const Tensor& a, const Tensor& b);  ///< a + b
Tensor sub(const Tensor& a, const Tensor& b);  ///< a - b
Tensor mul(const Tensor& a, const Tensor& b);  ///< a * b
Tensor div(const Tensor& a, const Tensor& b);  ///< a / b by IEEE 754: x/0 is an infinity or NaN

// One input; the result has its shape and dtype, row-major.

Tensor neg(const Tensor& x);      ///< -x
Tensor exp(const Tensor& x);      ///< e^x
Tensor tanh(const Tensor& x);     ///< (e^x - e^-x) / (e^x + e^-x)
Tensor sigmoid(const Tensor& x);  ///< 1 / (1 + e^-x), without overflow for any x
Tensor relu(const Tensor& x);     ///< max(x, 0); NaN stays NaN

}  // namespace minitensor
