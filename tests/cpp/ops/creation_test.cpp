#include "minitensor/ops/creation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

TEST(Arange, RefusesWhatHasNoEnd) {
  EXPECT_MT_ERROR(arange(0, 1, 0), ErrorCode::kValue, "arange: the step is 0");
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_MT_ERROR(arange(bad, 1), ErrorCode::kValue, "arange: ");
    EXPECT_MT_ERROR(arange(0, bad), ErrorCode::kValue, "arange: ");
    EXPECT_MT_ERROR(arange(0, 1, bad), ErrorCode::kValue, "arange: ");
  }
  EXPECT_MT_ERROR(arange(0, 1e300), ErrorCode::kValue, "2^53");
}

TEST(Linspace, EndsWithStopWhateverIsRounded) {
  const Tensor x = linspace(0.1, 0.7, 7, true, DType::kFloat64);
  EXPECT_EQ(x.to_vector().back(), 0.7);
}

TEST(Linspace, RefusesANegativeCount) {
  EXPECT_MT_ERROR(linspace(0, 1, -1), ErrorCode::kValue, "linspace: the count is negative: -1");
}

TEST(Eye, RefusesANegativeSize) { EXPECT_MT_ERROR(eye(-1, 2), ErrorCode::kShape, "eye: "); }

TEST(Eye, TakesAnyDiagonal) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  EXPECT_TENSOR_EQ(eye(2, 2, kFar), {{0, 0}, {0, 0}});
  EXPECT_TENSOR_EQ(eye(2, 2, -kFar), {{0, 0}, {0, 0}});
}

TEST(Triangles, RefuseWhatIsNoMatrix) {
  EXPECT_MT_ERROR(tril(arange(0, 3)), ErrorCode::kShape, "tril: takes matrices, not a tensor of shape [3]");
  EXPECT_MT_ERROR(triu(Tensor::zeros({}, DType::kBool)), ErrorCode::kShape, "triu: ");
}

TEST(Triangles, KeepNegativeZerosAndNaN) {
  const Tensor x = test::make_tensor({-0.0, std::nan(""), std::nan(""), -0.0}, {2, 2}, DType::kFloat64);
  EXPECT_TENSOR_EQ(tril(x), {{-0.0, 0}, {std::nan(""), -0.0}});
}

}  // namespace
}  // namespace minitensor
