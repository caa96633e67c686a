#include "minitensor/ops/builtin_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "minitensor/base/text.h"
#include "minitensor/ops/shape_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::pseudo_random;
using Integers = std::vector<std::int64_t>;

OpRegistry builtin_ops() {
  OpRegistry registry;
  register_builtin_ops(registry);
  return registry;
}

// Values for the attributes that have no default: a shape that any tensor can have.
NamedAttributes required_attributes(const Op& op) {
  NamedAttributes given;
  for (const AttributeSpec& spec : op.attributes) {
    if (spec.default_value) continue;
    EXPECT_EQ(spec.type, AttributeType::kIntegers) << "teach this test what to give for " << spec.name;
    given.emplace_back(spec.name, Integers{-1});
  }
  return given;
}

TEST(BuiltinOps, BelongToTheEngine) {
  const OpRegistry registry = builtin_ops();
  EXPECT_GT(registry.size(), 0U);
  EXPECT_TRUE(registry.list_custom().empty());
  for (const auto& op : registry.all()) EXPECT_EQ(registry.owner_of(op->name), kEngineOwner);
}

TEST(BuiltinOps, AreRegisteredOnce) {
  OpRegistry registry = builtin_ops();
  const std::size_t size = registry.size();
  EXPECT_MT_ERROR(register_builtin_ops(registry), ErrorCode::kValue, "the engine");
  EXPECT_EQ(registry.size(), size);
}

TEST(BuiltinOps, AreDescribed) {
  for (const auto& op : builtin_ops().all()) {
    EXPECT_FALSE(op->summary.empty()) << op->name;
    EXPECT_TRUE(is_valid_utf8(op->summary)) << op->name;
    EXPECT_EQ(op->summary.find('\n'), std::string::npos) << op->name;
    EXPECT_FALSE(op->inputs.empty()) << op->name;
    const std::set<std::string> names(op->inputs.begin(), op->inputs.end());
    EXPECT_EQ(names.size(), op->inputs.size()) << op->name;
    EXPECT_NO_THROW(check_attribute_specs(op->attributes, op->name));
  }
}

TEST(BuiltinOps, KeepTheirPromisesOnAnyDTypesAndStrides) {
  const OpRegistry registry = builtin_ops();
  const std::vector<std::vector<Shape>> shapes{{{4, 4}, {4, 4}}, {{2, 3, 3}, {3, 3}},       {{3}, {3}},
                                               {{17, 17}, {17}}, {{5, 1, 3, 3}, {2, 3, 3}}, {{0, 0}, {0, 0}},
                                               {{1, 1}, {1}}};
  const std::vector<std::function<Tensor(const Tensor&)>> layouts{[](const Tensor& x) { return x; }, test::with_gaps,
                                                                  test::with_reversed_axes};
  for (const auto& op : registry.all()) {
    ASSERT_LE(op->inputs.size(), 2U) << "teach this test what to give to " << op->name;
    const NamedAttributes given = required_attributes(*op);
    const Attributes attributes = Attributes::resolve(op->attributes, given, op->name);
    for (const auto& pair : shapes) {
      for (const DType dtype_a : {DType::kFloat32, DType::kFloat64}) {
        for (const DType dtype_b : {DType::kFloat32, DType::kFloat64}) {
          std::vector<Tensor> plain{pseudo_random(pair[0], dtype_a, 1), pseudo_random(pair[1], dtype_b, 2)};
          plain.resize(op->inputs.size(), plain[0]);
          const Tensor expected = registry.execute(op->name, plain, given);
          for (const auto& layout : layouts) {
            std::vector<Tensor> inputs;
            for (const Tensor& input : plain) inputs.push_back(layout(input));
            const Tensor result = registry.execute(op->name, inputs, given);
            EXPECT_TRUE(test::tensors_equal(result, expected)) << op->name << ' ' << to_string(pair[0]);
            if (op->output_shape) {
              EXPECT_EQ(op->output_shape(inputs, attributes), result.shape()) << op->name;
            }
            if (op->output_dtype) {
              EXPECT_EQ(op->output_dtype(inputs, attributes), result.dtype()) << op->name;
            }
          }
        }
      }
    }
  }
}

