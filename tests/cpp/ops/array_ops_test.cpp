// What ops that arrange, join, repeat, index and sort promise beyond their values: views, errors, and bounds.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "minitensor/ops/index_ops.h"
#include "minitensor/ops/join_ops.h"
#include "minitensor/ops/pad_ops.h"
#include "minitensor/ops/sort_ops.h"
#include "minitensor/ops/view_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using test::make_tensor;
using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kHuge = std::int64_t{1} << 60;

Tensor indices(const std::vector<double>& values, const Shape& shape, DType dtype = DType::kInt64) {
  return make_tensor(values, shape, dtype);
}

TEST(ViewOps, ShareTheElements) {
  const Tensor x = iota({2, 3, 1});
  for (const Tensor& view : {flatten(x), squeeze(x), expand_dims(x, Integers{0}), permute_dims(x, Integers{2, 0, 1}),
                             move_axis(x, Integers{0}, Integers{1}), flip(x)}) {
    EXPECT_TRUE(view.shares_storage_with(x));
  }
  for (const Tensor& part : split(x, Integers{1, 1})) EXPECT_TRUE(part.shares_storage_with(x));
  EXPECT_FALSE(flatten(permute_dims(x, Integers{1, 0, 2})).shares_storage_with(x));
}

TEST(ViewOps, RefuseWrongAxes) {
  const Tensor x = iota({2, 3});
  EXPECT_MT_ERROR(flatten(x, 2), ErrorCode::kShape, "flatten: axis 2 is out of range for rank 2");
  EXPECT_MT_ERROR(flatten(x, 1, 0), ErrorCode::kShape, "flatten: startAxis 1 comes after endAxis 0 in shape [2,3]");
  EXPECT_MT_ERROR(squeeze(x, Integers{1}), ErrorCode::kShape, "squeeze: axis 1 of shape [2,3] has size 3, not 1");
  EXPECT_MT_ERROR(squeeze(x, Integers{2}), ErrorCode::kShape, "squeeze: axis 2");
  EXPECT_MT_ERROR(expand_dims(x, Integers{0, 0}), ErrorCode::kShape, "expandDims: axis 0 is given twice");
  EXPECT_MT_ERROR(expand_dims(x, Integers{3}), ErrorCode::kShape, "expandDims: axis 3 is out of range for rank 3");
  EXPECT_MT_ERROR(expand_dims(x, Integers{0, 1, 2, 3, 4, 5, 6}), ErrorCode::kShape, "8");
  EXPECT_MT_ERROR(expand_dims(x, Integers(1000, 0)), ErrorCode::kShape, "8");
  EXPECT_MT_ERROR(permute_dims(x, Integers{}), ErrorCode::kShape, "permuteDims: 0 axes given for shape [2,3]");
  EXPECT_MT_ERROR(permute_dims(x, Integers{0, 0}), ErrorCode::kShape, "permuteDims: axis 0 is given twice");
  EXPECT_MT_ERROR(move_axis(x, Integers{0}, Integers{0, 1}), ErrorCode::kShape, "1 axes of source for 2");
  EXPECT_MT_ERROR(move_axis(x, Integers{0}, Integers{-3}), ErrorCode::kShape, "moveAxis: axis -3");
  EXPECT_MT_ERROR(flip(x, Integers{0, -2}), ErrorCode::kShape, "flip: axis -2 is given twice");
}

TEST(ViewOps, TakeSizesThatAreNotOfElements) {
  const Tensor x = Tensor::zeros({kHuge, kHuge, 0}, DType::kFloat32);
  EXPECT_MT_ERROR(flatten(x, 0, 1), ErrorCode::kShape, "flatten");
  EXPECT_EQ(flatten(x).shape(), Shape{0});
  EXPECT_EQ(flip(x).shape(), x.shape());
}

TEST(JoinOps, RefuseShapesThatDoNotFit) {
  const std::vector<Tensor> differing{iota({2, 3}), iota({2, 4})};
  EXPECT_MT_ERROR(concat(differing), ErrorCode::kShape, "concat: shapes differ beside the axis: [2,3] and [2,4]");
  EXPECT_MT_ERROR(stack(differing), ErrorCode::kShape, "stack: shapes differ: [2,3] and [2,4]");
  const std::vector<Tensor> ranks{iota({2, 3}), iota({3})};
  EXPECT_MT_ERROR(concat(ranks), ErrorCode::kShape, "[2,3] and [3]");
  EXPECT_MT_ERROR(concat(ranks, 2), ErrorCode::kShape, "concat: axis 2 is out of range for rank 2");
  EXPECT_MT_ERROR(concat(std::vector<Tensor>{iota({})}), ErrorCode::kShape, "rank 0");
  EXPECT_MT_ERROR(concat({}), ErrorCode::kValue, "concat: takes one tensor or more");
  EXPECT_MT_ERROR(stack({}), ErrorCode::kValue, "stack: takes one tensor or more");
  EXPECT_MT_ERROR(stack(std::vector<Tensor>{iota({1, 1, 1, 1, 1, 1, 1, 1})}), ErrorCode::kShape, "8");
  const std::vector<Tensor> huge(16, Tensor::zeros({kHuge, 0}, DType::kFloat32));
  EXPECT_MT_ERROR(concat(huge), ErrorCode::kShape, "concat: sizes");
}

