// The functions that the C library computes: all of float64, and those of float32 that are not worth vector code. The
// latter are computed in double and rounded once.
#include <cmath>
#include <numbers>

#include "minitensor/ops/kernels/elementary.h"

namespace minitensor::kernels {

namespace {

template <typename T, typename F>
void map(const T* x, T* out, std::size_t n, F f) {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(f(static_cast<double>(x[i])));
}

template <typename T, typename F>
void map(const T* x, const T* y, T* out, std::size_t n, F f) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = static_cast<T>(f(static_cast<double>(x[i]), static_cast<double>(y[i])));
  }
}

double sigmoid(double x) {
  // The exponential of a number that is not positive cannot overflow.
  const double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}

double softplus(double x) { return std::log1p(std::exp(-std::fabs(x))) + (x > 0 ? x : 0.0); }

// Where a function tends to -0 for x -> -infinity, infinity must not be multiplied by 0.
double at_least(double x, double limit) { return x < limit ? limit : x; }

double gelu(double x) { return 0.5 * at_least(x, -40.0) * std::erfc(at_least(x, -40.0) * -std::numbers::sqrt2 / 2.0); }

double silu(double x) { return at_least(x, -1000.0) * sigmoid(x); }

double mish(double x) {
  const double e = std::exp(-std::fabs(x));
  if (x < 0) return at_least(x, -1000.0) * (e * (e + 2.0) / (e * (e + 2.0) + 2.0));
  return x * ((1.0 + 2.0 * e) / (1.0 + 2.0 * e + 2.0 * e * e));
}

}  // namespace

#define MT_FLOAT64(name, function)                         \
  void name(const double* x, double* out, std::size_t n) { \
    map(x, out, n, [](double v) { return function(v); });  \
  }
#define MT_BOTH(name, function)                           \
  MT_FLOAT64(name, function)                              \
  void name(const float* x, float* out, std::size_t n) {  \
    map(x, out, n, [](double v) { return function(v); }); \
  }

MT_FLOAT64(exp, std::exp)
MT_FLOAT64(log, std::log)
MT_FLOAT64(sin, std::sin)
MT_FLOAT64(cos, std::cos)
MT_FLOAT64(tan, std::tan)
MT_FLOAT64(tanh, std::tanh)
MT_FLOAT64(erf, std::erf)
MT_FLOAT64(sqrt, std::sqrt)
MT_FLOAT64(rsqrt, 1.0 / std::sqrt)
MT_FLOAT64(sigmoid, sigmoid)
MT_FLOAT64(softplus, softplus)
MT_FLOAT64(gelu, gelu)
MT_FLOAT64(silu, silu)
MT_FLOAT64(mish, mish)
MT_BOTH(expm1, std::expm1)
MT_BOTH(log1p, std::log1p)
MT_BOTH(log2, std::log2)
MT_BOTH(log10, std::log10)
MT_BOTH(asin, std::asin)
MT_BOTH(acos, std::acos)
MT_BOTH(atan, std::atan)
MT_BOTH(sinh, std::sinh)
MT_BOTH(cosh, std::cosh)
MT_BOTH(asinh, std::asinh)
MT_BOTH(acosh, std::acosh)
MT_BOTH(atanh, std::atanh)

#undef MT_BOTH
#undef MT_FLOAT64

#define MT_BINARY(name, type)                                              \
  void name(const type* x, const type* y, type* out, std::size_t n) {      \
    map(x, y, out, n, [](double a, double b) { return std::name(a, b); }); \
  }

MT_BINARY(atan2, float)
MT_BINARY(atan2, double)
MT_BINARY(pow, float)
MT_BINARY(pow, double)

#undef MT_BINARY

}  // namespace minitensor::kernels
