#include "minitensor/ops/builtin_ops.h"

#include <utility>

#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/matmul.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/shape_ops.h"

namespace minitensor {

namespace {

using Inputs = std::span<const Tensor>;

Op unary(std::string name, std::string summary, Tensor (*function)(const Tensor&)) {
  Op op;
  op.name = std::move(name);
  op.summary = std::move(summary);
  op.inputs = {"x"};
  op.forward = [function](Inputs in, const Attributes&) { return function(in[0]); };
  op.output_shape = [](Inputs in, const Attributes&) { return in[0].shape(); };
  op.output_dtype = [](Inputs in, const Attributes&) { return in[0].dtype(); };
  return op;
}

Op binary(std::string name, std::string summary, Tensor (*function)(const Tensor&, const Tensor&)) {
  Op op;
  op.summary = std::move(summary);
  op.inputs = {"a", "b"};
  op.forward = [function](Inputs in, const Attributes&) { return function(in[0], in[1]); };
  op.output_shape = [name](Inputs in, const Attributes&) {
    return broadcast_shapes(in[0].shape(), in[1].shape(), name);
  };
  op.output_dtype = [](Inputs in, const Attributes&) { return promote_types(in[0].dtype(), in[1].dtype()); };
  op.name = std::move(name);
  return op;
}

AttributeSpec integers(std::string name, std::vector<std::int64_t> default_value) {
  return {std::move(name), AttributeType::kIntegers, std::move(default_value)};
}

AttributeSpec required_integers(std::string name) { return {std::move(name), AttributeType::kIntegers, std::nullopt}; }

AttributeSpec boolean(std::string name, bool default_value) {
  return {std::move(name), AttributeType::kBoolean, default_value};
}

using Reduce = Tensor (*)(const Tensor&, std::span<const std::int64_t>, bool);

Op reduction(std::string name, std::string summary, Reduce function) {
  Op op = unary(std::move(name), std::move(summary), nullptr);
  op.attributes = {integers("axes", {}), boolean("keepDims", false)};
  op.forward = [function](Inputs in, const Attributes& at) { return function(in[0], at.integers(0), at.boolean(1)); };
  op.output_shape = nullptr;
  return op;
}

Op matmul_op() {
  Op op = binary("matmul", "the matrix product; axes before the last two broadcast", matmul);
  op.output_shape = nullptr;
  return op;
}

Op reshape_op() {
  Op op = unary("reshape", "the same elements in row-major order under another shape; one size may be -1", nullptr);
  op.attributes = {required_integers("shape")};
  op.forward = [](Inputs in, const Attributes& at) { return reshape(in[0], at.integers(0)); };
  op.output_shape = nullptr;
  return op;
}

Op transpose_op() {
  Op op = unary("transpose", "the axes in another order; none given: reversed", nullptr);
  op.attributes = {integers("axes", {})};
  op.forward = [](Inputs in, const Attributes& at) { return transpose(in[0], at.integers(0)); };
  op.output_shape = nullptr;
  return op;
}

}  // namespace

void register_builtin_ops(OpRegistry& registry) {
  const auto define = [&](Op op) { registry.add(std::make_shared<const Op>(std::move(op)), kEngineOwner); };
  define(binary("add", "a + b", add));
  define(binary("sub", "a - b", sub));
  define(binary("mul", "a * b", mul));
  define(binary("div", "a / b", div));
  define(unary("neg", "-x", neg));
  define(unary("exp", "e^x", exp));
  define(unary("tanh", "(e^x - e^-x) / (e^x + e^-x)", tanh));
  define(unary("sigmoid", "1 / (1 + e^-x)", sigmoid));
  define(unary("relu", "max(x, 0)", relu));
  define(matmul_op());
  define(reduction("sum", "the sum over axes; none given: over all", sum));
  define(reduction("mean", "the arithmetic mean over axes; none given: over all", mean));
  define(reshape_op());
  define(transpose_op());
}

}  // namespace minitensor
