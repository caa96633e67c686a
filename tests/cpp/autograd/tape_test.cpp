#include "minitensor/autograd/tape.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "minitensor/ops/builtin_ops.h"
#include "minitensor/ops/custom_op_builder.h"
#include "minitensor/ops/elementwise.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::make_tensor;

class Tape : public testing::Test {
 protected:
  Tape() { register_builtin_ops(ops_); }

  Tensor run(std::string_view name, std::vector<Tensor> inputs, const NamedAttributes& attributes = {}) const {
    return execute(ops_, name, inputs, attributes);
  }

  static Tensor leaf(const std::vector<double>& values, const Shape& shape, DType dtype = DType::kFloat32) {
    Tensor tensor = make_tensor(values, shape, dtype);
    set_requires_grad(tensor, true);
    return tensor;
  }

  OpRegistry ops_;
};

TEST_F(Tape, RecordsNothingWithoutAnInputThatRequiresAGradient) {
  const Tensor x = make_tensor({1}, {1});
  EXPECT_FALSE(run("exp", {x}).requires_grad());
  EXPECT_MT_ERROR(backward(run("exp", {x})), ErrorCode::kValue, "requires no gradient");
}

TEST_F(Tape, LeavesTheGradientAtTheLeaf) {
  const Tensor x = leaf({3}, {});
  const Tensor y = run("mul", {x, x});
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(is_leaf(y));
  EXPECT_FALSE(gradient_of(x).is_defined());
  backward(y);
  EXPECT_TENSOR_EQ(gradient_of(x), (6));
  EXPECT_FALSE(gradient_of(x).requires_grad());
}

TEST_F(Tape, AddsToAGradientThatIsThere) {
  const Tensor x = leaf({3}, {});
  backward(run("mul", {x, x}));
  backward(run("neg", {x}));
  EXPECT_TENSOR_EQ(gradient_of(x), (5));
  set_gradient(x, {});
  EXPECT_FALSE(gradient_of(x).is_defined());
}

TEST_F(Tape, SumsOverAxesThatWereBroadcastAndCastsBack) {
  const Tensor x = leaf({1, 2, 3}, {3});
  const Tensor w = leaf({2}, {1, 1});
  const Tensor y = run("mul", {x, run("broadcastTo", {w}, {{"shape", std::vector<std::int64_t>{4, 1}}})});
  backward(run("sum", {y}));
  EXPECT_TENSOR_EQ(gradient_of(x), {8, 8, 8});
  EXPECT_TENSOR_EQ(gradient_of(w), {{24}});
  const Tensor wide = run("add", {x, make_tensor({1}, {}, DType::kFloat64)});
  backward(run("sum", {wide}));
  EXPECT_EQ(gradient_of(x).dtype(), DType::kFloat32);
}

TEST_F(Tape, FollowsATensorThatIsUsedManyTimes) {
  // y = ((x + x) + x) * x: dy/dx = 6 x
  const Tensor x = leaf({2}, {1});
  backward(run("mul", {run("add", {run("add", {x, x}), x}), x}));
  EXPECT_TENSOR_EQ(gradient_of(x), {12});
}

TEST_F(Tape, GoesThroughViews) {
  const Tensor x = leaf({1, 2, 3, 4}, {2, 2});
  const Tensor row = run("slice", {run("transpose", {x})}, {{"start", 1.0}});
  backward(run("sum", {run("mul", {row, row})}));
  EXPECT_TENSOR_EQ(gradient_of(x), {{0, 4}, {0, 8}});
}

TEST_F(Tape, WantsAGradientForSeveralElements) {
  const Tensor x = leaf({1, 2}, {2});
  EXPECT_MT_ERROR(backward(run("exp", {x})), ErrorCode::kShape, "[2]");
  EXPECT_MT_ERROR(backward(run("neg", {x}), make_tensor({1}, {1})), ErrorCode::kShape, "[1]");
  EXPECT_MT_ERROR(backward(run("neg", {x}), make_tensor({1, 1}, {2}, DType::kFloat64)), ErrorCode::kDType, "float64");
  backward(run("neg", {x}), make_tensor({1, 10}, {2}));
  EXPECT_TENSOR_EQ(gradient_of(x), {-1, -10});
}

TEST_F(Tape, IsUsedOnceUnlessRetained) {
  const Tensor x = leaf({3}, {});
  const Tensor y = run("mul", {x, x});
  backward(y, {}, true);
  backward(y);
  EXPECT_TENSOR_EQ(gradient_of(x), (12));
  EXPECT_MT_ERROR(backward(y), ErrorCode::kValue, "op \"mul\"");
  EXPECT_MT_ERROR(backward(run("neg", {y})), ErrorCode::kValue, "released");
  EXPECT_TENSOR_EQ(gradient_of(x), (12));
}

