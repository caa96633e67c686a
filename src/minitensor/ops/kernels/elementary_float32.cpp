// The float32 functions that neural networks spend their time in, as vector code.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/exponential.h"
#include "minitensor/ops/kernels/loop.h"

namespace minitensor::kernels {

ExpConstants exp_constants;

namespace {

// Polynomials here are from tools/numerics/minimax.py.

template <typename F>
void map(const float* x, float* out, std::size_t n, F f) {
  MT_VECTORIZE
  for (std::size_t i = 0; i < n; ++i) out[i] = f(x[i]);
}

// NaN stays NaN.
float at_most(float x, float limit) { return x > limit ? limit : x; }
float at_least(float x, float limit) { return x < limit ? limit : x; }

struct LogConstants {
  float smallest_normal = std::numeric_limits<float>::min();
  float two_to_23 = 8388608.0F;
  std::uint32_t sqrt_half_bits = 0x3f3504f3;
  std::uint32_t exponent_bits = 0xff800000;
  float denormal_exponent = 23.0F;
  float one = 1.0F;
  float half = 0.5F;
  float zero = 0.0F;
  float infinity = std::numeric_limits<float>::infinity();
  float minus_infinity = -std::numeric_limits<float>::infinity();
  float nan = std::numeric_limits<float>::quiet_NaN();
  float ln2_high = 0.693145751953125F;
  float ln2_low = 1.42860677e-6F;
  // (log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f <= sqrt(2)
  float p0 = 0.333333135F;
  float p1 = -0.250000089F;
  float p2 = 0.200021192F;
  float p3 = -0.166679963F;
  float p4 = 0.142195523F;
  float p5 = -0.1240559F;
  float p6 = 0.118881628F;
  float p7 = -0.116756506F;
  float p8 = 0.0674663782F;
};

// log(2^exponent (1 + f))
inline float log_of(float exponent, float f, const LogConstants& c) {
  float p = c.p8;
  p = p * f + c.p7;
  p = p * f + c.p6;
  p = p * f + c.p5;
  p = p * f + c.p4;
  p = p * f + c.p3;
  p = p * f + c.p2;
  p = p * f + c.p1;
  p = p * f + c.p0;
  const float square = f * f;
  const float rest = square * f * p + exponent * c.ln2_low - c.half * square;
  return (rest + f) + exponent * c.ln2_high;
}

struct Split {
  float exponent;
  float f;
};

// x = 2^exponent (1 + f), for a normal number.
inline Split split(float x, const LogConstants& c) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t exponent = (bits - c.sqrt_half_bits) & c.exponent_bits;
  return {static_cast<float>(static_cast<std::int32_t>(exponent) >> 23), std::bit_cast<float>(bits - exponent) - c.one};
}

inline float log(float x, const LogConstants& c) {
  const bool denormal = x < c.smallest_normal;
  const Split parts = split(denormal ? x * c.two_to_23 : x, c);
  const float y = log_of(denormal ? parts.exponent - c.denormal_exponent : parts.exponent, parts.f, c);
  const float of_small = x == c.zero ? c.minus_infinity : c.nan;
  const float finite = x > c.zero ? y : of_small;
  return x == c.infinity ? x : finite;
}

struct TanhConstants {
  float saturated = 10.0F;
  float middle = 0.625F;
  float one = 1.0F;
  float two = 2.0F;
  // (tanh(x) / x - 1) / x^2 in x^2, x <= middle
  float p0 = -0.333332807F;
  float p1 = 0.133314416F;
  float p2 = -0.0537397154F;
  float p3 = 0.0206390843F;
  float p4 = -0.00570498453F;
};

inline float tanh(float x, const ExpConstants& e, const TanhConstants& c) {
  const float t = at_most(std::fabs(x), c.saturated);
  const float square = t * t;
  float p = c.p4;
  p = p * square + c.p3;
  p = p * square + c.p2;
  p = p * square + c.p1;
  p = p * square + c.p0;
  const float small = p * square * t + t;
  const Exponential power = exponential(c.two * t, e);
  const float large = c.one - c.two / ((c.one + power.fraction) * power_of_two(power.exponent, e.bias) + c.one);
  return std::copysign(t > c.middle ? large : small, x);
}

struct ErfConstants {
  float saturated = 4.0F;  // from here on, 1 is the nearest float32
  float middle = 0.921875F;
  float one = 1.0F;
  // erf(x) / x - 1 in x^2, x <= middle
  float p0 = 0.128379166F;
  float p1 = -0.376126349F;
  float p2 = 0.112836957F;
  float p3 = -0.0268593989F;
  float p4 = 0.00520103239F;
  float p5 = -0.000814270345F;
  float p6 = 8.3700972e-05F;
  // log(erfc(x)), x > middle
  float q0 = 0.00017518425F;
  float q1 = -1.12951732F;
  float q2 = -0.633342028F;
  float q3 = -0.108285435F;
  float q4 = 0.0251228865F;
  float q5 = -0.00417237682F;
  float q6 = 0.000434733869F;
  float q7 = -2.11185179e-05F;
};

inline float erf(float x, const ExpConstants& e, const ErfConstants& c) {
  const float t = at_most(std::fabs(x), c.saturated);
  const float square = t * t;
  float p = c.p6;
  p = p * square + c.p5;
  p = p * square + c.p4;
  p = p * square + c.p3;
  p = p * square + c.p2;
  p = p * square + c.p1;
  p = p * square + c.p0;
  float q = c.q7;
  q = q * t + c.q6;
  q = q * t + c.q5;
  q = q * t + c.q4;
  q = q * t + c.q3;
  q = q * t + c.q2;
  q = q * t + c.q1;
  q = q * t + c.q0;
  const Exponential power = exponential(q, e);
  const float large = c.one - (c.one + power.fraction) * power_of_two(power.exponent, e.bias);
  return std::copysign(t > c.middle ? large : p * t + t, x);
}

constexpr float kTiny = 0x1p-64F;

struct GeluConstants {
  float lowest = -15.0F;  // here, x Phi(x) is less than half the smallest float32
  float highest = 15.0F;
  std::int32_t high_bits = static_cast<std::int32_t>(0xfffff000);
  std::int32_t bias_and_64 = 127 + 64;
  float minus_half = -0.5F;
  float four = 4.0F;
  double zero = 0.0;
  double one = 1.0;
  // Phi(-t) e^(t^2 / 2) (1 + t) in (t - 4) / (t + 4), times 2^-64
  double p0 = 0.47205319968 * 0x1p-64;
  float p1 = -0.0967034698F * kTiny;
  float p2 = 0.0139996F * kTiny;
  float p3 = 0.0285999682F * kTiny;
  float p4 = -0.0321973488F * kTiny;
  float p5 = 0.0179402269F * kTiny;
  float p6 = -0.00500394637F * kTiny;
  float p7 = -0.00030344064F * kTiny;
  float p8 = 0.000692214293F * kTiny;
  float p9 = -6.15433164e-05F * kTiny;
  float p10 = -7.19824311e-05F * kTiny;
};

// The form of Phi's tail is that of erfc in M. M. Shepherd and J. G. Laframboise, Chebyshev approximation of
// (1 + 2x) exp(x^2) erfc(x) in 0 <= x < infinity, Mathematics of Computation 36 (1981).
inline float gelu(float x, const ExpConstants& e, const GeluConstants& c) {
  const float t = at_most(std::fabs(x), c.highest);
  // The square in two parts, the first of them exact: an error of the exponent is one of as many digits of the result.
  const float high = std::bit_cast<float>(std::bit_cast<std::int32_t>(t) & c.high_bits);
  const float low = (t - high) * (t + high);
  const Exponential tail = exponential(c.minus_half * (high * high), e, c.minus_half * low);
  const float u = (t - c.four) / (t + c.four);
  float p = c.p10;
  p = p * u + c.p9;
  p = p * u + c.p8;
  p = p * u + c.p7;
  p = p * u + c.p6;
  p = p * u + c.p5;
  p = p * u + c.p4;
  p = p * u + c.p3;
  p = p * u + c.p2;
  p = p * u + c.p1;
  // In double from here on: in float, the errors of these operations would add up to more than 2 ulp. The scale is
  // 2^64 too large, which keeps it a normal number, and the polynomial 2^64 times too small.
  const double y = at_least(x, c.lowest);
  const double scale = power_of_two(tail.exponent, c.bias_and_64);
  const double phi = (c.p0 + p * u) * (c.one + tail.fraction) * scale / (c.one + std::fabs(y));
  return static_cast<float>(y * (y < c.zero ? phi : c.one - phi));
}

// With e^-x = (1 + f) 2^k, sigmoid(x) = 1 / (1 + e^-x) = numerator / denominator: both times 2^-n, n = max(k, 0) / 2.
// Then neither overflows, and only their quotient may be denormal.
struct Logistic {
  float numerator;
  float denominator;
};

inline Logistic logistic(float x, const ExpConstants& c) {
  const Exponential power = exponential(at_least(-x, c.negligible), c);
  const std::int32_t n = (power.exponent > c.zero ? power.exponent : c.zero) >> 1;
  const float one = power_of_two(-n, c.bias);
  const float scale = power_of_two(power.exponent - n, c.bias);
  // Exact, as long as their ratio is less than 2^24. Adding the fraction is then the one rounding.
  const float sum = one + scale;
  const float lost = one - (sum - scale);
  return {one, sum + (power.fraction * scale + lost)};
}

inline float sigmoid(float x, const ExpConstants& c) {
  const Logistic y = logistic(at_least(x, c.lowest), c);
  return y.numerator / y.denominator;
}

inline float silu(float x, const ExpConstants& c) {
  const float v = at_least(x, c.lowest);
  const Logistic y = logistic(v, c);
  return v * y.numerator / y.denominator;
}

[[gnu::used]] LogConstants log_constants;
[[gnu::used]] TanhConstants tanh_constants;
[[gnu::used]] ErfConstants erf_constants;
[[gnu::used]] GeluConstants gelu_constants;

}  // namespace

