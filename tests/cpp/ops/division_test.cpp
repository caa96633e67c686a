#include <gtest/gtest.h>

#include <limits>

#include "minitensor/ops/arithmetic.h"
#include "ops/row.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"

namespace minitensor {
namespace {

using test::row;

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Division, OfIntegersByZeroIsZero) {
  for (const DType dtype : {DType::kInt32, DType::kInt64, DType::kUInt8}) {
    EXPECT_TENSOR_EQ(floor_divide(row({7, 0}, dtype), row({0, 0}, dtype)), {0, 0});
    EXPECT_TENSOR_EQ(remainder(row({7, 0}, dtype), row({0, 0}, dtype)), {0, 0});
  }
}

TEST(Division, OfTheSmallestIntegerByMinusOneWrapsAround) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  const Tensor minus_one = Tensor::from<std::int64_t>({-1}, {1});
  const Tensor least = Tensor::from<std::int64_t>({kLeast}, {1});
  EXPECT_EQ(floor_divide(least, minus_one).data<std::int64_t>()[0], kLeast);
  EXPECT_EQ(remainder(least, minus_one).data<std::int64_t>()[0], 0);
  EXPECT_TENSOR_EQ(floor_divide(row({-2147483648.0}, DType::kInt32), row({-1}, DType::kInt32)), {-2147483648.0});
}

TEST(Division, OfFloatsByZeroIsThatOfIEEE754) {
  EXPECT_TENSOR_EQ(floor_divide(row({1, -1}, DType::kFloat32), row({0, 0}, DType::kFloat32)), {kInf, -kInf});
}

TEST(Pow, RefusesNegativePowersOfIntegers) {
  const Tensor base = row({2, 1}, DType::kInt32);
  EXPECT_MT_ERROR(pow(base, row({1, -1}, DType::kInt32)), ErrorCode::kValue,
                  "pow: an integer to the power of -1 is no integer; cast one of them to float32 or float64 first");
  EXPECT_TENSOR_EQ(pow(base, row({-1}, DType::kFloat32)), {0.5, 1});
}

TEST(Pow, OfIntegersWrapsAround) {
  EXPECT_TENSOR_EQ(pow(row({3, 2, 0}, DType::kUInt8), row({6, 8, 0}, DType::kUInt8)), {217, 0, 1});
}

}  // namespace
}  // namespace minitensor
