#include "minitensor/ops/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/row.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"

namespace minitensor {
namespace {

using test::gradients_of_sum;
using test::row;

const double kNaN = std::nan("");

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
    const std::vector<Tensor> shares = gradients_of_sum(op, {row({1, 2}), row({1, 2})});
    EXPECT_TENSOR_EQ(shares[0], {0.5, 0.5});
    EXPECT_TENSOR_EQ(shares[1], {0.5, 0.5});
  }
}

TEST(ClipGradients, GoToWhatEachElementIs) {
  // Below both limits, on the lower one, between them, on the upper one, above; and with limits that cross.
  const std::vector<Tensor> parts =
      gradients_of_sum("clip", {row({-9, -1, 0, 1, 9, 0}), row({-1, -1, -1, -1, -1, 5}), row({1, 1, 1, 1, 1, 3})});
  EXPECT_TENSOR_EQ(parts[0], {0, 1, 1, 1, 0, 0});
  EXPECT_TENSOR_EQ(parts[1], {1, 0, 0, 0, 0, 0});
  EXPECT_TENSOR_EQ(parts[2], {0, 0, 0, 0, 1, 1});
}

TEST(AbsGradient, IsZeroAtZero) { EXPECT_TENSOR_EQ(gradients_of_sum("abs", {row({-2, 0, 2})})[0], {-1, 0, 1}); }

}  // namespace
}  // namespace minitensor
