#include "minitensor/tensor/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using test::make_tensor;
using test::pseudo_random;
using test::with_gaps;
using test::with_reversed_axes;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMostElements = std::numeric_limits<std::ptrdiff_t>::max() / 8;

class TensorOfDType : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(All, TensorOfDType, testing::Values(DType::kFloat32, DType::kFloat64),
                         [](const auto& test) { return std::string(dtype_name(test.param)); });

TEST_P(TensorOfDType, IsMadeOfZeros) {
  const Tensor x = Tensor::zeros({2, 3}, GetParam());
  EXPECT_EQ(x.dtype(), GetParam());
  EXPECT_EQ(x.size(), 6);
  EXPECT_EQ(x.rank(), 2);
  EXPECT_EQ(x.strides(), (Strides{3, 1}));
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_TENSOR_EQ(x, {{0, 0, 0}, {0, 0, 0}});
}

TEST_P(TensorOfDType, IsFilledWithOneValue) {
  EXPECT_TENSOR_EQ(Tensor::full({3}, 0.1, GetParam()), {0.1, 0.1, 0.1});
  EXPECT_TENSOR_EQ(Tensor::full({2}, kNaN, GetParam()), {kNaN, kNaN});
  EXPECT_TENSOR_EQ(Tensor::full({1}, -0.0, GetParam()), {-0.0});
  EXPECT_TENSOR_EQ(Tensor::full({}, -kInf, GetParam()), (-kInf));
  EXPECT_EQ(Tensor::full({0}, 1, GetParam()).size(), 0);
}

TEST_P(TensorOfDType, IsWritable) {
  Tensor x = Tensor::empty({2, 2}, GetParam());
  dispatch_dtype(GetParam(), [&]<typename T>(T) {
    for (std::int64_t i = 0; i < 4; ++i) x.data<T>()[i] = static_cast<T>(i);
  });
  EXPECT_TENSOR_EQ(x, {{0, 1}, {2, 3}});
  EXPECT_EQ(x.raw_data(), dispatch_dtype(GetParam(), [&]<typename T>(T) { return static_cast<void*>(x.data<T>()); }));
}

TEST_P(TensorOfDType, CanBeZeroDimensional) {
  const Tensor x = Tensor::full({}, 5, GetParam());
  EXPECT_EQ(x.rank(), 0);
  EXPECT_EQ(x.size(), 1);
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_EQ(x.item(), 5);
}

TEST_P(TensorOfDType, CanBeEmpty) {
  for (const Shape& shape : {Shape{0}, Shape{2, 0}, Shape{0, 3}, Shape{2, 0, 3}}) {
    const Tensor x = Tensor::zeros(shape, GetParam());
    EXPECT_EQ(x.size(), 0);
    EXPECT_TRUE(x.is_contiguous());
    EXPECT_EQ(x.to_vector(), std::vector<double>{});
    EXPECT_EQ(x.clone().shape(), shape);
  }
}

TEST_P(TensorOfDType, ClonesGivesAndCastsAnyStrides) {
  const Tensor x = pseudo_random({3, 4, 5}, GetParam());
  const DType other = GetParam() == DType::kFloat32 ? DType::kFloat64 : DType::kFloat32;
  for (const Tensor& y : {x, with_gaps(x), with_reversed_axes(x)}) {
    EXPECT_TRUE(test::tensors_equal(y, x));
    EXPECT_TRUE(test::tensors_equal(y.clone(), x));
    EXPECT_TRUE(y.clone().is_contiguous());
    EXPECT_FALSE(y.clone().shares_storage_with(y));
    EXPECT_TRUE(test::tensors_equal(y.contiguous(), x));
    EXPECT_TRUE(y.contiguous().is_contiguous());
    EXPECT_EQ(y.cast(other).dtype(), other);
    EXPECT_TRUE(y.cast(other).is_contiguous());
    EXPECT_EQ(y.cast(other).to_vector(), x.to_vector());
  }
}

