#include "minitensor/ops/elementwise.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using test::make_tensor;
using test::pseudo_random;
using test::tensor_matches;
using test::tensors_equal;
using test::with_gaps;
using test::with_reversed_axes;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Ends of loops: all remainders of vector lengths up to 16, and both sides of block sizes.
const std::vector<std::int64_t> kLengths{0,  1,  2,  3,  4,  5,  6,  7,   8,   9,   10,  11,   12,  13,
                                         14, 15, 16, 17, 63, 64, 65, 127, 128, 129, 999, 1000, 1001};

struct Binary {
  const char* name;
  Tensor (*function)(const Tensor&, const Tensor&);
  // In double; rounded to float32 it is what float32 arithmetic gives, for these four operations.
  double (*expected)(double, double);
};

class BinaryOp : public testing::TestWithParam<Binary> {
 protected:
  // The operation on the elements of two tensors of one shape.
  static std::vector<double> expected(const Tensor& a, const Tensor& b) {
    std::vector<double> x = a.to_vector();
    const std::vector<double> y = b.to_vector();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = GetParam().expected(x[i], y[i]);
    return x;
  }

  static Tensor run(const Tensor& a, const Tensor& b) { return GetParam().function(a, b); }
};

INSTANTIATE_TEST_SUITE_P(All, BinaryOp,
                         testing::Values(Binary{"add", add, [](double a, double b) { return a + b; }},
                                         Binary{"sub", sub, [](double a, double b) { return a - b; }},
                                         Binary{"mul", mul, [](double a, double b) { return a * b; }},
                                         Binary{"div", div, [](double a, double b) { return a / b; }}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(BinaryOp, ComputesEveryElementAtEveryLength) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (const std::int64_t length : kLengths) {
      const Tensor a = pseudo_random({length}, dtype, 1);
      const Tensor b = pseudo_random({length}, dtype, 2);
      const Tensor result = run(a, b);
      EXPECT_EQ(result.dtype(), dtype);
      EXPECT_TRUE(result.is_contiguous());
      EXPECT_TRUE(tensor_matches(result, {length}, expected(a, b))) << length;
      EXPECT_TRUE(tensors_equal(run(with_gaps(a), b), result)) << length;
      EXPECT_TRUE(tensors_equal(run(a, with_gaps(b)), result)) << length;
      EXPECT_TRUE(tensors_equal(run(with_gaps(a), with_gaps(b)), result)) << length;
    }
  }
}

TEST_P(BinaryOp, RoundsAsItsDTypeDoes) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(std::ldexp(1.0 + i * 0.7310585786300049, i % 40 - 20));
    y.push_back(std::ldexp(3.0 - i * 0.0017310585786300049, i % 7 - 3));
  }
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    const Tensor a = make_tensor(x, {1000}, dtype);
    const Tensor b = make_tensor(y, {1000}, dtype);
    EXPECT_TRUE(tensor_matches(run(a, b), {1000}, expected(a, b)));
  }
}

TEST_P(BinaryOp, FollowsIeee754ForSpecialValues) {
  const std::vector<double> special{0.0, -0.0, 1, -1, kInf, -kInf, kNaN, 1e-38, 3e38, -3e38};
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    std::vector<double> x;
    std::vector<double> y;
    for (const double a : special) {
      for (const double b : special) {
        x.push_back(a);
        y.push_back(b);
      }
    }
    const Tensor a = make_tensor(x, {10, 10}, dtype);
    const Tensor b = make_tensor(y, {10, 10}, dtype);
    EXPECT_TRUE(tensor_matches(run(a, b), {10, 10}, expected(a, b)));
    const Tensor row = make_tensor(special, {10}, dtype);
    const Tensor column = make_tensor(special, {10, 1}, dtype);
    EXPECT_TRUE(tensors_equal(run(column, row), run(a, b)));
  }
}

