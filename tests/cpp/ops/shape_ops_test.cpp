#include "minitensor/ops/shape_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using test::pseudo_random;
using test::with_gaps;
using test::with_reversed_axes;
using Axes = std::vector<std::int64_t>;

TEST(Reshape, KeepsTheElementsInRowMajorOrder) {
  EXPECT_TENSOR_EQ(reshape(iota({6}), Axes{2, 3}), {{0, 1, 2}, {3, 4, 5}});
  EXPECT_TENSOR_EQ(reshape(iota({2, 3}), Axes{3, 2}), {{0, 1}, {2, 3}, {4, 5}});
  EXPECT_TENSOR_EQ(reshape(iota({2, 3}), Axes{6}), {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(reshape(iota({6}, DType::kFloat64), Axes{2, 3}).dtype(), DType::kFloat64);
}

TEST(Reshape, OfRowMajorElementsIsAView) {
  const Tensor x = iota({2, 3, 4});
  for (const Axes& shape : {Axes{24}, Axes{4, 6}, Axes{2, 3, 4}, Axes{1, 24, 1}, Axes{2, 2, 2, 3}, Axes{3, -1}}) {
    const Tensor y = reshape(x, shape);
    EXPECT_TRUE(y.shares_storage_with(x));
    EXPECT_TRUE(y.is_contiguous());
    EXPECT_EQ(y.to_vector(), x.to_vector());
  }
}

TEST(Reshape, InfersOneSizeFromTheOthers) {
  EXPECT_EQ(reshape(iota({2, 6}), Axes{-1}).shape(), (Shape{12}));
  EXPECT_EQ(reshape(iota({2, 6}), Axes{3, -1}).shape(), (Shape{3, 4}));
  EXPECT_EQ(reshape(iota({2, 6}), Axes{-1, 12}).shape(), (Shape{1, 12}));
  EXPECT_EQ(reshape(iota({2, 6}), Axes{2, -1, 3}).shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(reshape(iota({}), Axes{-1}).shape(), (Shape{1}));
  EXPECT_EQ(reshape(iota({0, 3}), Axes{-1}).shape(), (Shape{0}));
  EXPECT_EQ(reshape(iota({0, 3}), Axes{-1, 5}).shape(), (Shape{0, 5}));
}

TEST(Reshape, TakesZeroDimensionalShapes) {
  EXPECT_TENSOR_EQ(reshape(iota({}), Axes{}), (0));
  EXPECT_TENSOR_EQ(reshape(iota({}), Axes{1, 1}), {{0}});
  EXPECT_TENSOR_EQ(reshape(iota({1, 1, 1}), Axes{}), (0));
}

TEST(Reshape, TakesEmptyTensors) {
  EXPECT_EQ(reshape(iota({0}), Axes{0, 7}).shape(), (Shape{0, 7}));
  EXPECT_EQ(reshape(iota({2, 0, 3}), Axes{0}).shape(), (Shape{0}));
  EXPECT_TRUE(reshape(with_reversed_axes(iota({2, 0, 3})), Axes{0}).is_contiguous());
}

TEST(Reshape, RefusesAnotherNumberOfElements) {
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{4}), ErrorCode::kShape, "reshape: ");
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{4}), ErrorCode::kShape, "[2,3] to [4]");
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{}), ErrorCode::kShape, "[2,3] to []");
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{0}), ErrorCode::kShape, "[2,3] to [0]");
  EXPECT_MT_ERROR(reshape(iota({0}), Axes{1}), ErrorCode::kShape, "[0] to [1]");
  EXPECT_MT_ERROR(reshape(iota({}), Axes{2}), ErrorCode::kShape, "[] to [2]");
}

TEST(Reshape, RefusesSizesThatDoNotDivide) {
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{4, -1}), ErrorCode::kShape, "[2,3] to [4,-1]");
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{-1, 7}), ErrorCode::kShape, "[2,3] to [-1,7]");
}

TEST(Reshape, RefusesMoreThanOneUnknownSize) {
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{-1, -1}), ErrorCode::kShape, "only one size may be -1");
}

