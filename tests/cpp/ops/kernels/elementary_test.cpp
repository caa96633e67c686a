#include "minitensor/ops/kernels/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "ops/kernels/float32_ulps.h"

namespace minitensor {
namespace {

using test::Float32Kernel;
using test::WorstError;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t kLastBits = std::numeric_limits<std::uint32_t>::max();

class Float32 : public testing::TestWithParam<Float32Kernel> {};

std::string name_of(const testing::TestParamInfo<Float32Kernel>& parameter) { return parameter.param.name; }

INSTANTIATE_TEST_SUITE_P(Elementary, Float32,
                         testing::ValuesIn(test::float32_kernels().begin(), test::float32_kernels().end()), name_of);

TEST_P(Float32, IsWithinItsBoundOverASampleOfAllInputs) {
  const WorstError worst = worst_error(GetParam(), 0, kLastBits, 4099);
  EXPECT_LE(worst.ulps, GetParam().bound) << worst.text();
}

TEST_P(Float32, IsWithinItsBoundAroundEdges) {
  // Zeros, denormals and the ends of the range; where results overflow, vanish or saturate, and where methods change.
  for (const float edge :
       {0.0F,        1.17549435e-38F, 3.4028235e38F, 1.0F,         0.5F,        2.0F,       0.70710678F,
        1.41421356F, 0.34657359F,     0.625F,        0.921875F,    4.0F,        9.01F,      10.0F,
        15.0F,       16.6F,           17.3F,         87.33655F,    88.72284F,   103.2789F,  103.97208F,
        108.0F,      112.0F,          16777216.0F,   268435456.0F, 1.57079637F, 3.14159274F}) {
    for (const std::uint32_t sign : {0U, 0x80000000U}) {
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(edge);
      const WorstError worst = worst_error(GetParam(), sign + (bits < 300 ? 0 : bits - 300), sign + bits + 300, 1);
      EXPECT_LE(worst.ulps, GetParam().bound) << worst.text();
    }
  }
}

TEST_P(Float32, GivesTheSameWhereverAnElementStands) {
  std::vector<float> x;
  for (int i = -20; i < 20; ++i) x.push_back(static_cast<float>(i) * 0.37F);
  x.insert(x.end(), {kNaN, kInf, -kInf, 1e30F, -0.0F, 1e-40F});
  std::vector<float> alone(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) GetParam().kernel(&x[i], &alone[i], 1);
  for (std::size_t first = 0; first < 5; ++first) {
    for (std::size_t n = 0; first + n <= x.size(); ++n) {
      std::vector<float> out(n + 1, 123.0F);
      GetParam().kernel(x.data() + first, out.data(), n);
      EXPECT_EQ(out[n], 123.0F);
      std::vector<float> in_place(x.begin() + static_cast<std::ptrdiff_t>(first), x.end());
      GetParam().kernel(in_place.data(), in_place.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(test::error_in_ulps(out[i], static_cast<double>(alone[first + i])), 0);
        EXPECT_EQ(test::error_in_ulps(in_place[i], static_cast<double>(alone[first + i])), 0);
      }
    }
  }
}

// The same numbers natively and in WebAssembly, so one of them cannot change without the other.
TEST(Elementary, GivesTheSameBitsOnEveryMachine) {
  const std::map<std::string, std::uint64_t> hashes{
      {"exp", 0xa8c341d01ff77f6a},     {"expm1", 0xdaaac256df912744},    {"log", 0xe3302d0d17bd73b3},
      {"log1p", 0x76adbdf414c88174},   {"log2", 0xc7f4139362ceb433},     {"log10", 0x74a3b4ae01d5b9fe},
      {"sin", 0x7829b1c0366abab4},     {"cos", 0xf58bd0fea9869009},      {"tan", 0x0117b1187f00ad58},
      {"asin", 0x91d945b270ec6ddc},    {"acos", 0x4e7c8ae6e8993fc3},     {"atan", 0x25d2f56a1f0e4b2a},
      {"sinh", 0xd89e82c6cb80fa74},    {"cosh", 0x9614044650483b0f},     {"tanh", 0x681cf5cd0d938373},
      {"asinh", 0x781bb39e5884a26e},   {"acosh", 0xf59f5b59c8592042},    {"atanh", 0x0ec3a191b97318cb},
      {"erf", 0xa4f78d35cde32145},     {"sqrt", 0x0d9408eccb2177f1},     {"rsqrt", 0x7368d57c2df18138},
      {"sigmoid", 0x64df21fd558d5525}, {"softplus", 0xa835d0f96578a50e}, {"gelu", 0xdb8c176a9987bb51},
      {"silu", 0x34ef20c216093307},    {"mish", 0x24f65140a688c8a9}};
  for (const Float32Kernel& kernel : test::float32_kernels()) {
    const auto expected = hashes.find(kernel.name);
    ASSERT_NE(expected, hashes.end()) << kernel.name;
    const WorstError worst = worst_error(kernel, 0, kLastBits, 65537);
    EXPECT_EQ(worst.hash, expected->second) << kernel.name << ": " << worst.text();
  }
}

float at(void (*kernel)(const float*, float*, std::size_t), float x) {
  kernel(&x, &x, 1);
  return x;
}

TEST(Elementary, TakesLimitsAtInfinity) {
  using Kernel = void (*)(const float*, float*, std::size_t);
  for (const Kernel float32 : {Kernel{&kernels::gelu}, Kernel{&kernels::silu}, Kernel{&kernels::mish}}) {
    EXPECT_EQ(at(float32, -kInf), 0);
    EXPECT_TRUE(std::signbit(at(float32, -kInf)));
    EXPECT_EQ(at(float32, kInf), kInf);
    EXPECT_EQ(at(float32, -1e30F), 0);
    EXPECT_EQ(at(float32, 1e30F), 1e30F);
  }
  EXPECT_EQ(at(&kernels::softplus, -kInf), 0);
  EXPECT_EQ(at(&kernels::sigmoid, -kInf), 0);
  EXPECT_EQ(at(&kernels::sigmoid, kInf), 1);
}

TEST(Elementary, ComputesPowersAndAnglesOfPairs) {
  const std::vector<float> x{2, -2, -2, 0, -0.0F, kInf, kNaN, 1, 1e20F, 0.5F};
  const std::vector<float> y{0.5F, 3, 0.5F, -1, -1, -1, 0, kNaN, 2, 149};
  std::vector<float> out(x.size());
  kernels::pow(x.data(), y.data(), out.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_LE(test::error_in_ulps(out[i], std::pow(static_cast<double>(x[i]), static_cast<double>(y[i]))), 0.5) << i;
  }
  EXPECT_EQ(out[8], kInf);
  EXPECT_EQ(out[9], std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(out[7], 1);
  kernels::atan2(x.data(), y.data(), out.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_LE(test::error_in_ulps(out[i], std::atan2(static_cast<double>(x[i]), static_cast<double>(y[i]))), 0.5) << i;
  }
}

// References of float64 need more digits than it has: these come from mpmath, with 60 digits.
struct Float64Case {
  const char* name;
  void (*kernel)(const double*, double*, std::size_t);
  double x;
  double y;
};

TEST(Elementary, ComputesFloat64) {
  const std::vector<Float64Case> cases{
#include "ops/kernels/float64_cases.h"
  };
  for (const Float64Case& c : cases) {
    double y = 0;
    c.kernel(&c.x, &y, 1);
    EXPECT_NEAR(y, c.y, std::fabs(c.y) * 1e-15) << c.name << '(' << c.x << ')';
  }
}

}  // namespace
}  // namespace minitensor
