#pragma once

#include <cstddef>

/// Elementary functions of arrays. `x` and `out` hold `n` elements and may be the same array, but must not overlap
/// otherwise. Each element's result depends on that element alone. Edge cases are those of C and NumPy: NaN gives NaN,
/// and what a function tends to at an infinity is what it gives there. docs/numerics.md states the errors.
namespace minitensor::kernels {

/// 1 / sqrt(x); sigmoid 1 / (1 + e^-x); softplus log(1 + e^x); gelu x Phi(x), Phi the normal distribution;
/// silu x sigmoid(x); mish x tanh(softplus(x)). maximum and minimum are NaN
/// where one of the two is. The others are named as in C.
#define MT_UNARY_KERNELS(X) \
  X(exp)                    \
  X(expm1)                  \
  X(log)                    \
  X(log1p)                  \
  X(log2)                   \
  X(log10)                  \
  X(sin)                    \
  X(cos)                    \
  X(tan)                    \
  X(asin)                   \
  X(acos)                   \
  X(atan)                   \
  X(sinh)                   \
  X(cosh)                   \
  X(tanh)                   \
  X(asinh)                  \
  X(acosh)                  \
  X(atanh)                  \
  X(erf)                    \
  X(sqrt)                   \
  X(rsqrt)                  \
  X(sigmoid)                \
  X(softplus)               \
  X(gelu)                   \
  X(silu)                   \
  X(mish)

#define MT_BINARY_KERNELS(X) \
  X(atan2)                   \
  X(maximum)                 \
  X(minimum)                 \
  X(pow)

#define MT_DECLARE_UNARY(name)                          \
  void name(const float* x, float* out, std::size_t n); \
  void name(const double* x, double* out, std::size_t n);
MT_UNARY_KERNELS(MT_DECLARE_UNARY)
#undef MT_DECLARE_UNARY

#define MT_DECLARE_BINARY(name)                                         \
  void name(const float* x, const float* y, float* out, std::size_t n); \
  void name(const double* x, const double* y, double* out, std::size_t n);
MT_BINARY_KERNELS(MT_DECLARE_BINARY)
#undef MT_DECLARE_BINARY

}  // namespace minitensor::kernels
