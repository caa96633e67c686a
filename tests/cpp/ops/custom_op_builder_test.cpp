#include "minitensor/ops/custom_op_builder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "minitensor/ops/elementwise.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using Inputs = std::span<const Tensor>;

Tensor first(Inputs in, const Attributes&) { return in[0]; }

TEST(CustomOpBuilder, BuildsAnOpStepByStep) {
  CustomOpBuilder builder;
  builder.name("swish")
      .num_inputs(2)
      .summary("x sigmoid(x)")
      .attribute({"beta", AttributeType::kNumber, 1.0})
      .attribute({"axes", AttributeType::kIntegers, std::nullopt})
      .forward(first)
      .backward([](const BackwardArguments& arguments) { return std::vector<Tensor>(2, arguments.grad_output); })
      .validate([](Inputs, const Attributes&) {})
      .output_shape([](Inputs in, const Attributes&) { return in[0].shape(); })
      .output_dtype([](Inputs in, const Attributes&) { return in[0].dtype(); });
  const auto op = builder.build();
  EXPECT_EQ(op->name, "swish");
  EXPECT_EQ(op->inputs, (std::vector<std::string>{"x0", "x1"}));
  EXPECT_EQ(op->summary, "x sigmoid(x)");
  ASSERT_EQ(op->attributes.size(), 2U);
  EXPECT_EQ(op->attributes[0].name, "beta");
  EXPECT_EQ(op->attributes[1].name, "axes");
  EXPECT_TRUE(op->forward);
  EXPECT_TRUE(op->backward);
  EXPECT_TRUE(op->validate);
  EXPECT_TRUE(op->output_shape);
  EXPECT_TRUE(op->output_dtype);
}

TEST(CustomOpBuilder, NeedsNoMoreThanNameNumberOfInputsAndForward) {
  const auto op = CustomOpBuilder().name("first").num_inputs(1).forward(first).build();
  EXPECT_FALSE(op->backward);
  EXPECT_FALSE(op->validate);
  EXPECT_FALSE(op->output_shape);
  EXPECT_FALSE(op->output_dtype);
  const std::vector<Tensor> inputs{test::iota({2})};
  EXPECT_TENSOR_EQ(run_op(*op, inputs, {}), {0, 1});
}

TEST(CustomOpBuilder, TakesOpsWithoutInputs) {
  const auto zero = [](Inputs, const Attributes&) { return Tensor::zeros({}, DType::kFloat32); };
  const auto op = CustomOpBuilder().name("zero").num_inputs(0).forward(zero).build();
  EXPECT_TRUE(op->inputs.empty());
  EXPECT_EQ(run_op(*op, {}, {}).item(), 0);
}

TEST(CustomOpBuilder, NamesAllThatIsMissing) {
  EXPECT_MT_ERROR(CustomOpBuilder().build(), ErrorCode::kValue, "name");
  EXPECT_MT_ERROR(CustomOpBuilder().build(), ErrorCode::kValue, "num_inputs");
  EXPECT_MT_ERROR(CustomOpBuilder().build(), ErrorCode::kValue, "forward");
  EXPECT_MT_ERROR(CustomOpBuilder().name("swish").build(), ErrorCode::kValue, "\"swish\"");
  EXPECT_MT_ERROR(CustomOpBuilder().name("").num_inputs(1).forward(first).build(), ErrorCode::kValue, "name");
  EXPECT_MT_ERROR(CustomOpBuilder().name("x").num_inputs(1).forward(nullptr).build(), ErrorCode::kValue, "forward");
}

TEST(CustomOpBuilder, RefusesAttributesThatAreWrong) {
  CustomOpBuilder builder;
  builder.name("swish").num_inputs(1).forward(first).attribute({"beta", AttributeType::kNumber, true});
  EXPECT_MT_ERROR(builder.build(), ErrorCode::kValue, "\"beta\"");
  EXPECT_MT_ERROR(builder.build(), ErrorCode::kValue, "\"swish\"");
}

TEST(CustomOpBuilder, CanBeUsedAgain) {
  CustomOpBuilder builder;
  builder.name("a").num_inputs(1).forward(first);
  const auto a = builder.build();
  const auto b = builder.name("b").num_inputs(3).build();
  EXPECT_EQ(a->name, "a");
  EXPECT_EQ(a->inputs.size(), 1U);
  EXPECT_EQ(b->name, "b");
  EXPECT_EQ(b->inputs.size(), 3U);
  EXPECT_TRUE(b->forward);
}

}  // namespace
}  // namespace minitensor
