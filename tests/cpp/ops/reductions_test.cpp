// What the reductions promise beyond the fixtures: gradients where they are not smooth, and errors.

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "minitensor/autograd/tape.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::make_tensor;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Reductions : public testing::Test {
 protected:
  void SetUp() override { register_builtin_ops(ops_); }
  Tensor run(const char* op, const Tensor& x, const NamedAttributes& attributes = {}) const {
    return execute(ops_, op, {&x, 1}, attributes);
  }
  Tensor gradient(const char* op, Tensor x, const NamedAttributes& attributes = {}) const {
    set_requires_grad(x, true);
    const Tensor y = run(op, x, attributes);
    backward(y, Tensor::full(y.shape(), 1, y.dtype()));
    return gradient_of(x);
  }

  OpRegistry ops_;
};

TEST_F(Reductions, GradientsOfExtremesAreSharedEquallyAmongTies) {
  const Tensor x = make_tensor({3, 1, 3, 3, 2, 2}, {2, 3});
  EXPECT_TENSOR_EQ(gradient("max", x, {{"axis", 1.0}}), {{0.5, 0, 0.5}, {1, 0, 0}});
  EXPECT_TENSOR_EQ(gradient("min", x, {{"axis", 1.0}}), {{0, 1, 0}, {0, 0.5, 0.5}});
  EXPECT_TENSOR_EQ(gradient("max", make_tensor({kNaN, 1, kNaN}, {3})), {0.5, 0, 0.5});
  EXPECT_TENSOR_EQ(gradient("norm", make_tensor({3, -3, 1}, {3}), {{"ord", kInf}}), {0.5, -0.5, 0});
}

TEST_F(Reductions, GradientsOfProductsAreRightBesideZeros) {
  EXPECT_TENSOR_EQ(gradient("prod", make_tensor({2, 0, 3}, {3})), {0, 6, 0});
  EXPECT_TENSOR_EQ(gradient("prod", make_tensor({0, 0, 3}, {3})), {0, 0, 0});
  // Of 2, 2 * 0, 2 * 0 * 3.
  EXPECT_TENSOR_EQ(gradient("cumprod", make_tensor({2, 0, 3}, {3})), {1, 8, 0});
}

TEST_F(Reductions, GradientsWhereThereIsNoneAreZero) {
  EXPECT_TENSOR_EQ(gradient("norm", make_tensor({0, 0}, {2})), {0, 0});
  EXPECT_TENSOR_EQ(gradient("norm", make_tensor({0, -2}, {2}), {{"ord", 1.0}}), {0, -1});
  EXPECT_TENSOR_EQ(gradient("std", make_tensor({2, 2}, {2})), {0, 0});
}

TEST_F(Reductions, OfNoElementsThatHaveNoResultAreRefused) {
  const Tensor x = Tensor::zeros({0, 3}, DType::kFloat32);
  for (const char* op : {"max", "min", "argmax", "argmin"}) {
    EXPECT_MT_ERROR(run(op, x), ErrorCode::kValue, std::string(op) + ": of no elements: the shape is [0,3]");
    EXPECT_MT_ERROR(run(op, x, {{"axis", 0.0}}), ErrorCode::kValue, std::string(op) + ": of no elements");
    EXPECT_EQ(run(op, x, {{"axis", 1.0}}).shape(), (Shape{0}));
  }
}

TEST_F(Reductions, RefuseAxesOutOfRange) {
  const Tensor x = Tensor::zeros({2, 3}, DType::kFloat32);
  for (const char* op :
       {"prod", "min", "max", "any", "all", "var", "std", "norm", "argmin", "argmax", "cumsum", "cumprod"}) {
    EXPECT_MT_ERROR(run(op, x, {{"axis", 2.0}}), ErrorCode::kShape, std::string(op) + ": axis 2");
  }
}

TEST_F(Reductions, NormRefusesOtherOrders) {
  const Tensor x = Tensor::zeros({2, 3}, DType::kFloat32);
  for (const auto& [order, text] : {std::pair{0.0, "0"}, {2.5, "2.5"}, {-kInf, "-Infinity"}, {kNaN, "NaN"}}) {
    EXPECT_MT_ERROR(run("norm", x, {{"ord", order}}), ErrorCode::kValue,
                    std::string("norm: ord must be 1, 2 or infinity, not ") + text);
  }
}

TEST_F(Reductions, ProductsAndNormsOfFloat32DoNotOverflowOnTheWay) {
  EXPECT_TENSOR_EQ(run("prod", make_tensor({1e30F, 1e30F, 1e-30F}, {3})), (1e30F));
  EXPECT_TENSOR_EQ(run("norm", make_tensor({3e30, 4e30}, {2})), (5e30));
}

TEST_F(Reductions, KeepDims) {
  const Tensor x = Tensor::zeros({2, 3, 4}, DType::kFloat32);
  for (const char* op : {"prod", "min", "max", "any", "all", "var", "std", "norm", "argmin", "argmax"}) {
    EXPECT_EQ(run(op, x, {{"axis", 1.0}, {"keepDims", true}}).shape(), (Shape{2, 1, 4})) << op;
    EXPECT_EQ(run(op, x, {{"keepDims", true}}).shape(), (Shape{1, 1, 1})) << op;
  }
}

TEST_F(Reductions, RunningTotalsWithoutAnAxisAreOfTheFlattenedTensor) {
  EXPECT_TENSOR_EQ(run("cumsum", make_tensor({1, 2, 3, 4}, {2, 2})), {1, 3, 6, 10});
  EXPECT_TENSOR_EQ(gradient("cumsum", make_tensor({1, 2, 3, 4}, {2, 2})), {{4, 3}, {2, 1}});
}

// float32 has loops of its own, which go through columns side by side; float64 goes through others.
TEST_F(Reductions, OfFloat32ColumnsAreThoseOfFloat64) {
  for (const std::int64_t columns : {16, 17, 33, 1025}) {
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 8, 9, 64, 65, 67, 131, 300}) {
      Tensor x = test::iota({rows, columns});
      // Neither the first row nor the last, nor the order of the elements, decides.
      for (std::int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>((i * 7919) % 1009) - 500;
      x.data<float>()[x.size() / 2] = std::numeric_limits<float>::quiet_NaN();
      x.data<float>()[x.size() - 1] = -0.0F;
      for (const char* op : {"sum", "mean", "max", "min"}) {
        const Tensor expected = run(op, x.cast(DType::kFloat64), {{"axis", 0.0}}).cast(DType::kFloat32);
        EXPECT_TRUE(test::tensors_equal(run(op, x, {{"axis", 0.0}}), expected)) << op << ' ' << rows << ' ' << columns;
      }
    }
  }
}

}  // namespace
}  // namespace minitensor
