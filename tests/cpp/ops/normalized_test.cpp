// What softmax and the normalizations promise beyond the fixtures (normalized).

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "minitensor/autograd/tape.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using test::make_tensor;

class Normalized : public testing::Test {
 protected:
  void SetUp() override { register_builtin_ops(ops_); }
  Tensor run(const char* op, const std::vector<Tensor>& inputs, const NamedAttributes& attributes = {}) const {
    return execute(ops_, op, inputs, attributes);
  }

  OpRegistry ops_;
};

TEST_F(Normalized, SoftmaxOfHugeNumbersDoesNotOverflow) {
  EXPECT_TENSOR_EQ(run("softmax", {make_tensor({3e38, 3e38, -3e38, 0}, {4})}), {0.5, 0.5, 0, 0});
  EXPECT_TENSOR_EQ(run("logSoftmax", {make_tensor({1e300, 0}, {2}, DType::kFloat64)}), {0, -1e300});
}

TEST_F(Normalized, RowsOfNothingButMinusInfinityHaveAProbabilityOfZeroAndNoGradient) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    const std::vector<double> values{-kInf, -kInf, 0, -kInf, 0, 0};
    EXPECT_TENSOR_EQ(run("softmax", {make_tensor(values, {3, 2}, dtype)}), {{0, 0}, {1, 0}, {0.5, 0.5}});
    EXPECT_TRUE(std::isnan(run("logSoftmax", {make_tensor(values, {3, 2}, dtype)}).to_vector()[0]));
    for (const char* op : {"softmax", "logSumExp"}) {
      Tensor x = make_tensor(values, {3, 2}, dtype);
      set_requires_grad(x, true);
      const Tensor y = run(op, {x}, {{"axis", -1.0}});
      backward(y, Tensor::full(y.shape(), 2, dtype));
      const std::vector<double> gradient = gradient_of(x).to_vector();
      EXPECT_EQ(gradient[0], 0) << op;
      EXPECT_EQ(gradient[1], 0) << op;
    }
  }
  Tensor x = make_tensor({-kInf, -1e300, -1e300, -kInf}, {4}, DType::kFloat64);
  set_requires_grad(x, true);
  backward(run("logSumExp", {x}), Tensor::full({}, 1, DType::kFloat64));
  EXPECT_TENSOR_NEAR(gradient_of(x), 1e-12, {0, 1, 1, 0});
}

TEST_F(Normalized, SoftmaxLeavesItsInputAsItIs) {
  const Tensor x = iota({2, 3});
  const std::vector<double> before = x.to_vector();
  for (const char* op : {"softmax", "logSoftmax"}) EXPECT_FALSE(run(op, {x}).shares_storage_with(x));
  EXPECT_EQ(x.to_vector(), before);
}

TEST_F(Normalized, RefuseAxesOutOfRange) {
  for (const char* op : {"softmax", "logSoftmax", "logSumExp", "layerNorm", "rmsNorm"}) {
    EXPECT_MT_ERROR(run(op, {iota({2, 3})}, {{"axis", 2.0}}), ErrorCode::kShape, std::string(op) + ": axis 2");
  }
}

TEST_F(Normalized, RefuseParametersOfAnotherShape) {
  EXPECT_MT_ERROR(run("layerNorm", {iota({2, 3}), iota({2})}), ErrorCode::kShape,
                  "layerNorm: the weight must have the shape [3], not [2]");
  EXPECT_MT_ERROR(run("layerNorm", {iota({2, 3}), iota({3}), iota({1})}), ErrorCode::kShape,
                  "layerNorm: the bias must have the shape [3], not [1]");
  EXPECT_MT_ERROR(run("rmsNorm", {iota({2, 3}), iota({3})}, {{"axis", 0.0}}), ErrorCode::kShape,
                  "rmsNorm: the weight must have the shape [2,3], not [3]");
}

TEST_F(Normalized, RefuseANegativeEps) {
  for (const std::string op : {"batchNorm", "layerNorm", "rmsNorm"}) {
    EXPECT_MT_ERROR(run(op.c_str(), {iota({2, 3})}, {{"eps", -0.25}}), ErrorCode::kValue,
                    op + ": eps must be 0 or more, not -0.25");
  }
}

TEST_F(Normalized, TakeABiasWithoutAWeight) {
  const Tensor x = make_tensor({1, 3}, {2});
  Tensor bias = make_tensor({10, 20}, {2});
  set_requires_grad(bias, true);
  const Tensor y = run("layerNorm", {x, Tensor(), bias}, {{"eps", 0.0}});
  EXPECT_TENSOR_EQ(y, {9, 21});
  backward(y, make_tensor({1, 2}, {2}));
  EXPECT_TENSOR_EQ(gradient_of(bias), {1, 2});
}

}  // namespace
}  // namespace minitensor