TEST_P(BinaryOp, BroadcastsLikeNumPy) {
  const std::vector<std::pair<Shape, Shape>> pairs{{{}, {}},
                                                   {{}, {3}},
                                                   {{3}, {}},
                                                   {{2, 3}, {}},
                                                   {{2, 3}, {3}},
                                                   {{3}, {2, 3}},
                                                   {{2, 1}, {3}},
                                                   {{2, 1}, {1, 3}},
                                                   {{1, 1}, {1}},
                                                   {{4, 1, 3}, {2, 1}},
                                                   {{8, 1, 6, 1}, {7, 1, 5}},
                                                   {{1, 17}, {9, 17}},
                                                   {{9, 17}, {9, 1}},
                                                   {{9, 1}, {9, 17}},
                                                   {{2, 3, 4}, {2, 3, 4}},
                                                   {{0}, {1}},
                                                   {{0, 3}, {3}},
                                                   {{2, 1, 3}, {2, 0, 3}},
                                                   {{1, 1, 1, 1, 1, 1, 1, 2}, {2, 1, 1, 1, 1, 1, 1, 1}}};
  for (const auto& [shape_a, shape_b] : pairs) {
    const Tensor a = pseudo_random(shape_a, DType::kFloat32, 3);
    const Tensor b = pseudo_random(shape_b, DType::kFloat32, 4);
    const Shape shape = broadcast_shapes(shape_a, shape_b, "test");
    const Tensor result = run(a, b);
    EXPECT_TRUE(result.is_contiguous());
    EXPECT_TRUE(tensor_matches(result, shape, expected(a.broadcast_to(shape), b.broadcast_to(shape))))
        << to_string(shape_a) << ' ' << to_string(shape_b);
    EXPECT_TRUE(tensors_equal(run(with_gaps(a), with_reversed_axes(b)), result));
    EXPECT_TRUE(tensors_equal(run(with_reversed_axes(a), with_gaps(b)), result));
    EXPECT_TRUE(tensors_equal(run(a.broadcast_to(shape), b.broadcast_to(shape)), result));
  }
}

TEST_P(BinaryOp, PromotesMixedDTypes) {
  const Tensor a = make_tensor({0.1, 1, 3}, {3}, DType::kFloat32);
  const Tensor b = make_tensor({0.1, 1e-9, 7}, {3}, DType::kFloat64);
  EXPECT_EQ(run(a, b).dtype(), DType::kFloat64);
  EXPECT_EQ(run(b, a).dtype(), DType::kFloat64);
  EXPECT_TRUE(tensor_matches(run(a, b), {3}, expected(a, b)));
  EXPECT_TRUE(tensor_matches(run(b, a), {3}, expected(b, a)));
  // A 0-D input has no lesser say in it.
  EXPECT_EQ(run(a, make_tensor({2}, {}, DType::kFloat64)).dtype(), DType::kFloat64);
}

TEST_P(BinaryOp, TakesOneTensorTwice) {
  const Tensor a = pseudo_random({5, 5});
  EXPECT_TRUE(tensor_matches(run(a, a), {5, 5}, expected(a, a)));
  const Tensor t = with_reversed_axes(a);
  EXPECT_TRUE(tensor_matches(run(a, t), {5, 5}, expected(a, a)));
}

TEST_P(BinaryOp, LeavesItsInputsAlone) {
  const Tensor a = pseudo_random({4});
  const Tensor b = pseudo_random({4}, DType::kFloat32, 5);
  const auto before_a = a.to_vector();
  const auto before_b = b.to_vector();
  const Tensor result = run(a, b);
  EXPECT_FALSE(result.shares_storage_with(a));
  EXPECT_FALSE(result.shares_storage_with(b));
  EXPECT_EQ(a.to_vector(), before_a);
  EXPECT_EQ(b.to_vector(), before_b);
}

TEST_P(BinaryOp, RefusesShapesThatDoNotBroadcast) {
  const std::string name = GetParam().name;
  EXPECT_MT_ERROR(run(iota({3}), iota({4})), ErrorCode::kShape, name + ": ");
  EXPECT_MT_ERROR(run(iota({2, 3}), iota({2})), ErrorCode::kShape, "[2,3]");
  EXPECT_MT_ERROR(run(iota({0}), iota({2})), ErrorCode::kShape, "[0]");
}

TEST_P(BinaryOp, RefusesAResultThatMemoryCannotHold) {
  constexpr std::int64_t kLong = std::int64_t{1} << 27;
  const Tensor column = iota({1, 1}).broadcast_to({kLong, 1});
  const Tensor row = iota({1, 1}).broadcast_to({1, kLong});
  EXPECT_TRUE(
      test::throws_error([&] { run(column, row); }, sizeof(void*) == 4 ? ErrorCode::kShape : ErrorCode::kMemory, ""));
}

TEST(Add, IsExactOnKnownNumbers) {
  EXPECT_TENSOR_EQ(add(make_tensor({1, 2, 3, 4}, {2, 2}), make_tensor({10, 20}, {2})), {{11, 22}, {13, 24}});
  EXPECT_TENSOR_EQ(add(make_tensor({-0.0}, {1}), make_tensor({-0.0}, {1})), {-0.0});
}

