#include "minitensor/tensor/shape.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <vector>

#include "support/expect_error.h"

namespace minitensor {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Dims, AreEmptyByDefault) {
  const Dims dims;
  EXPECT_EQ(dims.rank(), 0);
  EXPECT_EQ(dims.begin(), dims.end());
  EXPECT_EQ(dims, Dims{});
}

TEST(Dims, KeepValuesInOrder) {
  const Dims dims{2, -3, 0};
  EXPECT_EQ(dims.rank(), 3);
  EXPECT_EQ(dims[0], 2);
  EXPECT_EQ(dims[1], -3);
  EXPECT_EQ(dims[2], 0);
  EXPECT_EQ(std::vector<std::int64_t>(dims.begin(), dims.end()), (std::vector<std::int64_t>{2, -3, 0}));
  EXPECT_EQ(dims.span().size(), 3U);
  EXPECT_EQ(dims.data(), dims.begin());
}

TEST(Dims, AreMadeOfASpan) {
  const std::vector<std::int64_t> values{4, 5};
  EXPECT_EQ(Dims(std::span<const std::int64_t>(values)), (Dims{4, 5}));
}

TEST(Dims, HaveAtMostEightValues) {
  EXPECT_EQ((Dims{1, 2, 3, 4, 5, 6, 7, 8}).rank(), 8);
  EXPECT_MT_ERROR((Dims{1, 2, 3, 4, 5, 6, 7, 8, 9}), ErrorCode::kShape, "9");
  const std::vector<std::int64_t> many(100, 1);
  EXPECT_MT_ERROR(Dims(std::span<const std::int64_t>(many)), ErrorCode::kShape, "100");
}

TEST(Dims, AreFilledWithOneValue) {
  EXPECT_EQ(Dims::filled(3, 7), (Dims{7, 7, 7}));
  EXPECT_EQ(Dims::filled(0, 7), Dims{});
  EXPECT_EQ(Dims::filled(8, 1).rank(), 8);
  EXPECT_MT_ERROR(Dims::filled(9, 1), ErrorCode::kShape, "9");
  EXPECT_MT_ERROR(Dims::filled(-1, 1), ErrorCode::kShape, "-1");
}

