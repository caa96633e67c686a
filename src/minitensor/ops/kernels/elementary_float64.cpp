// The functions of float64, and those of float32 that are not worth vector code: these are computed in double and
// rounded once.
#include <cmath>

#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/kernels/float64_series.h"

namespace minitensor::kernels {

namespace {

// Their time is that of the functions, so one loop does for all of them.

template <typename T>
[[gnu::noinline]] void map(const T* x, T* out, std::size_t n, double (*f)(double)) {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(f(static_cast<double>(x[i])));
}

template <typename T>
[[gnu::noinline]] void map(const T* x, const T* y, T* out, std::size_t n, double (*f)(double, double)) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = static_cast<T>(f(static_cast<double>(x[i]), static_cast<double>(y[i])));
  }
}

double sigmoid(double x) {
  // The exponential of a number that is not positive cannot overflow.
  const double e = float64::exp(-std::fabs(x));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}

double softplus(double x) {
  // log(1 + e) = 2 atanh(e / (2 + e)), for e up to 1.
  const double e = float64::exp(-std::fabs(x));
  const double s = e / (2 + e);
  const double z = s * s;
  return 2 * s + s * z * (2.0 / 3 + z * float64::series(float64::kTwiceAtanh, z)) + (x > 0 ? x : 0.0);
}

double atan(double x) { return float64::atan2(x, 1); }
double asin(double x) { return float64::atan2(x, std::sqrt((1 - x) * (1 + x))); }
double acos(double x) { return float64::atan2(std::sqrt((1 - x) * (1 + x)), x); }

// Where a function tends to -0 for x -> -infinity, infinity must not be multiplied by 0.
double at_least(double x, double limit) { return x < limit ? limit : x; }

double gelu(double x) { return at_least(x, -40.0) * float64::normal(x); }

double silu(double x) { return at_least(x, -1000.0) * sigmoid(x); }

double mish(double x) {
  const double e = float64::exp(-std::fabs(x));
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

MT_FLOAT64(exp, float64::exp)
MT_FLOAT64(log, float64::log)
MT_FLOAT64(sin, float64::sin)
MT_FLOAT64(cos, float64::cos)
MT_BOTH(tan, float64::tan)
MT_FLOAT64(tanh, float64::tanh)
MT_FLOAT64(erf, float64::erf)
MT_FLOAT64(sqrt, std::sqrt)
MT_FLOAT64(rsqrt, 1.0 / std::sqrt)
MT_FLOAT64(sigmoid, sigmoid)
MT_BOTH(softplus, softplus)
MT_FLOAT64(gelu, gelu)
MT_FLOAT64(silu, silu)
MT_BOTH(mish, mish)
MT_BOTH(expm1, float64::expm1)
MT_BOTH(log1p, float64::log1p)
MT_BOTH(log2, float64::log2)
MT_BOTH(log10, float64::log10)
MT_BOTH(asin, asin)
MT_BOTH(acos, acos)
MT_BOTH(atan, atan)
MT_BOTH(sinh, float64::sinh)
MT_BOTH(cosh, float64::cosh)
MT_BOTH(asinh, float64::asinh)
MT_BOTH(acosh, float64::acosh)
MT_BOTH(atanh, float64::atanh)

#undef MT_BOTH
#undef MT_FLOAT64

#define MT_BINARY(name, type, function)                                   \
  void name(const type* x, const type* y, type* out, std::size_t n) {     \
    map(x, y, out, n, [](double a, double b) { return function(a, b); }); \
  }

MT_BINARY(atan2, float, float64::atan2)
MT_BINARY(atan2, double, float64::atan2)
MT_BINARY(pow, float, float64::pow)
MT_BINARY(pow, double, float64::pow)

#undef MT_BINARY

}  // namespace minitensor::kernels
