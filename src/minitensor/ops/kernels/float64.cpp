#include "minitensor/ops/kernels/float64.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>

#include "minitensor/ops/kernels/float64_series.h"

namespace minitensor::kernels::float64 {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr double kLn2High = 0.6931471803691238;  // 32 bits: its product with an exponent is exact
constexpr double kLn2Low = 1.9082149292705877e-10;

// Logarithms to a base b: log_b(2), of which the product with an exponent is exact but for `low`, and log_b(e).
struct Base {
  Pair of_two;
  Pair of_e;
};

constexpr Base kNatural{{kLn2High, kLn2Low}, {1, 0}};
constexpr Base kBinary{{1, 0}, {1.4426950408889634, 2.0355273740931033e-17}};
constexpr Base kDecimal{{0.3010299955494702, 1.1451100898021838e-10}, {0.4342944819032518, 1.098319650216765e-17}};

constexpr std::span<const double> kAtanhTerms = std::span(kTwiceAtanh).last<11>();
constexpr Pair kTwoThirds{2.0 / 3, 3.700743415417188e-17};

// The logarithm of a finite number above 0 to some 65 bits. x = 2^k m with m between sqrt(1/2) and sqrt(2), and
// log(m) = 2 atanh(s) in s = (m - 1) / (m + 1).
Pair logarithm(double x, const Base& base) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  constexpr std::uint64_t kExponentBits = 0xfff0000000000000;
  const bool is_denormal = x < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<std::uint64_t>(is_denormal ? x * 0x1p54 : x);
  const std::uint64_t exponent_bits = (bits - kSqrtHalf) & kExponentBits;
  const double k = static_cast<double>(static_cast<std::int64_t>(exponent_bits) >> 52) - (is_denormal ? 54.0 : 0.0);
  const double m = std::bit_cast<double>(bits - exponent_bits);

  const double difference = m - 1;
  const double sum = m + 1;
  const double sum_low = difference - (sum - 2);
  const double s = difference / sum;
  const Pair check = product(s, sum);
  const double s_low = ((difference - check.high) - check.low - s * sum_low) / sum;

  Pair z = product(s, s);
  z.low += 2 * s * s_low;
  const double rest = z.high * series(kAtanhTerms, z.high);
  const double p = kTwoThirds.high + rest;
  const double p_low = (kTwoThirds.high - p) + rest + kTwoThirds.low;
  Pair zp = product(z.high, p);
  zp.low += z.low * p + z.high * p_low;
  Pair cubic = product(s, zp.high);
  cubic.low += s_low * zp.high + s * zp.low;
  const double high = 2 * s + cubic.high;
  const double low = (2 * s - high) + cubic.high + (cubic.low + 2 * s_low);

  Pair scaled = product(high, base.of_e.high);
  scaled.low += high * base.of_e.low + low * base.of_e.high;
  const double whole = k * base.of_two.high;
  const double result = whole + scaled.high;
  return {result, (whole - result) + scaled.high + (scaled.low + k * base.of_two.low)};
}

double logarithm_of(double x, const Base& base) {
  if (x > 0 && x < kInfinity) {
    const Pair y = logarithm(x, base);
    return y.high + y.low;
  }
  if (x == 0) return -kInfinity;
  return x < 0 ? kNaN : x;
}

// 1/n! for n = 13, 12, …, 2
constexpr double kExponential[] = {1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
                                   1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
                                   1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        1.0 / 2.0};

// (1 + fraction) 2^exponent
struct Exponential {
  double fraction;  // between sqrt(1/2) - 1 and sqrt(2) - 1
  std::int64_t exponent;
};

// e^(x + low), for x between -1000 and 1000. NaN gives NaN and any exponent.
Exponential exponential(double x, double low) {
  constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: a small number added to it is rounded to an integer
  const double rounded = x * std::numbers::log2e + kRound;
  const double k = rounded - kRound;
  const double r_high = x - k * kLn2High;  // exact
  const double r_low = low - k * kLn2Low;
  const double r = r_high + r_low;
  return {series(kExponential, r) * (r * r) + r_low + r_high,
          static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(rounded) - std::bit_cast<std::uint64_t>(kRound))};
}

