#include "minitensor/ops/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "minitensor/ops/shape_ops.h"
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
using Axes = std::vector<std::int64_t>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The numbers of this group came from NumPy, with x = numpy.arange(24.).reshape(2, 3, 4).
TEST(Sum, ReducesTheGivenAxes) {
  const Tensor x = iota({2, 3, 4});
  EXPECT_TENSOR_EQ(sum(x, Axes{0}), {{12, 14, 16, 18}, {20, 22, 24, 26}, {28, 30, 32, 34}});
  EXPECT_TENSOR_EQ(sum(x, Axes{1}), {{12, 15, 18, 21}, {48, 51, 54, 57}});
  EXPECT_TENSOR_EQ(sum(x, Axes{2}), {{6, 22, 38}, {54, 70, 86}});
  EXPECT_TENSOR_EQ(sum(x, Axes{0, 1}), {60, 66, 72, 78});
  EXPECT_TENSOR_EQ(sum(x, Axes{0, 2}), {60, 92, 124});
  EXPECT_TENSOR_EQ(sum(x, Axes{1, 2}), {66, 210});
  EXPECT_TENSOR_EQ(sum(x, Axes{0, 1, 2}), (276));
}

TEST(Mean, ReducesTheGivenAxes) {
  const Tensor x = iota({2, 3, 4});
  EXPECT_TENSOR_EQ(mean(x, Axes{0}), {{6, 7, 8, 9}, {10, 11, 12, 13}, {14, 15, 16, 17}});
  EXPECT_TENSOR_EQ(mean(x, Axes{1}), {{4, 5, 6, 7}, {16, 17, 18, 19}});
  EXPECT_TENSOR_EQ(mean(x, Axes{2}), {{1.5, 5.5, 9.5}, {13.5, 17.5, 21.5}});
  EXPECT_TENSOR_EQ(mean(x, Axes{0, 1}), {10, 11, 12, 13});
  EXPECT_TENSOR_EQ(mean(x, Axes{0, 2}), {7.5, 11.5, 15.5});
  EXPECT_TENSOR_EQ(mean(x, Axes{1, 2}), {5.5, 17.5});
  EXPECT_TENSOR_EQ(mean(x, Axes{0, 1, 2}), (11.5));
}

TEST(Mean, OfFloat32IsRoundedOnce) {
  // 32.3331… / 3: rounding the sum first gives 10.777714729309082. From NumPy, in float64 and then float32.
  EXPECT_TENSOR_EQ(mean(make_tensor({13.167098045349121, 15.178390502929688, 3.9876575469970703}, {3})),
                   (10.777715682983398));
}

TEST(Mean, OfLargeFloat32DoesNotOverflow) {
  EXPECT_TENSOR_EQ(mean(make_tensor({3e38, 3e38}, {2})), (3e38));
  EXPECT_TENSOR_EQ(mean(make_tensor({-3e38, -3e38, -3e38}, {3, 1}), Axes{0}), {-3e38});
}

TEST(Mean, OfNoElementsIsNaN) {
  EXPECT_TENSOR_EQ(mean(iota({0})), (kNaN));
  EXPECT_TENSOR_EQ(mean(iota({2, 0}), Axes{1}), {kNaN, kNaN});
  EXPECT_TENSOR_EQ(mean(iota({0}, DType::kFloat64)), (kNaN));
}

struct NamedReduction {
  const char* name;
  Tensor (*function)(const Tensor&, OptionalAxes, bool);
};

class ReductionOp : public testing::TestWithParam<NamedReduction> {
 protected:
  static Tensor run(const Tensor& x, OptionalAxes axes = std::nullopt, bool keep_dims = false) {
    return GetParam().function(x, axes, keep_dims);
  }
  static bool is_mean() { return std::string(GetParam().name) == "mean"; }
};

INSTANTIATE_TEST_SUITE_P(All, ReductionOp, testing::Values(NamedReduction{"sum", sum}, NamedReduction{"mean", mean}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(ReductionOp, ReducesAllAxesWhenNoneAreGiven) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    const Tensor result = run(iota({2, 3}, dtype));
    EXPECT_EQ(result.dtype(), dtype);
    EXPECT_EQ(result.rank(), 0);
    EXPECT_EQ(result.item(), is_mean() ? 2.5 : 15);
  }
}