TEST(Sub, TakesTheSecondFromTheFirst) {
  EXPECT_TENSOR_EQ(sub(make_tensor({1, 2}, {2}), make_tensor({10}, {})), {-9, -8});
}

TEST(Div, ByZeroIsInfinityOrNaN) {
  const Tensor zero = make_tensor({0.0, -0.0}, {2, 1});
  EXPECT_TENSOR_EQ(div(make_tensor({1, -1, 0, kInf}, {4}), zero),
                   {{kInf, -kInf, kNaN, kInf}, {-kInf, kInf, kNaN, -kInf}});
}

TEST(Mul, OfInfinityAndZeroIsNaN) {
  EXPECT_TENSOR_EQ(mul(make_tensor({kInf, -kInf}, {2}), make_tensor({0}, {})), {kNaN, kNaN});
}

struct Unary {
  const char* name;
  Tensor (*function)(const Tensor&);
  long double (*expected)(long double);
  std::int64_t ulps;  // what is allowed on random numbers
};

class UnaryOp : public testing::TestWithParam<Unary> {
 protected:
  static Tensor run(const Tensor& x) { return GetParam().function(x); }

  static std::vector<double> expected(const Tensor& x) {
    std::vector<double> values = x.to_vector();
    for (double& value : values) value = static_cast<double>(GetParam().expected(value));
    return values;
  }
};

// The expected value is computed in long double, and rounded.
INSTANTIATE_TEST_SUITE_P(All, UnaryOp,
                         testing::Values(Unary{"neg", neg, [](long double x) { return -x; }, 0},
                                         Unary{"exp", exp, [](long double x) { return std::exp(x); }, 2},
                                         Unary{"tanh", tanh, [](long double x) { return std::tanh(x); }, 3},
                                         Unary{"sigmoid", sigmoid, [](long double x) { return 1 / (1 + std::exp(-x)); },
                                               4},
                                         Unary{"relu", relu, [](long double x) { return x > 0 ? x : 0; }, 0}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(UnaryOp, ComputesEveryElementAtEveryLength) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (const std::int64_t length : kLengths) {
      const Tensor x = pseudo_random({length}, dtype);
      const Tensor result = run(x);
      EXPECT_EQ(result.dtype(), dtype);
      EXPECT_TRUE(tensor_matches(result, {length}, expected(x), {0, GetParam().ulps})) << length;
    }
  }
}

TEST_P(UnaryOp, GivesRowMajorResultsFromAnyStrides) {
  for (const Shape& shape : {Shape{}, Shape{5}, Shape{3, 5}, Shape{2, 3, 4}, Shape{2, 0, 3}, Shape{1, 7, 1}}) {
    const Tensor x = pseudo_random(shape);
    const Tensor result = run(x);
    EXPECT_TRUE(tensor_matches(result, shape, expected(x), {0, GetParam().ulps}));
    for (const Tensor& y : {with_gaps(x), with_reversed_axes(x)}) {
      EXPECT_TRUE(tensors_equal(run(y), result)) << to_string(shape);
      EXPECT_TRUE(run(y).is_contiguous());
    }
  }
  const Tensor wide = make_tensor({0.5, -2}, {2, 1}).broadcast_to({2, 9});
  EXPECT_TRUE(tensor_matches(run(wide), {2, 9}, expected(wide), {0, GetParam().ulps}));
}

TEST_P(UnaryOp, KeepsNaN) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (const std::int64_t length : {1, 4, 17}) {
      const Tensor result = run(Tensor::full({length}, kNaN, dtype));
      for (const double value : result.to_vector()) EXPECT_TRUE(std::isnan(value));
    }
  }
}

// A dense sample of where the result is neither constant nor infinite.
TEST_P(UnaryOp, IsAccurateOnADenseSample) {
  for (const auto& [dtype, bound] : {std::pair{DType::kFloat32, 87.0}, std::pair{DType::kFloat64, 708.0}}) {
    std::vector<double> points;
    for (int i = -20000; i <= 20000; ++i) {
      points.push_back(bound * i / 20000);  // the whole range
      points.push_back(1.5 * i / 20000);    // around 0
    }
    for (int exponent = -30; exponent < 0; ++exponent) {
      points.push_back(std::ldexp(1.1, exponent));
      points.push_back(-std::ldexp(1.3, exponent));
    }
    const Tensor x = make_tensor(points, {static_cast<std::int64_t>(points.size())}, dtype);
    EXPECT_TRUE(tensor_matches(run(x), x.shape(), expected(x), {0, GetParam().ulps})) << dtype_name(dtype);
  }
}