double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// x 2^exponent, rounded once: in two steps, since 2^exponent need not be a normal number.
double scaled(double x, std::int64_t exponent) {
  const std::int64_t half = exponent >> 1;
  return x * power_of_two(half) * power_of_two(exponent - half);
}

double value_of(const Exponential& power) { return scaled(1 + power.fraction, power.exponent); }

// Beyond these, e^x is 0 or infinite.
constexpr double kLowest = -746;
constexpr double kHighest = 710;

double within(double x, double least, double most) {
  if (x < least) return least;
  return x > most ? most : x;
}

// e^x / 2 for large x, also where e^x is infinite.
double half_of_exp(double x) {
  const double root = exp(x / 2);
  return root / 2 * root;
}

constexpr double kLarge = 0x1p28;  // from here on, x^2 + 1 is x^2

}  // namespace

double exp(double x) { return exp(Pair{x, 0}); }

double exp(const Pair& x) { return value_of(exponential(within(x.high, kLowest, kHighest), x.low)); }

double expm1(double x) {
  if (x == 0) return x;
  const Exponential power = exponential(within(x, -60, kHighest), 0);
  const double one = power.exponent > 60 ? 1 : 1 - power_of_two(-power.exponent);
  return scaled(one + power.fraction, power.exponent);
}

double log(double x) { return logarithm_of(x, kNatural); }
double log2(double x) { return logarithm_of(x, kBinary); }
double log10(double x) { return logarithm_of(x, kDecimal); }

double log1p(double x) {
  if (x == 0 || x <= -1 || !(x < kInfinity)) return x == 0 ? x : logarithm_of(1 + x, kNatural);
  const double sum = 1 + x;
  const double added = sum - x;
  const double lost = (x - (sum - added)) + (1 - added);
  const Pair y = logarithm(sum, kNatural);
  return y.high + (y.low + lost / sum);
}

double sinh(double x) {
  const double a = std::fabs(x);
  if (a > 709) return std::copysign(half_of_exp(a), x);
  const double e = expm1(a);
  return std::copysign((e + e / (e + 1)) / 2, x);
}

double cosh(double x) {
  const double a = std::fabs(x);
  if (a > 709) return half_of_exp(a);
  const double e = exp(a);
  return (e + 1 / e) / 2;
}

double tanh(double x) {
  const double e = expm1(-2 * std::fabs(x));
  return std::copysign(e / (e + 2), x);
}

double asinh(double x) {
  const double a = std::fabs(x);
  if (a > kLarge) return std::copysign(log(a) + std::numbers::ln2, x);
  return std::copysign(log1p(a + a * a / (1 + std::sqrt(1 + a * a))), x);
}

double acosh(double x) {
  if (x > kLarge) return log(x) + std::numbers::ln2;
  return log1p((x - 1) + std::sqrt(x - 1) * std::sqrt(x + 1));
}

double atanh(double x) {
  const double a = std::fabs(x);
  return std::copysign(log1p(2 * a / (1 - a)) / 2, x);
}

double pow(double x, double y) {
  // The powers that are common.
  if (y == 2) return x * x;
  if (y == 1) return x;
  if (y == 0.5 && x > 0) return std::sqrt(x);
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  const double a = std::fabs(x);
  const bool is_odd = std::trunc(y) == y && std::trunc(y / 2) != y / 2;
  if (x < 0 && a < kInfinity && std::trunc(y) != y) return kNaN;
  const double sign = is_odd ? std::copysign(1.0, x) : 1.0;
  if (a == 1) return sign;
  if (a == 0 || a == kInfinity || std::fabs(y) == kInfinity) return (a < 1) == (y < 0) ? sign * kInfinity : sign * 0.0;
  const Pair base = logarithm(a, kNatural);
  const double exponent = y * base.high;
  if (exponent > kHighest) return sign * kInfinity;
  if (exponent < kLowest) return sign * 0.0;
  const Pair whole = product(y, base.high);
  return sign * exp(Pair{whole.high, whole.low + y * base.low});
}

}  // namespace minitensor::kernels::float64
