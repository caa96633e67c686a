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

TEST(BuiltinOps, NameInputsAndAttributesOnce) {
  for (const auto& op : builtin_ops().all()) {
    const std::set<std::string> names(op->inputs.begin(), op->inputs.end());
    EXPECT_EQ(names.size(), op->inputs.size()) << op->name;
    EXPECT_NO_THROW(check_attribute_specs(op->attributes, op->name));
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
  EXPECT_TENSOR_EQ(registry.execute("sum", matrix, {{"axis", Integers{1}}}), {3, 12});
  EXPECT_TENSOR_EQ(registry.execute("sum", matrix, {{"axis", Integers{-1}}, {"keepDims", true}}), {{3}, {12}});
  EXPECT_TENSOR_EQ(registry.execute("mean", matrix, {{"axis", Integers{1}}}), {1, 4});
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
