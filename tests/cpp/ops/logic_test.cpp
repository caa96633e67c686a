#include "minitensor/ops/logic.h"

#include <gtest/gtest.h>

#include "ops/row.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"

namespace minitensor {
namespace {

using test::row;

TEST(Comparisons, AreExactWhereFloat64WouldRound) {
  const Tensor a = Tensor::from<std::int64_t>({9007199254740993}, {1});
  const Tensor b = Tensor::from<std::int64_t>({9007199254740992}, {1});
  EXPECT_TENSOR_EQ(greater(a, b), {1});
  EXPECT_TENSOR_EQ(equal(a, b), {0});
}

TEST(Comparisons, PromoteWhatTheyCompare) {
  EXPECT_TENSOR_EQ(less(row({200}, DType::kUInt8), row({-1}, DType::kInt32)), {0});
  EXPECT_TENSOR_EQ(equal(row({1, 0}, DType::kBool), row({1, 0.5}, DType::kFloat32)), {1, 0});
}

TEST(Bitwise, OfBoolIsLogic) {
  const Tensor x = row({0, 1}, DType::kBool);
  EXPECT_TENSOR_EQ(bitwise_not(x), {1, 0});
  EXPECT_EQ(bitwise_not(x).dtype(), DType::kBool);
  EXPECT_TENSOR_EQ(bitwise_xor(x, row({1, 1}, DType::kBool)), {1, 0});
}

TEST(Bitwise, RefusesFractions) {
  const Tensor x = row({1}, DType::kFloat32);
  EXPECT_MT_ERROR(bitwise_and(x, x), ErrorCode::kDType, "bitwiseAnd: takes bool and integers, not float32");
  EXPECT_MT_ERROR(bitwise_not(x), ErrorCode::kDType, "bitwiseNot: takes bool and integers, not float32");
}

TEST(Shifts, LoseAllBitsByANegativeDistance) {
  for (const DType dtype : {DType::kInt32, DType::kInt64}) {
    EXPECT_TENSOR_EQ(left_shift(row({5, -5}, dtype), row({-1, -64}, dtype)), {0, 0});
    EXPECT_TENSOR_EQ(right_shift(row({5, -5}, dtype), row({-1, -64}, dtype)), {0, -1});
  }
}

TEST(Shifts, RefuseBoolAndFractions) {
  const Tensor truth = row({1}, DType::kBool);
  EXPECT_MT_ERROR(left_shift(truth, truth), ErrorCode::kDType, "leftShift: takes integers, not bool");
  const Tensor half = row({0.5}, DType::kFloat64);
  EXPECT_MT_ERROR(right_shift(half, half), ErrorCode::kDType, "rightShift: takes integers, not float64");
}

}  // namespace
}  // namespace minitensor
