// What equations are refused, and how. What is computed stands in the fixtures (products).

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "minitensor/ops/builtin_ops.h"
#include "minitensor/ops/op_registry.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using test::make_tensor;

class Einsum : public testing::Test {
 protected:
  void SetUp() override { register_builtin_ops(ops_); }
  Tensor run(const std::string& equation, const std::vector<Tensor>& inputs) const {
    return run_op(*ops_.get("einsum"), inputs, {{"equation", equation}});
  }
  Tensor run_named(const char* op, const std::vector<Tensor>& inputs) const {
    return run_op(*ops_.get(op), inputs, {});
  }

  OpRegistry ops_;
};

TEST_F(Einsum, IgnoresSpaces) {
  EXPECT_TENSOR_EQ(run(" i j , j -> i ", {iota({2, 2}), make_tensor({1, 10}, {2})}), {10, 32});
}

TEST_F(Einsum, RefusesEquationsThatAreNoneInTheirName) {
  const Tensor x = iota({2, 2});
  const auto refused = [&](const std::string& equation, const std::vector<Tensor>& inputs, const std::string& why) {
    EXPECT_MT_ERROR(run(equation, inputs), ErrorCode::kValue, "einsum: equation \"" + equation + "\": " + why);
  };
  refused("ij,jk->ik", {x}, "has 2 terms for 1 tensors");
  refused("ij", {x, x}, "has 1 terms for 2 tensors");
  refused("i1", {x}, "\"1\" is not a letter");
  refused("ij->i>", {x}, "\">\" is not a letter");
  refused("ij-", {x}, "term \"ij-\" does not fit a tensor of rank 2");
  refused("i", {x}, "term \"i\" does not fit a tensor of rank 2");
  refused("", {x}, "term \"\" does not fit a tensor of rank 2");
  refused("ijk...", {x}, "term \"ijk...\" does not fit a tensor of rank 2");
  refused("ij->ik", {x}, "the output has a letter that no input has");
  refused("ij->ii", {x}, "the output has a letter twice");
  refused("i...->i", {x}, "the output must have the inputs' ellipsis");
  refused("...ij...", {iota({1, 1, 1, 1, 1})}, "\".\" is not a letter");
  refused("ij->ij->ij", {x}, "\"-\" is not a letter");
  refused("abcd,efghi", {iota({1, 1, 1, 1}), iota({1, 1, 1, 1, 1})}, "the output has more than 8 axes");
}

TEST_F(Einsum, RefusesSizesThatDiffer) {
  EXPECT_MT_ERROR(run("ij,jk->ik", {iota({2, 3}), iota({4, 2})}), ErrorCode::kShape,
                  "einsum: axes that run together have the sizes 3 and 4");
  EXPECT_MT_ERROR(run("ii", {iota({2, 3})}), ErrorCode::kShape,
                  "einsum: axes that run together have the sizes 2 and 3");
}

TEST_F(Einsum, RefusesTooManyAxesOnTheWay) {
  const Tensor x = iota({1, 1, 1, 1, 1});
  EXPECT_MT_ERROR(run("abcde,fghij,abcdefghij->a", {x, x, x}), ErrorCode::kValue, "does not fit a tensor of rank 5");
  EXPECT_MT_ERROR(run("abcde,fghij,abcdefgh,ij->a", {x, x, iota({1, 1, 1, 1, 1, 1, 1, 1}), iota({1, 1})}),
                  ErrorCode::kShape, "einsum: a result on the way would have more than 8 axes");
}

// In the order in which they stand, the first two would be 200 to the power of 4 elements.
TEST_F(Einsum, TakesTheOrderInWhichTheLeastComesOut) {
  const Tensor ones = Tensor::full({200, 200}, 1, DType::kFloat32);
  const Tensor result = run("ab,cd,bc->ad", {ones, ones, ones});
  EXPECT_EQ(result.shape(), (Shape{200, 200}));
  for (const double element : result.to_vector()) ASSERT_EQ(element, 40000);
  const Tensor x = iota({2, 2, 2, 2, 2});
  EXPECT_EQ(run("abcde,fghij,abcde,fghij->a", {x, x, x, x}).shape(), Shape{2});
}

TEST_F(Einsum, GivesANewTensor) {
  const Tensor x = iota({2, 3});
  for (const char* equation : {"ij->ji", "ij->ij"}) {
    const Tensor y = run(equation, {x});
    EXPECT_FALSE(y.shares_storage_with(x));
    EXPECT_TRUE(y.is_contiguous());
  }
}

TEST_F(Einsum, DotRefusesSizesThatDifferAndResultsOfTooManyAxes) {
  EXPECT_MT_ERROR(run_named("dot", {iota({3}), iota({1})}), ErrorCode::kShape, "dot: inner sizes differ: [3] x [1]");
  EXPECT_MT_ERROR(run_named("dot", {iota({2, 3}), iota({2, 3})}), ErrorCode::kShape,
                  "dot: inner sizes differ: [2,3] x [2,3]");
  EXPECT_MT_ERROR(run_named("dot", {iota({1, 1, 1, 1, 1, 1}), iota({1, 1, 1, 1, 1})}), ErrorCode::kShape,
                  "dot: the result would have more than 8 axes");
}

}  // namespace
}  // namespace minitensor
