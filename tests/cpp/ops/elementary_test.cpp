#include "minitensor/ops/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "minitensor/autograd/tape.h"
#include "minitensor/ops/arithmetic.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor row(std::vector<double> values, DType dtype = DType::kFloat64) {
  const auto count = static_cast<std::int64_t>(values.size());
  return test::make_tensor(std::move(values), {count}, dtype);
}

std::vector<Tensor> gradients(const char* op, std::vector<Tensor> inputs) {
  OpRegistry ops;
  register_builtin_ops(ops);
  for (Tensor& input : inputs) set_requires_grad(input, true);
  const Tensor output = execute(ops.get(op), inputs);
  backward(output, Tensor::full(output.shape(), 1, output.dtype()));
  for (Tensor& input : inputs) input = gradient_of(input);
  return inputs;
}

TEST(Elementary, TakesIntegersInFloat32) {
  EXPECT_TENSOR_EQ(sqrt(row({4, 9}, DType::kInt32)), {2, 3});
  EXPECT_EQ(sqrt(row({4}, DType::kBool)).dtype(), DType::kFloat32);
}

TEST(Elementary, IsExactForSmallArguments) {
  EXPECT_TENSOR_EQ(expm1(row({1e-30}, DType::kFloat32)), {1e-30F});
  EXPECT_TENSOR_EQ(log1p(row({-0.0, 1e-30}, DType::kFloat32)), {-0.0, 1e-30F});
}

TEST(ElementaryGradients, AreInfiniteWhereTheFunctionIsSteep) {
  EXPECT_TENSOR_EQ(gradients("sqrt", {row({0})})[0], {kInf});
  EXPECT_TENSOR_EQ(gradients("log", {row({0})})[0], {kInf});
}

// a^b at 0: the limits of b a^(b - 1), and of y log(a) from above.
TEST(PowGradients, AreFiniteWhereTheyHaveALimit) {
  const std::vector<Tensor> parts = gradients("pow", {row({0, 0, 0, 2}), row({2, 1, 0, 0})});
  EXPECT_TENSOR_EQ(parts[0], {0, 1, 0, 0});
  EXPECT_TENSOR_EQ(parts[1], {0, 0, 0, std::log(2.0)});
}

}  // namespace
}  // namespace minitensor
