#include "minitensor/ops/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "minitensor/autograd/tape.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

const double kNaN = std::nan("");

Tensor row(std::vector<double> values, DType dtype = DType::kFloat64) {
  const auto count = static_cast<std::int64_t>(values.size());
  return test::make_tensor(std::move(values), {count}, dtype);
}

// The gradients of the sum of what the op gives.
std::vector<Tensor> gradients(const char* op, std::vector<Tensor> inputs) {
  OpRegistry ops;
  register_builtin_ops(ops);
  for (Tensor& input : inputs) set_requires_grad(input, true);
  const Tensor output = execute(ops.get(op), inputs);
  backward(output, Tensor::full(output.shape(), 1, output.dtype()));
  for (Tensor& input : inputs) input = gradient_of(input);
  return inputs;
}

TEST(Arithmetic, KeepsTheSignOfWhatIsRoundedToZero) {
  for (const Tensor& x : {ceil(row({-0.5})), round(row({-0.5})), trunc(row({-0.5})), floor(row({-0.0}))}) {
    EXPECT_TENSOR_EQ(x, {-0.0});
  }
}

TEST(Arithmetic, LeavesFractionsOutInAllOfFloat32) {
  // From 2^23 on, all float32 are integers.
  const Tensor x = row({8388607.5, 8388609, -3e38}, DType::kFloat32);
  EXPECT_TENSOR_EQ(floor(x), {8388607, 8388609, -3e38F});
  EXPECT_TENSOR_EQ(round(x), {8388608, 8388609, -3e38F});
}

TEST(Clip, NeedsALimit) {
  EXPECT_MT_ERROR(clip(row({1}), {}, {}), ErrorCode::kValue, "clip: neither min nor max is given");
}

TEST(Clip, GivesTheUpperLimitWhereTheLimitsCross) {
  EXPECT_TENSOR_EQ(clip(row({0, 5, 9}), row({6}), row({3})), {3, 3, 3});
}

TEST(Clip, IsNaNWhereALimitIs) { EXPECT_TENSOR_EQ(clip(row({1, kNaN}), row({kNaN, 0}), row({2, 2})), {kNaN, kNaN}); }

TEST(ExtremaGradients, AreSharedByEqualInputs) {
  for (const char* op : {"minimum", "maximum"}) {
    const std::vector<Tensor> shares = gradients(op, {row({1, 2}), row({1, 2})});
    EXPECT_TENSOR_EQ(shares[0], {0.5, 0.5});
    EXPECT_TENSOR_EQ(shares[1], {0.5, 0.5});
  }
}

TEST(ClipGradients, GoToWhatEachElementIs) {
  // Below both limits, on the lower one, between them, on the upper one, above; and with limits that cross.
  const std::vector<Tensor> parts =
      gradients("clip", {row({-9, -1, 0, 1, 9, 0}), row({-1, -1, -1, -1, -1, 5}), row({1, 1, 1, 1, 1, 3})});
  EXPECT_TENSOR_EQ(parts[0], {0, 1, 1, 1, 0, 0});
  EXPECT_TENSOR_EQ(parts[1], {1, 0, 0, 0, 0, 0});
  EXPECT_TENSOR_EQ(parts[2], {0, 0, 0, 0, 1, 1});
}

TEST(AbsGradient, IsZeroAtZero) { EXPECT_TENSOR_EQ(gradients("abs", {row({-2, 0, 2})})[0], {-1, 0, 1}); }

}  // namespace
}  // namespace minitensor