TEST_P(UnaryOp, LeavesItsInputAlone) {
  const Tensor x = pseudo_random({6});
  const auto before = x.to_vector();
  EXPECT_FALSE(run(x).shares_storage_with(x));
  EXPECT_EQ(x.to_vector(), before);
}

TEST(Neg, FlipsTheSignOfZerosAndInfinities) {
  EXPECT_TENSOR_EQ(neg(make_tensor({0.0, -0.0, kInf, -kInf, 2}, {5})), {-0.0, 0.0, -kInf, kInf, -2});
}

TEST(Exp, TakesTheExtremes) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    EXPECT_TENSOR_EQ(exp(make_tensor({0.0, -0.0, kInf, -kInf, 1000, -1000, 1e30, -1e30}, {8}, dtype)),
                     {1, 1, kInf, 0, kInf, 0, kInf, 0});
  }
  // The last numbers whose exponential is finite: ln of the largest float32 is 88.72284, of float64 709.78271.
  EXPECT_TRUE(std::isfinite(exp(make_tensor({88.72283}, {})).item()));
  EXPECT_TRUE(std::isinf(exp(make_tensor({88.7229}, {})).item()));
  EXPECT_TRUE(std::isfinite(exp(make_tensor({709.78}, {}, DType::kFloat64)).item()));
  EXPECT_TRUE(std::isinf(exp(make_tensor({709.79}, {}, DType::kFloat64)).item()));
  // Results below the smallest normal number lose bits gradually, not at once.
  EXPECT_TENSOR_ULPS(exp(make_tensor({-100}, {})), 1, (3.720075976020836e-44));
}

TEST(Tanh, TakesTheExtremes) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    EXPECT_TENSOR_EQ(tanh(make_tensor({0.0, -0.0, kInf, -kInf, 1000, -1000, 1e30, -1e30}, {8}, dtype)),
                     {0.0, -0.0, 1, -1, 1, -1, 1, -1});
  }
  EXPECT_TENSOR_EQ(tanh(make_tensor({1e-30, -1e-30}, {2})), {1e-30, -1e-30});
}

TEST(Sigmoid, TakesTheExtremes) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    EXPECT_TENSOR_EQ(sigmoid(make_tensor({0.0, -0.0, kInf, -kInf, 1000, -1000, 1e30, -1e30}, {8}, dtype)),
                     {0.5, 0.5, 1, 0, 1, 0, 1, 0});
  }
  // e^-100 / (1 + e^-100): a naive 1 / (1 + e^100) is 0 in float32, since e^100 is infinite there.
  EXPECT_TENSOR_ULPS(sigmoid(make_tensor({-100}, {})), 1, (3.720075976020836e-44));
  EXPECT_TENSOR_ULPS(sigmoid(make_tensor({-700}, {}, DType::kFloat64)), 4, (std::exp(-700.0)));
}

TEST(Sigmoid, NeverOverflows) {
#ifdef FE_OVERFLOW  // WebAssembly has no floating-point exceptions
  const Tensor x = make_tensor({-3e38, -1e10, -1000, -89, 89, 1000, 1e10, 3e38}, {8});
  std::feclearexcept(FE_ALL_EXCEPT);
  const Tensor y = sigmoid(x);
  EXPECT_EQ(std::fetestexcept(FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO), 0);
#endif
}

TEST(Sigmoid, IsSymmetric) {
  // sigmoid(-x) = 1 - sigmoid(x)
  const Tensor x = pseudo_random({1000}, DType::kFloat64);
  const Tensor total = add(sigmoid(x), sigmoid(neg(x)));
  EXPECT_TRUE(tensors_equal(total, Tensor::full({1000}, 1, DType::kFloat64), {4e-16, 0}));
}

TEST(Relu, IsZeroUpToZero) {
  EXPECT_TENSOR_EQ(relu(make_tensor({-1, 0.0, 2, -kInf, kInf, kNaN, -1e-45, 1e-45}, {8}, DType::kFloat64)),
                   {0, 0, 2, 0, kInf, kNaN, 0, 1e-45});
  EXPECT_EQ(relu(make_tensor({-0.0}, {})).item(), 0);
}

}  // namespace
}  // namespace minitensor
