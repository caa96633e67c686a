#include "minitensor/ops/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "minitensor/ops/arithmetic.h"
#include "ops/row.h"
#include "support/expect_tensor.h"

namespace minitensor {
namespace {

using test::gradients_of_sum;
using test::row;

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Elementary, TakesIntegersInFloat32) {
  EXPECT_TENSOR_EQ(sqrt(row({4, 9}, DType::kInt32)), {2, 3});
  EXPECT_EQ(sqrt(row({4}, DType::kBool)).dtype(), DType::kFloat32);
}

TEST(Elementary, IsExactForSmallArguments) {
  EXPECT_TENSOR_EQ(expm1(row({1e-30}, DType::kFloat32)), {1e-30F});
  EXPECT_TENSOR_EQ(log1p(row({-0.0, 1e-30}, DType::kFloat32)), {-0.0, 1e-30F});
}

TEST(ElementaryGradients, AreInfiniteWhereTheFunctionIsSteep) {
  EXPECT_TENSOR_EQ(gradients_of_sum("sqrt", {row({0})})[0], {kInf});
  EXPECT_TENSOR_EQ(gradients_of_sum("log", {row({0})})[0], {kInf});
}

// a^b at 0: the limits of b a^(b - 1), and of y log(a) from above.
TEST(PowGradients, AreFiniteWhereTheyHaveALimit) {
  const std::vector<Tensor> parts = gradients_of_sum("pow", {row({0, 0, 0, 2}), row({2, 1, 0, 0})});
  EXPECT_TENSOR_EQ(parts[0], {0, 1, 0, 0});
  EXPECT_TENSOR_EQ(parts[1], {0, 0, 0, std::log(2.0)});
}

}  // namespace
}  // namespace minitensor
