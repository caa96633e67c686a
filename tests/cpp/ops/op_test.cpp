#include "minitensor/ops/op.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "minitensor/ops/elementwise.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using Inputs = std::span<const Tensor>;

// scale(x, factor = 2) = factor x
Op scale() {
  Op op;
  op.name = "scale";
  op.inputs = {"x"};
  op.attributes = {{"factor", AttributeType::kNumber, 2.0}};
  op.forward = [](Inputs in, const Attributes& at) {
    return mul(in[0], Tensor::full({}, at.number(0), in[0].dtype()));
  };
  op.backward = [](const BackwardArguments& arguments) {
    const Tensor factor = Tensor::full({}, arguments.attributes.number(0), arguments.inputs[0].dtype());
    return std::vector<Tensor>{mul(arguments.grad_output, factor)};
  };
  return op;
}

std::vector<Tensor> one(const Tensor& x) { return {x}; }

TEST(RunOp, ComputesWithTheAttributesGiven) {
  EXPECT_TENSOR_EQ(run_op(scale(), one(iota({3})), {}), {0, 2, 4});
  EXPECT_TENSOR_EQ(run_op(scale(), one(iota({3})), {{"factor", -1.0}}), {-0.0, -1, -2});
}

TEST(RunOp, RefusesAnotherNumberOfInputs) {
  const Op op = scale();
  EXPECT_MT_ERROR(run_op(op, {}, {}), ErrorCode::kValue, "scale: ");
  EXPECT_MT_ERROR(run_op(op, {}, {}), ErrorCode::kValue, "0");
  const std::vector<Tensor> three(3, iota({1}));
  EXPECT_MT_ERROR(run_op(op, three, {}), ErrorCode::kValue, "1 input, got 3");
}

TEST(RunOp, TakesNoInputsWhereNoneAreDeclared) {
  Op op;
  op.name = "seven";
  op.forward = [](Inputs, const Attributes&) { return Tensor::full({}, 7, DType::kFloat64); };
  EXPECT_EQ(run_op(op, {}, {}).item(), 7);
  EXPECT_MT_ERROR(run_op(op, one(iota({1})), {}), ErrorCode::kValue, "0 inputs, got 1");
}

TEST(RunOp, RefusesAttributesThatDoNotFit) {
  EXPECT_MT_ERROR(run_op(scale(), one(iota({1})), {{"factr", 1.0}}), ErrorCode::kValue, "scale: ");
  EXPECT_MT_ERROR(run_op(scale(), one(iota({1})), {{"factr", 1.0}}), ErrorCode::kValue, "\"factr\"");
  EXPECT_MT_ERROR(run_op(scale(), one(iota({1})), {{"factor", true}}), ErrorCode::kValue, "\"factor\"");
}

// The order in which an op's functions are called, by what is recorded when one of them throws.
TEST(RunOp, ChecksCountThenAttributesThenValidatesThenComputes) {
  std::string calls;
  Op op = scale();
  op.validate = [&](Inputs, const Attributes&) { calls += 'v'; };
  op.forward = [&](Inputs in, const Attributes&) {
    calls += 'f';
    return in[0];
  };
  EXPECT_MT_ERROR(run_op(op, {}, {{"unknown", 1.0}}), ErrorCode::kValue, "input");
  EXPECT_EQ(calls, "");
  EXPECT_MT_ERROR(run_op(op, one(iota({1})), {{"unknown", 1.0}}), ErrorCode::kValue, "unknown");
  EXPECT_EQ(calls, "");
  run_op(op, one(iota({1})), {});
  EXPECT_EQ(calls, "vf");
  op.validate = [&](Inputs, const Attributes&) { throw Error(ErrorCode::kDType, "float64 only"); };
  EXPECT_MT_ERROR(run_op(op, one(iota({1})), {}), ErrorCode::kDType, "float64 only");
  EXPECT_EQ(calls, "vf");
}

TEST(RunOp, GivesTheAttributesToEveryFunction) {
  int seen = 0;
  Op op = scale();
  const auto see = [&](const Attributes& at) { seen += at.number(0) == 5.0 ? 1 : 100; };
  op.validate = [&](Inputs, const Attributes& at) { see(at); };
  op.output_shape = [&](Inputs in, const Attributes& at) {
    see(at);
    return in[0].shape();
  };
  op.output_dtype = [&](Inputs in, const Attributes& at) {
    see(at);
    return in[0].dtype();
  };
  EXPECT_TENSOR_EQ(run_op(op, one(iota({2})), {{"factor", 5.0}}), {0, 5});
  EXPECT_EQ(seen, 3);
}

TEST(RunOp, RefusesAResultOfAnotherShapeThanPromised) {
  Op op = scale();
  op.output_shape = [](Inputs, const Attributes&) { return Shape{1, 2}; };
  EXPECT_MT_ERROR(run_op(op, one(iota({3})), {}), ErrorCode::kShape, "\"scale\"");
  EXPECT_MT_ERROR(run_op(op, one(iota({3})), {}), ErrorCode::kShape, "[1,2]");
  EXPECT_MT_ERROR(run_op(op, one(iota({3})), {}), ErrorCode::kShape, "[3]");
  EXPECT_TENSOR_EQ(run_op(op, one(iota({1, 2})), {}), {{0, 2}});
}