TEST_P(ReductionOp, KeepsReducedAxesWithSizeOneWhenAsked) {
  const Tensor x = iota({2, 3, 4});
  EXPECT_EQ(run(x, std::nullopt, true).shape(), (Shape{1, 1, 1}));
  EXPECT_EQ(run(x, Axes{}, true).shape(), x.shape());
  EXPECT_EQ(run(x, Axes{0}, true).shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(run(x, Axes{1}, true).shape(), (Shape{2, 1, 4}));
  EXPECT_EQ(run(x, Axes{-1, 0}, true).shape(), (Shape{1, 3, 1}));
  for (const Axes& axes : {Axes{}, Axes{0}, Axes{1}, Axes{2}, Axes{2, 0}}) {
    EXPECT_EQ(run(x, axes, true).to_vector(), run(x, axes).to_vector());
  }
}

TEST_P(ReductionOp, CountsNegativeAxesFromTheEndInAnyOrder) {
  const Tensor x = pseudo_random({2, 3, 4});
  EXPECT_TRUE(tensors_equal(run(x, Axes{-1}), run(x, Axes{2})));
  EXPECT_TRUE(tensors_equal(run(x, Axes{-3}), run(x, Axes{0})));
  EXPECT_TRUE(tensors_equal(run(x, Axes{-1, 0}), run(x, Axes{0, 2})));
  EXPECT_TRUE(tensors_equal(run(x, Axes{2, 1, 0}), run(x)));
}

TEST_P(ReductionOp, GivesRowMajorResultsFromAnyStrides) {
  for (const Shape& shape : {Shape{2, 3, 4}, Shape{17, 5, 1}, Shape{1, 1, 130}, Shape{65, 2, 3}}) {
    const Tensor x = pseudo_random(shape);
    for (const Axes& axes : {Axes{}, Axes{0}, Axes{1}, Axes{2}, Axes{0, 1}, Axes{0, 2}, Axes{1, 2}}) {
      for (const Tensor& y : {x, with_gaps(x), with_reversed_axes(x), transpose(transpose(x))}) {
        EXPECT_TRUE(tensors_equal(run(y, axes), run(x, axes))) << to_string(shape);
        EXPECT_TRUE(run(y, axes).is_contiguous());
        EXPECT_TRUE(run(y, axes, true).is_contiguous());
      }
    }
  }
  const Tensor wide = make_tensor({1, 2}, {2, 1}).broadcast_to({2, 4});
  EXPECT_TENSOR_EQ(run(wide), (is_mean() ? 1.5 : 12));
}

TEST_P(ReductionOp, TakesEveryLength) {
  for (const std::int64_t length :
       {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 511, 512, 513, 999, 1000, 1001}) {
    // 1 + 2 + … + n = n (n + 1) / 2, exact in float32 up to here
    std::vector<double> values;
    for (std::int64_t i = 1; i <= length; ++i) values.push_back(static_cast<double>(i));
    const double total = static_cast<double>(length) * static_cast<double>(length + 1) / 2;
    const double expected = is_mean() ? total / static_cast<double>(length) : total;
    for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
      EXPECT_TENSOR_EQ(run(make_tensor(values, {length}, dtype)), (expected));
      EXPECT_TENSOR_EQ(run(make_tensor(values, {length, 1}, dtype), Axes{0}), {expected});
      EXPECT_TENSOR_EQ(run(with_gaps(make_tensor(values, {1, length}, dtype)), Axes{1}), {expected});
    }
  }
}

TEST_P(ReductionOp, OfAZeroDimensionalTensorIsItsElement) {
  const Tensor result = run(make_tensor({7}, {}));
  EXPECT_EQ(result.rank(), 0);
  EXPECT_EQ(result.item(), 7);
  EXPECT_FALSE(result.shares_storage_with(make_tensor({7}, {})));
  EXPECT_EQ(run(make_tensor({7}, {}), Axes{}, true).rank(), 0);
}

TEST_P(ReductionOp, IsANewTensorEvenWhenNothingIsAddedUp) {
  const Tensor x = iota({3, 1});
  const Tensor result = run(x, Axes{1});
  EXPECT_FALSE(result.shares_storage_with(x));
  EXPECT_TENSOR_EQ(result, {0, 1, 2});
}

TEST_P(ReductionOp, TakesEmptyTensors) {
  EXPECT_EQ(run(iota({0, 3}), Axes{1}).shape(), (Shape{0}));
  EXPECT_EQ(run(iota({0, 3}), Axes{1}, true).shape(), (Shape{0, 1}));
  EXPECT_EQ(run(iota({3, 0, 2}), Axes{0}).shape(), (Shape{0, 2}));
  EXPECT_EQ(run(iota({0, 3}), Axes{0}).shape(), (Shape{3}));
}

