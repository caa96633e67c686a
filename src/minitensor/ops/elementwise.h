#pragma once

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Inputs broadcast by NumPy's rule, and their dtypes are promoted. Throw kShape and kDType. The results are row-major.

Tensor add(const Tensor& a, const Tensor& b);  ///< a + b; of bool: or
Tensor sub(const Tensor& a, const Tensor& b);  ///< a - b; not of bool
Tensor mul(const Tensor& a, const Tensor& b);  ///< a * b; of bool: and
Tensor div(const Tensor& a, const Tensor& b);  ///< a / b by IEEE 754: x/0 is an infinity or NaN; of integers in float32

Tensor neg(const Tensor& x);      ///< -x; not of bool
Tensor exp(const Tensor& x);      ///< e^x
Tensor tanh(const Tensor& x);     ///< (e^x - e^-x) / (e^x + e^-x)
Tensor sigmoid(const Tensor& x);  ///< 1 / (1 + e^-x), without overflow for any x
Tensor relu(const Tensor& x);     ///< max(x, 0); NaN stays NaN; not of bool

}  // namespace minitensor
