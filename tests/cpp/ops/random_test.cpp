#include "minitensor/ops/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace minitensor {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The vectors for philox4x32 with 10 rounds in kat_vectors of the Random123 library, by the authors of the paper.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

constexpr std::size_t kCount = 100000;

// The largest distance between the distribution function of the sample and that of the uniform distribution
// (Kolmogorov and Smirnov), times sqrt(n): above 1.95 for one sample in a thousand.
template <typename T>
double uniform_distance(std::vector<T> sample) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto x = static_cast<double>(sample[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, (rank + 1) / n - x, x - rank / n});
  }
  return distance * std::sqrt(n);
}

template <typename T>
class Uniform : public testing::Test {};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Uniform, Types);

TYPED_TEST(Uniform, IsUniform) {
  Generator generator{42};
  std::vector<TypeParam> x(kCount);
  fill_uniform(generator, x.data(), x.size());
  EXPECT_GE(*std::min_element(x.begin(), x.end()), 0);
  EXPECT_LT(*std::max_element(x.begin(), x.end()), 1);
  EXPECT_LT(uniform_distance(x), 1.95);
}

TYPED_TEST(Uniform, DependsOnSeedAndCounterOnly) {
  Generator generator{7, 3};
  std::vector<TypeParam> x(10);
  fill_uniform(generator, x.data(), x.size());
  EXPECT_EQ(generator.seed, 7U);
  EXPECT_EQ(generator.counter, 3U + (x.size() * sizeof(TypeParam) + 15) / 16);
  Generator again{7, 3};
  std::vector<TypeParam> y(4);
  fill_uniform(again, y.data(), y.size());
  EXPECT_TRUE(std::equal(y.begin(), y.end(), x.begin()));
  // Goes on where it was: the next block of x.
  fill_uniform(again, y.data(), y.size());
  EXPECT_TRUE(std::equal(y.begin(), y.end(), x.begin() + 4));
  Generator other{8, 3};
  fill_uniform(other, y.data(), y.size());
  EXPECT_NE(y[0], x[0]);
}

TEST(UniformFloat, IsTheUpper24BitsOfTheWords) {
  Generator generator;
  float x = 0;
  fill_uniform(generator, &x, 1);
  EXPECT_EQ(x, static_cast<float>(0x6627e8) / 16777216.0F);
}

TEST(UniformDouble, IsTheUpper53BitsOfTwoWords) {
  Generator generator;
  double x = 0;
  fill_uniform(generator, &x, 1);
  EXPECT_EQ(x, static_cast<double>(0xe169c58d6627e8d5U >> 11) / 9007199254740992.0);
}

template <typename T>
class Normal : public testing::Test {};

TYPED_TEST_SUITE(Normal, Types);

TYPED_TEST(Normal, HasTheMomentsAndTheDistribution) {
  Generator generator{42};
  std::vector<TypeParam> x(kCount);
  fill_normal(generator, x.data(), x.size());
  double mean = 0;
  double square = 0;
  double cube = 0;
  double fourth = 0;
  std::vector<double> uniform;
  for (const TypeParam value : x) {
    const auto v = static_cast<double>(value);
    mean += v / kCount;
    square += v * v / kCount;
    cube += v * v * v / kCount;
    fourth += v * v * v * v / kCount;
    uniform.push_back(std::erfc(-v / std::sqrt(2.0)) / 2);
  }
  // Four standard deviations of each.
  EXPECT_NEAR(mean, 0, 4 * std::sqrt(1.0 / kCount));
  EXPECT_NEAR(square, 1, 4 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(cube, 0, 4 * std::sqrt(15.0 / kCount));
  EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96.0 / kCount));
  EXPECT_LT(uniform_distance(uniform), 1.95);
}

TEST(NormalFloat, GivesTheSameBitsOnEveryMachine) {
  Generator generator{2026};
  std::vector<float> x(1001);
  fill_normal(generator, x.data(), x.size());
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const float value : x) hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211U;
  EXPECT_EQ(hash, 14560342672780863344U);
  EXPECT_EQ(generator.counter, 251U);
}

TEST(NormalDouble, GivesTheSameBitsOnEveryMachine) {
  Generator generator{2026};
  std::vector<double> x(1001);
  fill_normal(generator, x.data(), x.size());
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const double value : x) hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211U;
  EXPECT_EQ(hash, 11165691251848538423U);
  EXPECT_EQ(generator.counter, 501U);
}

TYPED_TEST(Normal, FillsOddCounts) {
  for (const std::size_t n : {0U, 1U, 127U, 128U, 129U}) {
    Generator generator{1};
    std::vector<TypeParam> x(n + 1, 99);
    fill_normal(generator, x.data(), n);
    EXPECT_EQ(x[n], 99);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LT(std::fabs(x[i]), 7);
  }
}

TEST(Integers, AreEquallyLikely) {
  Generator generator{5};
  std::vector<std::int64_t> x(70000);
  fill_integers(generator, 7, x.data(), x.size());
  std::vector<double> counts(7);
  for (const std::int64_t value : x) {
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 7);
    counts[static_cast<std::size_t>(value)] += 1;
  }
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 10000) * (count - 10000) / 10000;
  EXPECT_LT(chi_square, 22.46);  // one sample in a thousand, 6 degrees of freedom
}

TEST(Integers, TakeTheLargestBounds) {
  Generator generator{5};
  std::vector<std::int64_t> x(1000);
  // Three quarters of the range: what a remainder would favour.
  fill_integers(generator, std::uint64_t{3} << 61, x.data(), x.size());
  const auto low = std::count_if(x.begin(), x.end(), [](std::int64_t v) { return v < std::int64_t{3} << 60; });
  EXPECT_NEAR(static_cast<double>(low), 500, 4 * std::sqrt(250.0));
  fill_integers(generator, 1, x.data(), x.size());
  EXPECT_EQ(x, std::vector<std::int64_t>(1000, 0));
}

TEST(Permutation, HasEveryNumberOnceInAnyOrder) {
  Generator generator{9};
  std::vector<int> counts(24);
  for (int i = 0; i < 24000; ++i) {
    std::array<std::int64_t, 4> x{};
    fill_permutation(generator, x.data(), x.size());
    std::array<std::int64_t, 4> sorted = x;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, (std::array<std::int64_t, 4>{0, 1, 2, 3}));
    int order = 0;
    std::array<std::int64_t, 4> next{0, 1, 2, 3};
    while (next != x) {
      std::next_permutation(next.begin(), next.end());
      ++order;
    }
    ++counts[static_cast<std::size_t>(order)];
  }
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi_square, 49.73);  // one sample in a thousand, 23 degrees of freedom
}

}  // namespace
}  // namespace minitensor