TEST(Tensor, TakesValuesInRowMajorOrder) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(x.dtype(), DType::kFloat32);
  EXPECT_TENSOR_EQ(x, {{1, 2, 3}, {4, 5, 6}});
  const std::vector<double> values{0.1, 0.2};
  const Tensor y = Tensor::from(std::span<const double>(values), {2});
  EXPECT_EQ(y.dtype(), DType::kFloat64);
  EXPECT_EQ(y.to_vector(), values);
}

TEST(Tensor, RefusesValuesThatDoNotFillTheShape) {
  EXPECT_MT_ERROR(Tensor::from<float>({1, 2, 3}, {2, 2}), ErrorCode::kShape, "3 values");
  EXPECT_MT_ERROR(Tensor::from<float>({1, 2, 3}, {2, 2}), ErrorCode::kShape, "[2,2]");
  EXPECT_MT_ERROR(Tensor::from<double>({}, {}), ErrorCode::kShape, "0 values");
  EXPECT_MT_ERROR(Tensor::from<float>({1}, {0}), ErrorCode::kShape, "1 values");
}

TEST(Tensor, RefusesShapesThatAreNone) {
  EXPECT_MT_ERROR(Tensor::empty({-1}, DType::kFloat32), ErrorCode::kShape, "[-1]");
  EXPECT_MT_ERROR(Tensor::zeros({kMostElements + 1}, DType::kFloat32), ErrorCode::kShape,
                  "elements, the most that a tensor has here");
  EXPECT_MT_ERROR(Tensor::full({65536, 65536, 65536, 65536}, 1, DType::kFloat32), ErrorCode::kShape,
                  "elements, the most that a tensor has here");
}

TEST(Tensor, RefusesMoreBytesThanMemoryHas) {
  const auto before = Storage::live_bytes();
  EXPECT_MT_ERROR(Tensor::empty({kMostElements}, DType::kFloat64), ErrorCode::kMemory, "out of memory");
  EXPECT_MT_ERROR(Tensor::zeros({kMostElements}, DType::kFloat64), ErrorCode::kMemory, "out of memory");
  EXPECT_MT_ERROR(Tensor::full({kMostElements}, 1, DType::kFloat64), ErrorCode::kMemory, "out of memory");
  const Tensor wide = Tensor::zeros({1}, DType::kFloat64).broadcast_to({kMostElements});
  EXPECT_MT_ERROR(wide.clone(), ErrorCode::kMemory, "out of memory");
  EXPECT_EQ(Storage::live_bytes(), before + sizeof(double));
}

TEST(Tensor, GivesItsDataAsItsOwnTypeOnly) {
  Tensor x = Tensor::zeros({2}, DType::kFloat32);
  const Tensor& same = x;
  EXPECT_EQ(x.data<float>(), same.data<float>());
  EXPECT_MT_ERROR(x.data<double>(), ErrorCode::kDType, "float32, not float64");
  EXPECT_MT_ERROR(same.data<double>(), ErrorCode::kDType, "float32, not float64");
}

TEST(Tensor, CopiesShareElements) {
  Tensor x = Tensor::zeros({2}, DType::kFloat32);
  const Tensor copy = x;
  EXPECT_TRUE(copy.shares_storage_with(x));
  x.data<float>()[1] = 7;
  EXPECT_TENSOR_EQ(copy, {0, 7});
  EXPECT_FALSE(copy.clone().shares_storage_with(x));
}

TEST(Tensor, KeepsItsStorageAliveThroughViews) {
  const auto before = Storage::live_bytes();
  std::optional<Tensor> x = iota({100});
  const Tensor view = x->view({2}, {50});
  x.reset();
  EXPECT_EQ(Storage::live_bytes(), before + 400);
  EXPECT_TENSOR_EQ(view, {0, 50});
}