TEST(Reshape, RefusesAnUnknownSizeBesideZero) {
  // Any size would do.
  EXPECT_MT_ERROR(reshape(iota({0, 3}), Axes{0, -1}), ErrorCode::kShape, "[0,3] to [0,-1]");
  EXPECT_MT_ERROR(reshape(iota({6}), Axes{0, -1}), ErrorCode::kShape, "[6] to [0,-1]");
}

TEST(Reshape, RefusesNegativeSizes) {
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{-2, -3}), ErrorCode::kShape, "negative");
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{std::numeric_limits<std::int64_t>::min()}), ErrorCode::kShape, "negative");
}

TEST(Reshape, RefusesHugeSizesAndTooManyOfThem) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kHuge = std::int64_t{1} << 32;
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{kMax, kMax}), ErrorCode::kShape, "reshape: ");
  EXPECT_MT_ERROR(reshape(iota({2, 3}), Axes{kHuge, kHuge, -1}), ErrorCode::kShape, "reshape: ");
  EXPECT_MT_ERROR(reshape(iota({1}), Axes{kHuge, kHuge}), ErrorCode::kShape, "reshape: ");
  EXPECT_MT_ERROR(reshape(iota({1}), Axes{1, 1, 1, 1, 1, 1, 1, 1, 1}), ErrorCode::kShape, "9");
}

TEST(Reshape, IsAViewWhereStridesAllow) {
  const Tensor x = with_gaps(iota({2, 3, 4}));  // strides 24, 8, 2
  for (const Axes& shape :
       {Axes{24}, Axes{6, 4}, Axes{2, 12}, Axes{2, 3, 2, 2}, Axes{1, 24}, Axes{24, 1}, Axes{2, 1, 3, 1, 4}}) {
    const Tensor y = reshape(x, shape);
    EXPECT_TRUE(y.shares_storage_with(x)) << to_string(y.shape());
    EXPECT_EQ(y.to_vector(), x.to_vector());
  }
}

TEST(Reshape, CopiesWhereStridesDoNotAllow) {
  const Tensor x = transpose(iota({2, 3}));
  const Tensor y = reshape(x, Axes{6});
  EXPECT_FALSE(y.shares_storage_with(x));
  EXPECT_TRUE(y.is_contiguous());
  EXPECT_TENSOR_EQ(y, {0, 3, 1, 4, 2, 5});
}

TEST(Reshape, SplitsAndJoinsAxesOfATransposedTensorInPlace) {
  const Tensor x = transpose(iota({4, 6}));  // [6,4], strides 1, 6
  const Tensor split = reshape(x, Axes{2, 3, 2, 2});
  EXPECT_TRUE(split.shares_storage_with(x));
  EXPECT_EQ(split.strides(), (Strides{3, 1, 12, 6}));
  EXPECT_EQ(split.to_vector(), x.to_vector());
  const Tensor joined = reshape(split, Axes{6, 4});
  EXPECT_TRUE(joined.shares_storage_with(x));
  EXPECT_EQ(joined.strides(), (Strides{1, 6}));
  EXPECT_FALSE(reshape(x, Axes{4, 6}).shares_storage_with(x));
}

TEST(Reshape, OfABroadcastTensorRepeatsElements) {
  const Tensor x = iota({3, 1}).broadcast_to({3, 4});
  EXPECT_TENSOR_EQ(reshape(x, Axes{2, 6}), {{0, 0, 0, 0, 1, 1}, {1, 1, 2, 2, 2, 2}});
  const Tensor scalar = iota({}).broadcast_to({3, 4});
  EXPECT_TRUE(reshape(scalar, Axes{12}).shares_storage_with(scalar));
  EXPECT_EQ(reshape(scalar, Axes{12}).to_vector(), std::vector<double>(12, 0.0));
}