TEST(BuiltinOps, RefuseAnotherNumberOfInputs) {
  const OpRegistry registry = builtin_ops();
  for (const auto& op : registry.all()) {
    const std::vector<Tensor> inputs(op->inputs.size() + 1, pseudo_random({2, 2}));
    EXPECT_MT_ERROR(registry.execute(op->name, inputs, required_attributes(*op)), ErrorCode::kValue, op->name + ": ");
    EXPECT_MT_ERROR(registry.execute(op->name, {}, required_attributes(*op)), ErrorCode::kValue, op->name + ": ");
  }
}

TEST(BuiltinOps, RefuseUnknownAttributes) {
  const OpRegistry registry = builtin_ops();
  for (const auto& op : registry.all()) {
    const std::vector<Tensor> inputs(op->inputs.size(), pseudo_random({2, 2}));
    NamedAttributes given = required_attributes(*op);
    given.emplace_back("nonsense", 1.0);
    EXPECT_MT_ERROR(registry.execute(op->name, inputs, given), ErrorCode::kValue, "\"nonsense\"");
  }
}

// Each name stands for the operation it says: one element that no other operation gives.
TEST(BuiltinOps, ComputeWhatTheirNamesSay) {
  const OpRegistry registry = builtin_ops();
  const Tensor three = test::make_tensor({3}, {1}, DType::kFloat64);
  const Tensor four = test::make_tensor({4}, {1}, DType::kFloat64);
  const std::vector<Tensor> both{three, four};
  EXPECT_EQ(registry.execute("add", both).item(), 7);
  EXPECT_EQ(registry.execute("sub", both).item(), -1);
  EXPECT_EQ(registry.execute("mul", both).item(), 12);
  EXPECT_EQ(registry.execute("div", both).item(), 0.75);
  EXPECT_EQ(registry.execute("matmul", both).item(), 12);
  const std::vector<Tensor> one{three};
  EXPECT_EQ(registry.execute("neg", one).item(), -3);
  EXPECT_NEAR(registry.execute("exp", one).item(), 20.085536923187668, 1e-13);
  EXPECT_NEAR(registry.execute("tanh", one).item(), 0.9950547536867305, 1e-15);
  EXPECT_NEAR(registry.execute("sigmoid", one).item(), 0.9525741268224334, 1e-15);
  EXPECT_EQ(registry.execute("relu", one).item(), 3);
  const std::vector<Tensor> matrix{test::iota({2, 3})};
  EXPECT_TENSOR_EQ(registry.execute("sum", matrix, {{"axes", Integers{1}}}), {3, 12});
  EXPECT_TENSOR_EQ(registry.execute("sum", matrix, {{"axes", Integers{-1}}, {"keepDims", true}}), {{3}, {12}});
  EXPECT_TENSOR_EQ(registry.execute("mean", matrix, {{"axes", Integers{1}}}), {1, 4});
  EXPECT_TENSOR_EQ(registry.execute("mean", matrix, {{"keepDims", true}}), {{2.5}});
  EXPECT_TENSOR_EQ(registry.execute("reshape", matrix, {{"shape", Integers{3, -1}}}), {{0, 1}, {2, 3}, {4, 5}});
  EXPECT_TENSOR_EQ(registry.execute("transpose", matrix), {{0, 3}, {1, 4}, {2, 5}});
  EXPECT_TENSOR_EQ(registry.execute("transpose", matrix, {{"axes", Integers{0, 1}}}), {{0, 1, 2}, {3, 4, 5}});
  EXPECT_MT_ERROR(registry.execute("reshape", matrix), ErrorCode::kValue, "\"shape\"");
}

TEST(BuiltinOps, NameThemselvesInErrors) {
  const OpRegistry registry = builtin_ops();
  const std::vector<Tensor> inputs{pseudo_random({3}), pseudo_random({4})};
  for (const char* name : {"add", "sub", "mul", "div", "matmul"}) {
    EXPECT_MT_ERROR(registry.execute(name, inputs), ErrorCode::kShape, std::string(name) + ": ");
  }
}

}  // namespace
}  // namespace minitensor