TEST(Tensor, ViewsAddUpOffsets) {
  const Tensor x = iota({4, 5});
  const Tensor rows = x.view({2, 5}, {5, 1}, 10);
  EXPECT_TENSOR_EQ(rows, {{10, 11, 12, 13, 14}, {15, 16, 17, 18, 19}});
  const Tensor inner = rows.view({2, 2}, {5, 2}, 1);
  EXPECT_TENSOR_EQ(inner, {{11, 13}, {16, 18}});
  EXPECT_TRUE(inner.shares_storage_with(x));
  EXPECT_FALSE(inner.is_contiguous());
}

TEST(Tensor, ViewsCanRunBackwards) {
  const Tensor x = iota({4});
  const Tensor reversed = x.view({4}, {-1}, 3);
  EXPECT_TENSOR_EQ(reversed, {3, 2, 1, 0});
  EXPECT_FALSE(reversed.is_contiguous());
  EXPECT_TENSOR_EQ(reversed.contiguous(), {3, 2, 1, 0});
}

TEST(Tensor, IsContiguousWhateverTheStridesOfAxesOfSizeOne) {
  const Tensor x = iota({4});
  EXPECT_TRUE(x.view({1, 4}, {99, 1}).is_contiguous());
  EXPECT_TRUE(x.view({4, 1}, {1, 0}).is_contiguous());
  EXPECT_FALSE(x.view({2, 2}, {1, 2}).is_contiguous());
  EXPECT_FALSE(x.view({4}, {0}).is_contiguous());
}

TEST(Tensor, IsContiguousWhenEmptyWhateverItsStrides) {
  const Tensor x = Tensor::zeros({0}, DType::kFloat32);
  EXPECT_TRUE(x.view({0, 3}, {1, 7}).is_contiguous());
  EXPECT_TRUE(x.view({3, 0, 5}, {1, 5, 5}).is_contiguous());
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  EXPECT_TRUE(Tensor::empty({0, kHuge, kHuge}, DType::kFloat32).is_contiguous());
  EXPECT_TRUE(Tensor::empty({kHuge, kHuge, 0, kHuge}, DType::kFloat64).is_contiguous());
}

TEST(Tensor, GivesItselfWhenNothingIsToBeDone) {
  const Tensor x = iota({2, 3});
  EXPECT_TRUE(x.contiguous().shares_storage_with(x));
  EXPECT_TRUE(x.cast(DType::kFloat32).shares_storage_with(x));
  EXPECT_TRUE(with_gaps(x).cast(DType::kFloat32).shape() == x.shape());
}

TEST(Tensor, CastRoundsToTheNearest) {
  const Tensor x = make_tensor({0.1, 1e300, -1e300, 1e-300, -0.0, kNaN, kInf, 16777217}, {8}, DType::kFloat64);
  const Tensor y = x.cast(DType::kFloat32);
  EXPECT_EQ(y.dtype(), DType::kFloat32);
  EXPECT_TENSOR_EQ(y, {static_cast<double>(0.1F), kInf, -kInf, 0, -0.0, kNaN, kInf, 16777216});
}

TEST(Tensor, CastToFloat64IsExact) {
  const Tensor y = make_tensor({0.1, -0.0, kNaN, -kInf, 1e-45}, {5}).cast(DType::kFloat64);
  const auto least = static_cast<double>(std::numeric_limits<float>::denorm_min());
  EXPECT_TENSOR_EQ(y, {static_cast<double>(0.1F), -0.0, kNaN, -kInf, least});
}

TEST(Tensor, BroadcastsAsAViewOfTheSameStorage) {
  const Tensor x = iota({3, 1});
  const Tensor y = x.broadcast_to({2, 3, 2});
  EXPECT_TRUE(y.shares_storage_with(x));
  EXPECT_EQ(y.strides(), (Strides{0, 1, 0}));
  EXPECT_TENSOR_EQ(y, {{{0, 0}, {1, 1}, {2, 2}}, {{0, 0}, {1, 1}, {2, 2}}});
  EXPECT_TENSOR_EQ(y.contiguous(), {{{0, 0}, {1, 1}, {2, 2}}, {{0, 0}, {1, 1}, {2, 2}}});
}