// All ways to write the 24 elements under another shape, from all orders of axes.
TEST(Reshape, GivesTheSameElementsFromAnyStridesToAnyShape) {
  std::vector<Axes> shapes{{}};
  for (int round = 0; round < 4; ++round) {
    const std::vector<Axes> shorter = shapes;
    for (const Axes& shape : shorter) {
      if (shape.size() != static_cast<std::size_t>(round)) continue;
      for (const std::int64_t size : {1, 2, 3, 4, 6, 8, 12, 24}) {
        Axes longer = shape;
        longer.push_back(size);
        shapes.push_back(longer);
      }
    }
  }
  const Tensor base = pseudo_random({2, 3, 1, 4});
  Axes order{0, 1, 2, 3};
  do {
    const Tensor x = transpose(base, order);
    const std::vector<double> elements = x.to_vector();
    for (const Axes& shape : shapes) {
      std::int64_t count = 1;
      for (const std::int64_t size : shape) count *= size;
      if (count != 24) continue;
      const Tensor y = reshape(x, shape);
      ASSERT_EQ(y.shape(), Shape(std::span<const std::int64_t>(shape)));
      ASSERT_EQ(y.to_vector(), elements) << to_string(x.strides()) << " to " << to_string(y.shape());
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Transpose, ReversesTheAxesWhenNoneAreGiven) {
  const Tensor x = iota({2, 3});
  EXPECT_TENSOR_EQ(transpose(x), {{0, 3}, {1, 4}, {2, 5}});
  EXPECT_EQ(transpose(iota({2, 3, 4})).shape(), (Shape{4, 3, 2}));
  EXPECT_TENSOR_EQ(transpose(iota({3})), {0, 1, 2});
  EXPECT_TENSOR_EQ(transpose(iota({})), (0));
}

TEST(Transpose, IsAView) {
  const Tensor x = iota({2, 3});
  const Tensor y = transpose(x);
  EXPECT_TRUE(y.shares_storage_with(x));
  EXPECT_EQ(y.strides(), (Strides{1, 3}));
  EXPECT_FALSE(y.is_contiguous());
}

// From NumPy: numpy.arange(24.).reshape(2, 3, 4).transpose(2, 0, 1)
TEST(Transpose, PutsTheAxesInTheGivenOrder) {
  EXPECT_TENSOR_EQ(
      transpose(iota({2, 3, 4}), Axes{2, 0, 1}),
      {{{0, 4, 8}, {12, 16, 20}}, {{1, 5, 9}, {13, 17, 21}}, {{2, 6, 10}, {14, 18, 22}}, {{3, 7, 11}, {15, 19, 23}}});
}

TEST(Transpose, CountsNegativeAxesFromTheEnd) {
  EXPECT_TRUE(
      test::tensors_equal(transpose(iota({2, 3, 4}), Axes{-1, 0, -2}), transpose(iota({2, 3, 4}), Axes{2, 0, 1})));
}

TEST(Transpose, TakesEmptyTensors) {
  EXPECT_EQ(transpose(iota({0, 3})).shape(), (Shape{3, 0}));
  EXPECT_EQ(transpose(iota({2, 0, 3}), Axes{1, 2, 0}).shape(), (Shape{0, 3, 2}));
}

TEST(Transpose, TwiceGivesTheSameTensor) {
  const Tensor x = pseudo_random({2, 3, 4}, DType::kFloat64);
  EXPECT_TRUE(test::tensors_equal(transpose(transpose(x)), x));
  EXPECT_EQ(transpose(transpose(x)).strides(), x.strides());
}

TEST(Transpose, RefusesAxesThatAreNoPermutation) {
  EXPECT_MT_ERROR(transpose(iota({2, 3}), Axes{0}), ErrorCode::kShape, "transpose: ");
  EXPECT_MT_ERROR(transpose(iota({2, 3}), Axes{0, 1, 2}), ErrorCode::kShape, "transpose: ");
  EXPECT_MT_ERROR(transpose(iota({2, 3}), Axes{0, 0}), ErrorCode::kShape, "transpose: ");
  EXPECT_MT_ERROR(transpose(iota({2, 3}), Axes{1, -1}), ErrorCode::kShape, "transpose: ");
  EXPECT_MT_ERROR(transpose(iota({2, 3}), Axes{0, 2}), ErrorCode::kShape, "transpose: axis 2");
  EXPECT_MT_ERROR(transpose(iota({2, 3}), Axes{0, -3}), ErrorCode::kShape, "transpose: axis -3");
  EXPECT_MT_ERROR(transpose(iota({}), Axes{0}), ErrorCode::kShape, "transpose: ");
}

}  // namespace
}  // namespace minitensor
