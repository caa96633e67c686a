#include "minitensor/ops/kernels/float64.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace minitensor {
namespace {

namespace float64 = kernels::float64;

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

// In units in the last place of float64; of the smallest denormal number where the result is one.
double error_in_ulps(double result, long double reference) {
  const auto rounded = static_cast<double>(reference);
  if (std::isnan(rounded) || std::isnan(result)) return std::isnan(rounded) == std::isnan(result) ? 0 : kInf;
  if (rounded == 0 && result == 0) return std::signbit(rounded) == std::signbit(result) ? 0 : kInf;
  if (std::isinf(rounded) || std::isinf(result)) return rounded == result ? 0 : kInf;
  const int exponent = reference == 0 ? -1022 : std::max(std::ilogb(reference), -1022);
  return static_cast<double>(std::fabs((result - reference) / std::ldexp(1.0L, exponent - 52)));
}

// Spread over all bit patterns, and more densely over small numbers.
double sample(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  const double fraction = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
  switch (bits % 5) {
    case 0:
      return std::bit_cast<double>(bits);
    case 1:
      return fraction;
    case 2:
      return fraction * 30;
    case 3:
      return fraction * 750;
    default:
      return 1 + fraction / 100;
  }
}

struct Float64Function {
  const char* name;
  double (*function)(double);
  long double (*reference)(long double);  // of the C library, where long double has more digits
  double bound;                           // docs/numerics.md states it
};

#define MT_FUNCTION(name, bound)                                             \
  Float64Function {                                                          \
    #name, &float64::name, [](long double x) { return std::name(x); }, bound \
  }
constexpr Float64Function kFunctions[] = {
    MT_FUNCTION(exp, 1),
    MT_FUNCTION(expm1, 2),
    MT_FUNCTION(log, 0.501),
    MT_FUNCTION(log1p, 1),
    MT_FUNCTION(log2, 0.501),
    MT_FUNCTION(log10, 0.501),
    MT_FUNCTION(sinh, 2.5),
    MT_FUNCTION(cosh, 2.5),
    MT_FUNCTION(tanh, 3),
    MT_FUNCTION(asinh, 2),
    MT_FUNCTION(acosh, 3.5),
    MT_FUNCTION(atanh, 2),
    MT_FUNCTION(sin, 1),
    MT_FUNCTION(cos, 1),
    MT_FUNCTION(tan, 2.5),
    MT_FUNCTION(erf, 3),
    {"normal", float64::normal, [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }, 6.5}};
#undef MT_FUNCTION

// Where the C library computes in a long double of more digits: not in WebAssembly, whose results are the same.
#if LDBL_MANT_DIG == 64

TEST(Float64, IsWithinItsBounds) {
  for (const Float64Function& f : kFunctions) {
    std::mt19937_64 random(1);
    double worst = 0;
    double where = 0;
    for (int i = 0; i < 200000; ++i) {
      const double x = sample(random);
      const double error = error_in_ulps(f.function(x), f.reference(x));
      if (error > worst) where = x;
      worst = std::max(worst, error);
    }
    EXPECT_LE(worst, f.bound) << f.name << " at " << where;
  }
}

TEST(Float64, ComputesPowersWithinOneUnit) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400000; ++i) {
    const double x = sample(random);
    const double y = sample(random);
    ASSERT_LE(error_in_ulps(float64::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))), 1)
        << x << ", " << y;
  }
}

TEST(Float64, ComputesAnglesOfPairsWithinThreeUnits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400000; ++i) {
    const double y = sample(random);
    const double x = sample(random);
    ASSERT_LE(error_in_ulps(float64::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))),
              3)
        << y << ", " << x;
  }
}

#endif

// From mpmath, with 400 digits: the float64 that is closest to a multiple of pi / 2, and others far out.
TEST(Float64, ReducesLargeAngles) {
  EXPECT_EQ(float64::cos(6381956970095103 * 0x1p797), -4.687165924254628e-19);
  EXPECT_EQ(float64::sin(1e22), -0.8522008497671888);
  EXPECT_EQ(float64::cos(1e300), -0.5753861119575491);
  EXPECT_EQ(float64::sin(1.7976931348623157e308), 0.004961954789184062);
}

// Not a matter of digits, of which libraries have fewer where long double is float64.
TEST(Float64, HasTheEdgeCasesOfC) {
  const double edges[] = {
      kNaN, kInf,  -kInf, 0.0,    -0.0,    1,      -1,        0.5,         -0.5,        2,
      -2,   3,     -3,    1e300,  -1e300,  5e-324, -5e-324,   0x1p53,      0x1p53 + 2,  1e20,
      1e-9, -1e-9, 709.9, -745.2, -746.01, 710.5,  0x1p-1022, 1 - 0x1p-53, 1 + 0x1p-52, -4503599627370497};
  for (const double x : edges) {
    for (const Float64Function& f : kFunctions) {
      const auto expected = static_cast<double>(f.reference(x));
      EXPECT_LE(error_in_ulps(f.function(x), expected), 16) << f.name << '(' << x << ')';
    }
    for (const double y : edges) {
      EXPECT_LE(error_in_ulps(float64::pow(x, y), std::pow(x, y)), 2) << "pow(" << x << ", " << y << ')';
      EXPECT_LE(error_in_ulps(float64::atan2(y, x), std::atan2(y, x)), 3) << "atan2(" << y << ", " << x << ')';
    }
  }
}

TEST(Float64, GivesExactLogarithmsOfPowers) {
  for (int i = -1074; i < 1024; ++i) EXPECT_EQ(float64::log2(std::ldexp(1.0, i)), i);
  double power = 1;
  for (int i = 0; i <= 22; ++i, power *= 10) EXPECT_EQ(float64::log10(power), i);
}

// The same natively and in WebAssembly.
TEST(Float64, GivesTheSameBitsOnEveryMachine) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  const auto add = [&hash](double y) {
    hash = (hash ^ (std::isnan(y) ? 1 : std::bit_cast<std::uint64_t>(y))) * 1099511628211U;
  };
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const double x = sample(random);
    for (const Float64Function& f : kFunctions) add(f.function(x));
    add(float64::pow(x, sample(random)));
    add(float64::atan2(x, sample(random)));
  }
  EXPECT_EQ(hash, 0x7482596d76dd812eU);
}

}  // namespace
}  // namespace minitensor