TEST(RunOp, RefusesAResultOfAnotherDTypeThanPromised) {
  Op op = scale();
  op.output_dtype = [](Inputs, const Attributes&) { return DType::kFloat64; };
  EXPECT_MT_ERROR(run_op(op, one(iota({3})), {}), ErrorCode::kDType, "\"scale\"");
  EXPECT_MT_ERROR(run_op(op, one(iota({3})), {}), ErrorCode::kDType, "float64");
  EXPECT_MT_ERROR(run_op(op, one(iota({3})), {}), ErrorCode::kDType, "float32");
  EXPECT_TENSOR_EQ(run_op(op, one(iota({2}, DType::kFloat64)), {}), {0, 2});
}

TEST(RunOp, PassesOnWhateverTheOpThrows) {
  Op op = scale();
  op.forward = [](Inputs, const Attributes&) -> Tensor { throw std::runtime_error("mine"); };
  EXPECT_THROW(run_op(op, one(iota({1})), {}), std::runtime_error);
  op = scale();
  op.output_shape = [](Inputs, const Attributes&) -> Shape { throw Error(ErrorCode::kCallback, "theirs"); };
  EXPECT_MT_ERROR(run_op(op, one(iota({1})), {}), ErrorCode::kCallback, "theirs");
}

TEST(RunOp, MayGiveItsInputBack) {
  Op op = scale();
  op.forward = [](Inputs in, const Attributes&) { return in[0]; };
  const Tensor x = iota({2});
  EXPECT_TRUE(run_op(op, one(x), {}).shares_storage_with(x));
}

std::vector<Tensor> backward(const Op& op, const Tensor& x, const Tensor& grad, const NamedAttributes& given = {}) {
  const std::vector<Tensor> inputs{x};
  return run_op_backward(op, inputs, given, run_op(op, inputs, given), grad);
}

TEST(RunOpBackward, GivesOneGradientForEachInput) {
  const auto gradients = backward(scale(), iota({2}), test::make_tensor({1, 10}, {2}), {{"factor", 3.0}});
  ASSERT_EQ(gradients.size(), 1U);
  EXPECT_TENSOR_EQ(gradients[0], {3, 30});
}

TEST(RunOpBackward, SeesInputsOutputAndItsGradient) {
  Op op = scale();
  op.backward = [](const BackwardArguments& arguments) {
    EXPECT_EQ(arguments.inputs.size(), 1U);
    EXPECT_TENSOR_EQ(arguments.inputs[0], {0, 1});
    EXPECT_EQ(arguments.attributes.number(0), 4);
    EXPECT_TENSOR_EQ(arguments.output, {0, 4});
    EXPECT_TENSOR_EQ(arguments.grad_output, {5, 6});
    return std::vector<Tensor>{arguments.grad_output};
  };
  backward(op, iota({2}), test::make_tensor({5, 6}, {2}), {{"factor", 4.0}});
}

TEST(RunOpBackward, OfAnOpWithoutGradientIsNotImplemented) {
  Op op = scale();
  op.backward = nullptr;
  EXPECT_MT_ERROR(backward(op, iota({2}), iota({2})), ErrorCode::kNotImplemented, "\"scale\"");
}

TEST(RunOpBackward, RefusesAnotherNumberOfGradients) {
  Op op = scale();
  op.backward = [](const BackwardArguments&) { return std::vector<Tensor>{}; };
  EXPECT_TRUE(test::throws_error([&] { backward(op, iota({2}), iota({2})); }, ErrorCode::kValue, "0 gradients"));
  op.backward = [](const BackwardArguments& arguments) { return std::vector<Tensor>(2, arguments.grad_output); };
  EXPECT_TRUE(test::throws_error([&] { backward(op, iota({2}), iota({2})); }, ErrorCode::kValue, "2 gradients"));
}

TEST(RunOpBackward, RefusesAGradientOfAnotherShapeThanItsInput) {
  Op op = scale();
  op.backward = [](const BackwardArguments&) { return std::vector<Tensor>{iota({3})}; };
  EXPECT_MT_ERROR(backward(op, iota({2}), iota({2})), ErrorCode::kShape, "[2]");
  EXPECT_MT_ERROR(backward(op, iota({2}), iota({2})), ErrorCode::kShape, "[3]");
}

TEST(RunOpBackward, RefusesAGradientOfAnotherDTypeThanItsInput) {
  Op op = scale();
  op.backward = [](const BackwardArguments&) { return std::vector<Tensor>{iota({2}, DType::kFloat64)}; };
  EXPECT_MT_ERROR(backward(op, iota({2}), iota({2})), ErrorCode::kDType, "float64");
}

TEST(RunOpBackward, RefusesAnOutputGradientUnlikeTheOutput) {
  EXPECT_MT_ERROR(backward(scale(), iota({2}), iota({3})), ErrorCode::kShape, "scale: ");
  EXPECT_MT_ERROR(backward(scale(), iota({2}), iota({2}, DType::kFloat64)), ErrorCode::kDType, "scale: ");
}

TEST(RunOpBackward, RefusesAnotherNumberOfInputs) {
  const Tensor x = iota({2});
  EXPECT_MT_ERROR(run_op_backward(scale(), {}, {}, x, x), ErrorCode::kValue, "scale: ");
}

}  // namespace
}  // namespace minitensor