void exp(const float* x, float* out, std::size_t n) {
  map(x, out, n, [c = exp_constants](float v) { return exp(v, c); });
}

void log(const float* x, float* out, std::size_t n) {
  map(x, out, n, [c = log_constants](float v) { return log(v, c); });
}

void tanh(const float* x, float* out, std::size_t n) {
  map(x, out, n, [e = exp_constants, c = tanh_constants](float v) { return tanh(v, e, c); });
}

void erf(const float* x, float* out, std::size_t n) {
  map(x, out, n, [e = exp_constants, c = erf_constants](float v) { return erf(v, e, c); });
}

void gelu(const float* x, float* out, std::size_t n) {
  map(x, out, n, [e = exp_constants, c = gelu_constants](float v) { return gelu(v, e, c); });
}

void sigmoid(const float* x, float* out, std::size_t n) {
  map(x, out, n, [c = exp_constants](float v) { return sigmoid(v, c); });
}

void silu(const float* x, float* out, std::size_t n) {
  map(x, out, n, [c = exp_constants](float v) { return silu(v, c); });
}

void sqrt(const float* x, float* out, std::size_t n) {
  map(x, out, n, [](float v) { return std::sqrt(v); });
}

void rsqrt(const float* x, float* out, std::size_t n) {
  map(x, out, n, [](float v) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(v))); });
}

}  // namespace minitensor::kernels
