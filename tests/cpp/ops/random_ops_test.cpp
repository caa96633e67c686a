#include "minitensor/ops/random_ops.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "minitensor/ops/builtin_ops.h"
#include "minitensor/ops/op_registry.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"

namespace minitensor {
namespace {

TEST(DefaultGenerator, GoesOnFromCallToCall) {
  default_generator() = {7};
  const Tensor first = rand({4}, DType::kFloat64);
  const Tensor second = rand({4}, DType::kFloat64);
  EXPECT_FALSE(test::tensors_equal(first, second));
  default_generator() = {7};
  EXPECT_TRUE(test::tensors_equal(rand({4}, DType::kFloat64), first));
  EXPECT_TRUE(test::tensors_equal(rand({4}, DType::kFloat64), second));
}

TEST(DefaultGenerator, IsNotTouchedByACallWithASeed) {
  OpRegistry ops;
  register_builtin_ops(ops);
  default_generator() = {7};
  const std::vector<std::int64_t> shape{3};
  run_op(*ops.get("rand"), {}, {{"shape", shape}, {"seed", 1.0}});
  EXPECT_EQ(default_generator().counter, 0U);
  run_op(*ops.get("rand"), {}, {{"shape", shape}});
  EXPECT_EQ(default_generator().counter, 1U);
}

TEST(RandomOps, RefuseOtherDTypes) {
  EXPECT_MT_ERROR(rand({2}, DType::kInt32), ErrorCode::kDType, "rand: gives float32 or float64, not int32");
  EXPECT_MT_ERROR(randn({2}, DType::kBool), ErrorCode::kDType, "randn: gives float32 or float64, not bool");
  EXPECT_MT_ERROR(randint(0, 2, {2}, DType::kFloat32), ErrorCode::kDType, "randint: ");
  EXPECT_MT_ERROR(permutation(2, DType::kBool), ErrorCode::kDType, "permutation: ");
}

TEST(RandomOps, RefuseNegativeSizes) {
  EXPECT_MT_ERROR(rand({-1}, DType::kFloat32), ErrorCode::kShape, "rand: ");
  EXPECT_MT_ERROR(randint(0, 2, {-1}), ErrorCode::kShape, "randint: ");
  EXPECT_MT_ERROR(permutation(-1), ErrorCode::kValue, "permutation: ");
}

TEST(Randint, RefusesAnIntervalThatTheDTypeDoesNotHold) {
  EXPECT_MT_ERROR(randint(2, 2, {1}), ErrorCode::kValue, "randint: int64 has no integers from 2 up to");
  EXPECT_MT_ERROR(randint(0, 257, {1}, DType::kUInt8), ErrorCode::kValue, "randint: uint8");
  EXPECT_MT_ERROR(randint(-1, 5, {1}, DType::kUInt8), ErrorCode::kValue, "randint: uint8");
  const std::vector<double> values = randint(0, 256, {1000}, DType::kUInt8).to_vector();
  EXPECT_LT(*std::min_element(values.begin(), values.end()), 20);
  EXPECT_GT(*std::max_element(values.begin(), values.end()), 235);
}

TEST(Permutation, RefusesMoreThanTheDTypeCounts) {
  EXPECT_EQ(permutation(256, DType::kUInt8).size(), 256);
  EXPECT_MT_ERROR(permutation(257, DType::kUInt8), ErrorCode::kValue, "permutation: uint8 does not number 257 things");
}

}  // namespace
}  // namespace minitensor
