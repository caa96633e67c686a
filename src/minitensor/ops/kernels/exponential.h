#pragma once

#include <bit>
#include <cstdint>

namespace minitensor::kernels {

/// Tables of constants are variables, and kernels copy them before their loops, because V8 (Node 24) makes each
/// constant of a vector loop anew in every iteration, which takes twice the time. What it reads from memory it keeps.
struct ExpConstants {
  float lowest = -112.0F;  // below it, even |x| e^x is less than half the smallest float32
  float highest = 89.0F;
  float negligible = -87.0F;  // 1 + e^x is 1, and 2^exponent a normal number
  float log2e = 1.44269504F;
  float round = 12582912.0F;  // 1.5 * 2^23: a small number added to it is rounded to an integer
  std::int32_t round_bits = std::bit_cast<std::int32_t>(12582912.0F);
  float ln2_high = 0.693145751953125F;  // 15 bits: its product with an exponent is exact
  float ln2_low = 1.42860677e-6F;
  // (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2; tools/numerics/minimax.py
  float p0 = 0.49999994F;
  float p1 = 0.166665211F;
  float p2 = 0.041668389F;
  float p3 = 0.00836871751F;
  float p4 = 0.00138146023F;
  float one = 1.0F;
  std::int32_t bias = 127;
  std::int32_t zero = 0;
};

extern ExpConstants exp_constants;

/// e^x as (1 + fraction) 2^exponent. Scaled at the end only, nothing is lost where e^x is denormal or 0, and added to
/// at the end only, 1 + fraction is not rounded on the way.
struct Exponential {
  float fraction;  // between sqrt(1/2) - 1 and sqrt(2) - 1
  std::int32_t exponent;
};

/// e^(x + correction) for c.lowest <= x <= c.highest, in which the correction is small against x. NaN gives NaN.
/// x = k ln(2) + r (Cody and Waite, Software Manual for the Elementary Functions, 1980), a polynomial for e^r.
inline Exponential exponential(float x, const ExpConstants& c, float correction = 0.0F) {
  const float rounded = x * c.log2e + c.round;
  const float k = rounded - c.round;
  const float high = x - k * c.ln2_high;  // exact
  const float low = correction - k * c.ln2_low;
  const float r = high + low;
  float p = c.p4;
  p = p * r + c.p3;
  p = p * r + c.p2;
  p = p * r + c.p1;
  p = p * r + c.p0;
  return {p * (r * r) + low + high, std::bit_cast<std::int32_t>(rounded) - c.round_bits};
}

/// 2^exponent, a normal number. `bias` is 127, the bias of float32's exponents, or 127 + n for 2^(exponent + n).
inline float power_of_two(std::int32_t exponent, std::int32_t bias) {
  return std::bit_cast<float>((exponent + bias) << 23);
}

/// e^x for every x.
inline float exp(float x, const ExpConstants& c) {
  x = x < c.lowest ? c.lowest : x;
  x = x > c.highest ? c.highest : x;
  const Exponential power = exponential(x, c);
  // In two steps, since 2^exponent need not be a normal number.
  const std::int32_t half = power.exponent >> 1;
  return (c.one + power.fraction) * power_of_two(half, c.bias) * power_of_two(power.exponent - half, c.bias);
}

}  // namespace minitensor::kernels
