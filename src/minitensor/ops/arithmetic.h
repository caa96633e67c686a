#pragma once

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Element by element, by NumPy's rules for broadcasting and for NaN, which every function here keeps. Not of bool but
// for minimum and maximum. Integers wrap around.

Tensor abs(const Tensor& x);
Tensor sign(const Tensor& x);        ///< -1, 0 or 1
Tensor square(const Tensor& x);      ///< x * x
Tensor reciprocal(const Tensor& x);  ///< 1 / x; of integers in float32

Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor round(const Tensor& x);  ///< to the nearest integer; from halfway to the even one
Tensor trunc(const Tensor& x);  ///< without the fraction

Tensor minimum(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);
/// minimum(maximum(x, least), most). One of the two limits may be undefined; throws kValue when both are.
Tensor clip(const Tensor& x, const Tensor& least, const Tensor& most);

/// a^b. Integers wrap around; throws kValue for an integer to a negative power, which is none.
Tensor pow(const Tensor& a, const Tensor& b);
/// a - b floor(a / b): of the sign of b, as in Python. Integers modulo 0 are 0.
Tensor remainder(const Tensor& a, const Tensor& b);
Tensor floor_divide(const Tensor& a, const Tensor& b);  ///< floor(a / b); integers divided by 0 are 0

}  // namespace minitensor