TEST(Tensor, BroadcastsZeroDimensionalAndEmptyTensors) {
  EXPECT_TENSOR_EQ(Tensor::full({}, 3, DType::kFloat32).broadcast_to({2, 2}), {{3, 3}, {3, 3}});
  EXPECT_EQ(Tensor::full({}, 3, DType::kFloat32).broadcast_to({0}).size(), 0);
  EXPECT_EQ(iota({1, 3}).broadcast_to({0, 3}).shape(), (Shape{0, 3}));
  EXPECT_EQ(iota({0, 1}).broadcast_to({0, 4}).shape(), (Shape{0, 4}));
  EXPECT_EQ(iota({2, 3}).broadcast_to({2, 3}).strides(), (Strides{3, 1}));
}

TEST(Tensor, RefusesToBroadcastToASmallerOrOtherShape) {
  EXPECT_MT_ERROR(iota({3}).broadcast_to({4}), ErrorCode::kShape, "broadcastTo: ");
  EXPECT_MT_ERROR(iota({3}).broadcast_to({1}), ErrorCode::kShape, "[3]");
  EXPECT_MT_ERROR(iota({2, 3}).broadcast_to({3}), ErrorCode::kShape, "[2,3]");
  EXPECT_MT_ERROR(iota({1, 3}).broadcast_to({3}), ErrorCode::kShape, "[1,3]");
  EXPECT_MT_ERROR(iota({1}).broadcast_to({}), ErrorCode::kShape, "[1]");
  EXPECT_MT_ERROR(iota({2}).broadcast_to({0}), ErrorCode::kShape, "[0]");
  EXPECT_MT_ERROR(iota({1}).broadcast_to({-1}), ErrorCode::kShape, "[-1]");
  EXPECT_MT_ERROR(iota({1}).broadcast_to({kMostElements + 1}), ErrorCode::kShape,
                  "elements, the most that a tensor has here");
}

TEST(Tensor, AssignWritesThroughViews) {
  Tensor x = iota({2, 3});
  Tensor backwards = x.view({3, 2}, {-1, 3}, 2);  // the columns, from the last to the first
  backwards.assign(make_tensor({1, 2, 3, 4, 5, 6}, {3, 2}, DType::kInt64));
  EXPECT_TENSOR_EQ(x, {{5, 3, 1}, {6, 4, 2}});
  // Source and target overlap.
  x.view({2}, {1}, 1).assign(x.view({2}, {1}, 0));
  EXPECT_TENSOR_EQ(x, {{5, 5, 3}, {6, 4, 2}});
}

TEST(Tensor, RefusesToAssignToOtherShapesAndWhatIsBroadcast) {
  Tensor x = iota({2, 1});
  EXPECT_MT_ERROR(x.assign(iota({2})), ErrorCode::kShape, "assign: the shape is [2,1], that of the source [2]");
  Tensor repeated = x.broadcast_to({2, 3});
  EXPECT_MT_ERROR(repeated.assign(iota({2, 3})), ErrorCode::kValue, "assign: axis 1 of shape [2,3] repeats");
  EXPECT_TENSOR_EQ(x, {{0}, {1}});
  Tensor nothing = x.broadcast_to({0, 2, 3});
  nothing.assign(iota({0, 2, 3}));
  Tensor once = x.broadcast_to({1, 2, 1});
  once.assign(make_tensor({7, 8}, {1, 2, 1}));
  EXPECT_TENSOR_EQ(x, {{7}, {8}});
}

TEST(Tensor, ItemIsTheOneElement) {
  EXPECT_EQ(make_tensor({2.5}, {1, 1, 1}).item(), 2.5);
  EXPECT_EQ(iota({4}).view({}, {}, 3).item(), 3);
  EXPECT_EQ(make_tensor({0.1}, {}, DType::kFloat64).item(), 0.1);
  EXPECT_MT_ERROR(iota({2}).item(), ErrorCode::kShape, "[2]");
  EXPECT_MT_ERROR(iota({0}).item(), ErrorCode::kShape, "[0]");
}

}  // namespace
}  // namespace minitensor
