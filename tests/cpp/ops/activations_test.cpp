#include "minitensor/ops/activations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "minitensor/autograd/tape.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

const char* const kNames[] = {"leakyRelu", "elu", "selu", "silu", "mish", "gelu", "softplus", "hardSwish", "sigmoid"};

class Activations : public testing::Test {
 protected:
  Activations() { register_builtin_ops(ops_); }

  [[nodiscard]] Tensor gradient(const char* op, std::vector<double> at, const NamedAttributes& attributes = {}) const {
    const auto count = static_cast<std::int64_t>(at.size());
    Tensor x = test::make_tensor(std::move(at), {count}, DType::kFloat64);
    set_requires_grad(x, true);
    const Tensor y = execute(ops_.get(op), {&x, 1}, attributes);
    backward(y, Tensor::full(y.shape(), 1, y.dtype()));
    return gradient_of(x);
  }

  [[nodiscard]] Tensor run(const char* op, const Tensor& x, const NamedAttributes& attributes = {}) const {
    return run_op(*ops_.get(op), {&x, 1}, attributes);
  }

  OpRegistry ops_;
};

TEST_F(Activations, HaveGradientsFarOut) {
  for (const char* op : {"elu", "silu", "mish", "gelu", "softplus", "hardSwish"}) {
    EXPECT_TENSOR_NEAR(gradient(op, {-kInf, -1e300, 1e300, kInf}), 1e-300, {0, 0, 1, 1}) << op;
  }
  EXPECT_TENSOR_EQ(gradient("gelu", {-kInf, -1e300, 1e300, kInf}, {{"approximate", std::string("tanh")}}),
                   {0, 0, 1, 1});
}

TEST_F(Activations, KeepNaN) {
  const Tensor nan = Tensor::full({1}, std::numeric_limits<double>::quiet_NaN(), DType::kFloat32);
  for (const char* op : kNames) EXPECT_TRUE(std::isnan(run(op, nan).to_vector()[0])) << op;
}

TEST_F(Activations, GoToTheirLimits) {
  const Tensor x = test::make_tensor({-kInf, kInf}, {2}, DType::kFloat32);
  for (const char* op : {"silu", "mish", "gelu", "hardSwish"}) EXPECT_TENSOR_EQ(run(op, x), {-0.0, kInf}) << op;
  EXPECT_TENSOR_EQ(run("softplus", x), {0, kInf});
  EXPECT_TENSOR_EQ(gelu(x, true), {-0.0, kInf});
  EXPECT_TENSOR_EQ(elu(x, 2), {-2, kInf});
}

TEST_F(Activations, GeluKnowsTwoForms) {
  const Tensor x = Tensor::zeros({1}, DType::kFloat32);
  EXPECT_MT_ERROR(run("gelu", x, {{"approximate", std::string("erf")}}), ErrorCode::kValue,
                  "gelu: approximate must be \"none\" or \"tanh\", not \"erf\"");
}

}  // namespace
}  // namespace minitensor