TEST(Split, RefusesSizesThatDoNotSumUp) {
  const Tensor x = iota({5});
  EXPECT_MT_ERROR(split(x, Integers{2, 2}), ErrorCode::kValue,
                  "split: the sizes add up to 4, axis 0 of shape [5] has size 5");
  EXPECT_MT_ERROR(split(x, Integers{2, 4}), ErrorCode::kValue,
                  "split: the sizes add up to 6, axis 0 of shape [5] has size 5");
  EXPECT_MT_ERROR(split(x, Integers{6, -1}), ErrorCode::kValue, "split: a size is negative: -1");
  EXPECT_MT_ERROR(split(x, Integers{}), ErrorCode::kValue, "add up to 0");
  EXPECT_MT_ERROR(split(x, Integers{std::numeric_limits<std::int64_t>::max(), 5}), ErrorCode::kShape, "split: sizes");
  EXPECT_MT_ERROR(split(iota({}), Integers{1}), ErrorCode::kShape, "split: axis 0");
}

TEST(PadOps, RefuseWhatHasNoMeaning) {
  const Tensor x = iota({2, 3});
  EXPECT_MT_ERROR(tile(x, Integers{-1}), ErrorCode::kValue, "tile: a number of repeats is negative: -1");
  EXPECT_MT_ERROR(tile(x, Integers(9, 1)), ErrorCode::kShape, "8");
  EXPECT_MT_ERROR(tile(x, Integers{kHuge, kHuge}), ErrorCode::kShape, "tile: ");
  EXPECT_MT_ERROR(roll(x, Integers{1, 2, 3}, Integers{0, 1}), ErrorCode::kShape, "roll: 3 shifts for 2 axes");
  EXPECT_MT_ERROR(roll(x, Integers{}, Integers{0, 1}), ErrorCode::kShape, "roll: 0 shifts for 2 axes");
  EXPECT_MT_ERROR(roll(x, Integers{1}, Integers{2}), ErrorCode::kShape, "roll: axis 2");
  const Integers one{1};
  EXPECT_MT_ERROR(pad(x, Integers{1, 2, 3}, one), ErrorCode::kShape, "pad: 3 values of before for shape [2,3]");
  EXPECT_MT_ERROR(pad(x, one, Integers{}), ErrorCode::kShape, "pad: 0 values of after");
  EXPECT_MT_ERROR(pad(x, one, Integers{-1}), ErrorCode::kValue, "pad: a width of after is negative: -1");
  EXPECT_MT_ERROR(pad(x, one, one, "mirror"), ErrorCode::kValue, "unknown mode \"mirror\"; known are: constant, edge");
  EXPECT_MT_ERROR(pad(x, Integers{std::numeric_limits<std::int64_t>::max()}, one), ErrorCode::kShape, "pad: sizes");
  EXPECT_MT_ERROR(pad(iota({0, 3}), one, one, "edge"), ErrorCode::kValue, "axis 0 of shape [0,3] has no elements");
  EXPECT_EQ(pad(iota({}), Integers{}, Integers{}).shape(), Shape{});
}

TEST(PadOps, TakeAnyShift) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();  // -2^63, which is 1 modulo 3
  EXPECT_TENSOR_EQ(roll(iota({3}), Integers{least}), {2, 0, 1});
  EXPECT_TENSOR_EQ(roll(iota({3}), Integers{least, least}, Integers{0, 0}), {1, 2, 0});
}

TEST(PadOps, AreCopies) {
  const Tensor x = iota({2, 3});
  const Integers none{0};
  for (const Tensor& copy : {tile(x, Integers{1}), roll(x, none), pad(x, none, none), pad(x, none, none, "wrap")}) {
    EXPECT_FALSE(copy.shares_storage_with(x));
    EXPECT_TRUE(test::tensors_equal(copy, x));
  }
}

TEST(IndexOps, NameAnIndexThatIsOutOfRange) {
  const Tensor x = iota({2, 3});
  EXPECT_MT_ERROR(take(x, indices({0, 3}, {2}), 1), ErrorCode::kValue,
                  "take: index 3 is out of range for axis 1 of size 3");
  EXPECT_MT_ERROR(take(x, indices({-7}, {1})), ErrorCode::kValue,
                  "take: index -7 is out of range for axis 0 of size 6");
  EXPECT_MT_ERROR(gather(x, indices({-3}, {1, 1})), ErrorCode::kValue,
                  "gather: index -3 is out of range for axis 0 of size 2");
  EXPECT_MT_ERROR(scatter_add(x, indices({3}, {1, 1}), iota({1, 1}), -1), ErrorCode::kValue,
                  "scatterAdd: index 3 is out of range for axis 1 of size 3");
  EXPECT_MT_ERROR(take(iota({0}), indices({0}, {1})), ErrorCode::kValue, "of size 0");
  EXPECT_MT_ERROR(take(x, indices({255}, {1}, DType::kUInt8)), ErrorCode::kValue, "index 255");
  const Tensor least = Tensor::full({1}, -0x1p63, DType::kInt64);
  EXPECT_MT_ERROR(take(x, least), ErrorCode::kValue, "index -9223372036854775808");
}