TEST(Dims, GrowUpToEightValues) {
  Dims dims;
  for (std::int64_t i = 0; i < 8; ++i) dims.push_back(i);
  EXPECT_EQ(dims, (Dims{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_MT_ERROR(dims.push_back(8), ErrorCode::kShape, "9");
  EXPECT_EQ(dims.rank(), 8);
}

TEST(Dims, AreEqualWhenRankAndValuesAre) {
  EXPECT_EQ((Dims{1, 2}), (Dims{1, 2}));
  EXPECT_NE((Dims{1, 2}), (Dims{2, 1}));
  EXPECT_NE((Dims{1}), (Dims{1, 0}));
  EXPECT_NE(Dims{}, (Dims{0}));
}

TEST(Dims, AreShownInBrackets) {
  EXPECT_EQ(to_string(Dims{}), "[]");
  EXPECT_EQ(to_string(Dims{5}), "[5]");
  EXPECT_EQ(to_string(Dims{2, -1, 0}), "[2,-1,0]");
}

TEST(ElementCount, IsTheProductOfTheSizes) {
  EXPECT_EQ(element_count({}, "t"), 1);
  EXPECT_EQ(element_count({5}, "t"), 5);
  EXPECT_EQ(element_count({2, 3, 4}, "t"), 24);
  EXPECT_EQ(element_count({1, 1, 1, 1, 1, 1, 1, 1}, "t"), 1);
  EXPECT_EQ(element_count({2, 0, 4}, "t"), 0);
}

TEST(ElementCount, RefusesANegativeSizeAndNamesTheOperation) {
  EXPECT_MT_ERROR(element_count({2, -1}, "reshape"), ErrorCode::kShape, "reshape: ");
  EXPECT_MT_ERROR(element_count({2, -1}, "reshape"), ErrorCode::kShape, "[2,-1]");
  EXPECT_MT_ERROR(element_count({0, -1}, "t"), ErrorCode::kShape, "[0,-1]");
  EXPECT_MT_ERROR(element_count({kMin}, "t"), ErrorCode::kShape, "t: ");
  EXPECT_MT_ERROR(element_count({-1, -1}, "t"), ErrorCode::kShape, "t: ");
}

TEST(ElementCount, RefusesWhatTheAddressSpaceCannotHold) {
  const std::int64_t most = std::numeric_limits<std::ptrdiff_t>::max() / 8;
  EXPECT_EQ(element_count({most}, "t"), most);
  EXPECT_MT_ERROR(element_count({most + 1}, "zeros"), ErrorCode::kShape, "zeros: ");
  EXPECT_MT_ERROR(element_count({kMax}, "t"), ErrorCode::kShape, "t: ");
  // Products that wrap around to small numbers, or to 0.
  EXPECT_MT_ERROR(element_count({std::int64_t{1} << 32, std::int64_t{1} << 32}, "t"), ErrorCode::kShape, "t: ");
  EXPECT_MT_ERROR(element_count({(std::int64_t{1} << 32) + 1, std::int64_t{1} << 32}, "t"), ErrorCode::kShape, "t: ");
  EXPECT_MT_ERROR(element_count({kMax, kMax, kMax, kMax, kMax, kMax, kMax, kMax}, "t"), ErrorCode::kShape, "t: ");
  EXPECT_MT_ERROR(element_count({65536, 65536, 65536, 65536}, "t"), ErrorCode::kShape, "[65536,65536,65536,65536]");
}

TEST(ElementCount, OfAnEmptyShapeIsZeroWhateverItsOtherSizes) {
  EXPECT_EQ(element_count({0, kMax, kMax}, "t"), 0);
  EXPECT_EQ(element_count({kMax, kMax, 0}, "t"), 0);
}

TEST(RowMajorStrides, AreTheProductsOfTheSizesBehind) {
  EXPECT_EQ(row_major_strides({}), Strides{});
  EXPECT_EQ(row_major_strides({5}), (Strides{1}));
  EXPECT_EQ(row_major_strides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(row_major_strides({2, 1, 4}), (Strides{4, 4, 1}));
}

TEST(RowMajorStrides, OfEmptyShapesDoNotOverflow) {
  EXPECT_EQ(row_major_strides({0, kMax, kMax}).rank(), 3);
  EXPECT_EQ(row_major_strides({kMax, kMax, 0}).rank(), 3);
}

// The examples of NumPy's documentation on broadcasting.
TEST(BroadcastShapes, FollowNumPysRule) {
  EXPECT_EQ(broadcast_shapes({256, 256, 3}, {3}, "t"), (Shape{256, 256, 3}));
  EXPECT_EQ(broadcast_shapes({8, 1, 6, 1}, {7, 1, 5}, "t"), (Shape{8, 7, 6, 5}));
  EXPECT_EQ(broadcast_shapes({5, 4}, {1}, "t"), (Shape{5, 4}));
  EXPECT_EQ(broadcast_shapes({5, 4}, {4}, "t"), (Shape{5, 4}));
  EXPECT_EQ(broadcast_shapes({15, 3, 5}, {15, 1, 5}, "t"), (Shape{15, 3, 5}));
  EXPECT_EQ(broadcast_shapes({15, 3, 5}, {3, 1}, "t"), (Shape{15, 3, 5}));
}

TEST(BroadcastShapes, TreatZeroLikeAnyOtherSize) {
  EXPECT_EQ(broadcast_shapes({0}, {1}, "t"), (Shape{0}));
  EXPECT_EQ(broadcast_shapes({1}, {0}, "t"), (Shape{0}));
  EXPECT_EQ(broadcast_shapes({0, 3}, {1, 3}, "t"), (Shape{0, 3}));
  EXPECT_EQ(broadcast_shapes({}, {0}, "t"), (Shape{0}));
  EXPECT_MT_ERROR(broadcast_shapes({0}, {2}, "t"), ErrorCode::kShape, "[0]");
}

TEST(BroadcastShapes, GiveAZeroDimensionalShapeTheOthersShape) {
  EXPECT_EQ(broadcast_shapes({}, {}, "t"), Shape{});
  EXPECT_EQ(broadcast_shapes({}, {2, 3}, "t"), (Shape{2, 3}));
  EXPECT_EQ(broadcast_shapes({2, 3}, {}, "t"), (Shape{2, 3}));
}

TEST(BroadcastShapes, RefuseSizesThatDifferAndShowBothShapes) {
  EXPECT_MT_ERROR(broadcast_shapes({3}, {4}, "add"), ErrorCode::kShape, "add: ");
  EXPECT_MT_ERROR(broadcast_shapes({2, 1}, {8, 4, 3}, "t"), ErrorCode::kShape, "[2,1]");
  EXPECT_MT_ERROR(broadcast_shapes({2, 1}, {8, 4, 3}, "t"), ErrorCode::kShape, "[8,4,3]");
}

TEST(NormalizeAxis, CountsNegativeAxesFromTheEnd) {
  EXPECT_EQ(normalize_axis(0, 3, "t"), 0);
  EXPECT_EQ(normalize_axis(2, 3, "t"), 2);
  EXPECT_EQ(normalize_axis(-1, 3, "t"), 2);
  EXPECT_EQ(normalize_axis(-3, 3, "t"), 0);
}

TEST(NormalizeAxis, RefusesAnAxisOutOfRange) {
  for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, kMax, kMin, std::int64_t{1} << 32}) {
    EXPECT_MT_ERROR(normalize_axis(axis, 3, "sum"), ErrorCode::kShape, "sum: axis " + std::to_string(axis));
  }
  EXPECT_MT_ERROR(normalize_axis(0, 0, "t"), ErrorCode::kShape, "t: axis 0");
  EXPECT_MT_ERROR(normalize_axis(-1, 0, "t"), ErrorCode::kShape, "t: axis -1");
}

}  // namespace
}  // namespace minitensor
