#pragma once

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Elementary functions, element by element; of bool and integers in float32. docs/numerics.md states their errors; edge
// cases are those of C and NumPy.

Tensor expm1(const Tensor& x);  ///< e^x - 1, exact for small x
Tensor log(const Tensor& x);    ///< the natural logarithm
Tensor log1p(const Tensor& x);  ///< log(1 + x), exact for small x
Tensor log2(const Tensor& x);
Tensor log10(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);  ///< 1 / sqrt(x)
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tan(const Tensor& x);
Tensor asin(const Tensor& x);
Tensor acos(const Tensor& x);
Tensor atan(const Tensor& x);
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);
Tensor asinh(const Tensor& x);
Tensor acosh(const Tensor& x);
Tensor atanh(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor atan2(const Tensor& y, const Tensor& x);  ///< the angle of the point (x, y)

}  // namespace minitensor