TEST_P(ReductionOp, OfHugeAxesOfAnEmptyTensorDoesNotOverflow) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const Tensor x = Tensor::empty({0, kHuge, kHuge}, DType::kFloat32);
  EXPECT_EQ(run(x, Axes{1, 2}).shape(), (Shape{0}));
  EXPECT_EQ(run(x).rank(), 0);
}

TEST_P(ReductionOp, PropagatesNaNAndInfinity) {
  EXPECT_TENSOR_EQ(run(make_tensor({1, kNaN, 2}, {3})), (kNaN));
  EXPECT_TENSOR_EQ(run(make_tensor({1, kInf, 2}, {3})), (kInf));
  EXPECT_TENSOR_EQ(run(make_tensor({kInf, -kInf}, {2})), (kNaN));
  EXPECT_TENSOR_EQ(run(make_tensor({1, kNaN, 2, 4}, {2, 2}), Axes{1}), {kNaN, is_mean() ? 3.0 : 6.0});
}

TEST_P(ReductionOp, RefusesAxesOutOfRange) {
  const std::string name = GetParam().name;
  EXPECT_MT_ERROR(run(iota({2, 3}), Axes{2}), ErrorCode::kShape, name + ": axis 2");
  EXPECT_MT_ERROR(run(iota({2, 3}), Axes{-3}), ErrorCode::kShape, name + ": axis -3");
  EXPECT_MT_ERROR(run(iota({}), Axes{0}), ErrorCode::kShape, name + ": axis 0");
  EXPECT_MT_ERROR(run(iota({2}), Axes{std::numeric_limits<std::int64_t>::min()}), ErrorCode::kShape,
                  name + ": axis -9");
}

TEST_P(ReductionOp, RefusesAnAxisGivenTwice) {
  const std::string name = GetParam().name;
  EXPECT_MT_ERROR(run(iota({2, 3}), Axes{0, 0}), ErrorCode::kShape, name + ": axis 0");
  EXPECT_MT_ERROR(run(iota({2, 3}), Axes{1, -1}), ErrorCode::kShape, name + ": ");
  EXPECT_MT_ERROR(run(iota({2, 3}), Axes(100, 0)), ErrorCode::kShape, name + ": ");
}

TEST(Sum, OfNoElementsIsZero) {
  EXPECT_TENSOR_EQ(sum(iota({0})), (0));
  EXPECT_TENSOR_EQ(sum(iota({2, 0}), Axes{1}), {0, 0});
  EXPECT_TENSOR_EQ(sum(iota({2, 0}), Axes{1}, true), {{0}, {0}});
}

TEST(Sum, OfFloat32IsAccumulatedInFloat64AndRoundedOnce) {
  // 2^24 + 1 + 1: float32 has no 2^24 + 1.
  EXPECT_TENSOR_EQ(sum(make_tensor({16777216, 1, 1}, {3})), (16777218));
  EXPECT_TENSOR_EQ(sum(make_tensor({1e8, 1, -1e8}, {3})), (1));
  EXPECT_TENSOR_EQ(sum(make_tensor({3e38, 3e38, -3e38}, {3})), (3e38));
  EXPECT_TENSOR_EQ(sum(make_tensor({3e38, 3e38}, {2})), (kInf));
  const Tensor many = Tensor::full({1000000}, 0.1, DType::kFloat32);
  EXPECT_TENSOR_EQ(sum(many), (1e6 * static_cast<double>(0.1F)));
  const Tensor columns = sum(reshape(many, Axes{1000, 1000}), Axes{0});
  EXPECT_TRUE(tensors_equal(columns, Tensor::full({1000}, 1e3 * static_cast<double>(0.1F), DType::kFloat32)));
}

TEST(Sum, OfFloat64IsPairwise) {
  // Added one after the other, the error of this sum is about 1e-6. Pairwise in blocks of 64 it is below
  // (64 + log2(1e6 / 64)) 2^-53 1e5 = 8.7e-10; Higham 1993, equation 3.5.
  const Tensor many = Tensor::full({1000000}, 0.1, DType::kFloat64);
  EXPECT_NEAR(sum(many).item(), 1e5, 9e-10);
  EXPECT_NEAR(sum(with_gaps(many)).item(), 1e5, 9e-10);
  EXPECT_NEAR(sum(reshape(many, Axes{1000000, 1}), Axes{0}).item(), 1e5, 9e-10);
  EXPECT_NEAR(sum(reshape(many, Axes{1000, 1000})).item(), 1e5, 9e-10);
}

}  // namespace
}  // namespace minitensor