TEST_F(Tape, NoticesAnInputThatWasChanged) {
  Tensor x = leaf({3}, {});
  const Tensor product = run("mul", {x, x});
  const Tensor sum = run("add", {x, x});
  x.assign(make_tensor({4}, {}));
  EXPECT_MT_ERROR(backward(product), ErrorCode::kValue, "op \"mul\": an input was changed");
  backward(sum);  // whose gradient does not look at the input
  EXPECT_TENSOR_EQ(gradient_of(x), (2));
}

TEST_F(Tape, RecordsNothingInANoGradScope) {
  const Tensor x = leaf({3}, {});
  {
    const NoGradScope outer;
    {
      const NoGradScope inner;
    }
    EXPECT_FALSE(run("exp", {x}).requires_grad());
    EXPECT_FALSE(run("reshape", {x}, {{"shape", std::vector<std::int64_t>{}}}).requires_grad());
  }
  EXPECT_TRUE(run("exp", {x}).requires_grad());
}

TEST_F(Tape, EndsAtADetachedTensor) {
  const Tensor x = leaf({3}, {});
  const Tensor y = run("mul", {x, x.detach()});
  EXPECT_FALSE(x.detach().requires_grad());
  EXPECT_TRUE(x.detach().shares_storage_with(x));
  backward(y);
  EXPECT_TENSOR_EQ(gradient_of(x), (3));
}

TEST_F(Tape, NamesAnOpWithoutAGradient) {
  ops_.add(CustomOpBuilder()
               .name("twice")
               .num_inputs(1)
               .forward([](std::span<const Tensor> in, const Attributes&) { return add(in[0], in[0]); })
               .build(),
           {});
  const Tensor x = leaf({3}, {});
  const Tensor y = run("twice", {x});
  EXPECT_TRUE(y.requires_grad());
  EXPECT_MT_ERROR(backward(run("neg", {y})), ErrorCode::kNotImplemented, "\"twice\" has no gradient");
  EXPECT_FALSE(gradient_of(x).is_defined());
}

TEST_F(Tape, LeavesGradientsAsTheyWereWhenAnOpsBackwardThrows) {
  ops_.add(CustomOpBuilder()
               .name("fails")
               .num_inputs(1)
               .forward([](std::span<const Tensor> in, const Attributes&) { return in[0]; })
               .backward([](const BackwardArguments&) -> std::vector<Tensor> {
                 throw Error(ErrorCode::kValue, "on purpose");
               })
               .build(),
           {});
  const Tensor x = leaf({3}, {});
  const Tensor y = leaf({4}, {});
  EXPECT_MT_ERROR(backward(run("add", {run("fails", {x}), y})), ErrorCode::kValue, "on purpose");
  EXPECT_FALSE(gradient_of(x).is_defined());
  EXPECT_FALSE(gradient_of(y).is_defined());
  backward(y);
  EXPECT_TENSOR_EQ(gradient_of(y), (1));
}

TEST_F(Tape, OnlyFloatingPointTensorsHaveGradients) {
  Tensor integers = make_tensor({1}, {1}).cast(DType::kInt32);
  EXPECT_MT_ERROR(set_requires_grad(integers, true), ErrorCode::kDType, "int32");
  const Tensor x = leaf({1.5}, {});
  EXPECT_FALSE(run("cast", {x}, {{"dtype", std::string("int32")}}).requires_grad());
  Tensor y = run("exp", {x});
  EXPECT_MT_ERROR(set_requires_grad(y, false), ErrorCode::kValue, "detach");
}

TEST_F(Tape, KeepsOnlyWhatGradientsLookAt) {
  const std::size_t before = Storage::live_bytes();
  const Tensor x = leaf(std::vector<double>(1000, 1), {1000});
  Tensor y = run("neg", {run("add", {x, make_tensor(std::vector<double>(1000, 1), {1000})})});
  EXPECT_EQ(Storage::live_bytes() - before, 2 * 4000U);  // x and y
  y = run("sum", {run("exp", {x})});
  EXPECT_EQ(Storage::live_bytes() - before, 2 * 4000U + 4);  // x, the exponentials, and their sum
  backward(y);
  EXPECT_EQ(Storage::live_bytes() - before, 2 * 4000U + 4);  // x, its gradient, and the sum
}

TEST_F(Tape, IsNotBoundedByTheStack) {
  constexpr int kNodes = 100'000;
  const Tensor x = leaf({1}, {});
  Tensor y = x;
  for (int i = 0; i < kNodes; ++i) y = run("neg", {y});
  backward(y);
  EXPECT_TENSOR_EQ(gradient_of(x), (1));
  Tensor dropped = x;
  for (int i = 0; i < kNodes; ++i) dropped = run("exp", {dropped});
  dropped = {};
}

}  // namespace
}  // namespace minitensor