TEST(IndexOps, RefuseShapesThatDoNotFit) {
  const Tensor x = iota({2, 3});
  EXPECT_MT_ERROR(gather(x, indices({0}, {1})), ErrorCode::kShape, "x and indices differ in rank: [2,3] and [1]");
  EXPECT_MT_ERROR(gather(x, indices({0, 0}, {1, 2})), ErrorCode::kShape, "gather: shapes do not broadcast");
  EXPECT_MT_ERROR(gather(iota({}), indices({0}, {})), ErrorCode::kShape, "gather: axis 0 is out of range for rank 0");
  EXPECT_MT_ERROR(scatter_add(iota({2, 1}), indices({0, 0, 0}, {1, 3}), iota({1, 3})), ErrorCode::kShape,
                  "scatterAdd: indices and updates do not broadcast to x: [1,3] and [2,1]");
  EXPECT_MT_ERROR(scatter_add(x, indices({0, 0, 0}, {1, 3}), iota({1, 2})), ErrorCode::kShape, "[1,3] and [1,2]");
  EXPECT_MT_ERROR(where(indices({1, 0}, {2}, DType::kBool), x, x), ErrorCode::kShape, "where: shapes do not broadcast");
  EXPECT_MT_ERROR(nonzero(iota({})), ErrorCode::kShape, "nonzero: ");
}

TEST(IndexOps, TakeAxesThatAreBroadcast) {
  const Tensor x = iota({3, 1}).broadcast_to({3, 4});
  EXPECT_TENSOR_EQ(take(x, indices({2, 0}, {2}), 0), {{2, 2, 2, 2}, {0, 0, 0, 0}});
  EXPECT_TENSOR_EQ(take(flip(iota({4})), indices({0, 3}, {2}), 0), {3, 0});
  EXPECT_TENSOR_EQ(gather(flip(iota({2, 3})), indices({0, 1}, {1, 2}), 1), {{5, 4}, {2, 1}});
}

TEST(ScatterAdd, LeavesItsInputAsItWas) {
  const Tensor x = iota({3});
  EXPECT_TENSOR_EQ(scatter_add(x, indices({0, 0}, {2}), make_tensor({1, 2}, {2})), {3, 1, 2});
  EXPECT_TENSOR_EQ(x, {0, 1, 2});
}

TEST(ScatterAdd, WrapsIntegersAround) {
  const Tensor x = make_tensor({250}, {1}, DType::kUInt8);
  EXPECT_TENSOR_EQ(scatter_add(x, indices({0}, {1}), make_tensor({10}, {1}, DType::kUInt8)), {4});
}

TEST(SortOps, RefuseWhatIsNotThere) {
  const Tensor x = iota({2, 3});
  EXPECT_MT_ERROR(sort(x, 2), ErrorCode::kShape, "sort: axis 2 is out of range for rank 2");
  EXPECT_MT_ERROR(argsort(iota({}), 1), ErrorCode::kShape, "argsort: axis 1 is out of range for rank 1");
  EXPECT_MT_ERROR(topk(x, 4), ErrorCode::kValue, "topk: k is 4, axis 1 has size 3");
  EXPECT_MT_ERROR(topk(x, -1, 0), ErrorCode::kValue, "topk: k is -1, axis 0 has size 2");
}

// 3 is a generator modulo 2^16 + 1 = 65537: its powers are all numbers from 1 to 65536, in no order.
TEST(SortOps, SortLongRows) {
  constexpr std::int64_t kPrime = 65537;
  std::vector<double> values;
  for (std::int64_t power = 1, i = 1; i < kPrime; ++i) {
    power = power * 3 % kPrime;
    values.push_back(static_cast<double>(power - 32768));
  }
  std::vector<double> expected;
  for (int i = 1; i < kPrime; ++i) expected.push_back(i - 32768);
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kInt32, DType::kInt64}) {
    const Tensor x = make_tensor(values, {kPrime - 1}, dtype);
    EXPECT_EQ(sort(x).to_vector(), expected);
    EXPECT_EQ(take(x, argsort(x), 0).to_vector(), expected);
  }
}

TEST(Unique, OfNothingIsNothing) {
  const Unique found = unique(iota({0, 3}));
  EXPECT_EQ(found.values.shape(), Shape{0});
  EXPECT_EQ(found.indices.shape(), Shape{0});
  EXPECT_EQ(found.inverse.shape(), (Shape{0, 3}));
  EXPECT_EQ(found.counts.shape(), Shape{0});
}

}  // namespace
}  // namespace minitensor
