// The example plugin "attention": against its definition in float64, against the built-in ops it takes the place of,
// and its gradients against differences.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "loader/loading.h"
#include "support/expect_gradients.h"
#include "support/expect_tensor.h"

namespace minitensor {
namespace {

using test::make_tensor;
using test::Strings;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Problem {
  std::int64_t n, m, d, e;
  bool causal = false;
  double scale = 0;

  NamedAttributes attributes() const { return {{"causal", causal}, {"scale", scale}}; }
};

class Attention : public test::Loading {
 protected:
  void SetUp() override { load(test::example_plugin("attention")); }

  Tensor attention(const std::vector<Tensor>& inputs, const NamedAttributes& attributes = {}) {
    return run("attention", inputs, attributes);
  }
};

// Numbers in [-1, 1] that do not repeat soon.
Tensor random_tensor(const Shape& shape, std::uint32_t seed, DType dtype = DType::kFloat64) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape, "test")));
  std::uint32_t state = seed * 2654435761U + 1;
  for (double& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<double>(state >> 8U) / (1U << 23U) - 1;
  }
  return make_tensor(values, shape, dtype);
}

std::vector<Tensor> inputs_of(const Problem& problem, DType dtype = DType::kFloat64) {
  return {random_tensor({problem.n, problem.d}, 1, dtype), random_tensor({problem.m, problem.d}, 2, dtype),
          random_tensor({problem.m, problem.e}, 3, dtype)};
}

// softmax(q * k^T * scale) * v, row by row as it is written. A row without keys is 0.
std::vector<double> expected_attention(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<double> q = inputs[0].to_vector();
  const std::vector<double> k = inputs[1].to_vector();
  const std::vector<double> v = inputs[2].to_vector();
  const auto [n, m, d, e, causal, given] = problem;
  const double scale = given != 0 ? given : d > 0 ? 1 / std::sqrt(static_cast<double>(d)) : 1;
  std::vector<double> result(static_cast<std::size_t>(n * e), 0);
  const auto at = [](auto& list, std::int64_t index) -> auto& { return list[static_cast<std::size_t>(index)]; };
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t keys = causal ? std::clamp<std::int64_t>(i + 1 + m - n, 0, m) : m;
    std::vector<double> weights(static_cast<std::size_t>(keys), 0);
    double largest = -kInfinity;
    for (std::int64_t j = 0; j < keys; ++j) {
      for (std::int64_t c = 0; c < d; ++c) at(weights, j) += at(q, i * d + c) * at(k, j * d + c) * scale;
      largest = std::max(largest, at(weights, j));
    }
    double total = 0;
    for (double& weight : weights) total += weight = std::exp(weight - largest);
    for (std::int64_t j = 0; j < keys; ++j) {
      for (std::int64_t c = 0; c < e; ++c) at(result, i * e + c) += at(weights, j) / total * at(v, j * e + c);
    }
  }
  return result;
}

// Around the sizes of registers and blocks, and with every tail.
const std::vector<Problem> kProblems = {
    {1, 1, 1, 1},
    {1, 5, 3, 2},
    {3, 4, 8, 8},
    {4, 32, 16, 16},
    {5, 33, 7, 9},
    {31, 31, 4, 5},
    {32, 32, 8, 8, true},
    {33, 65, 12, 17},
    {33, 65, 12, 17, true},
    {70, 100, 64, 64},
    {70, 100, 5, 3, true},
    {65, 20, 6, 7, true},
    {40, 1, 2, 3, true},
    {1, 70, 9, 11, true},
    {9, 11, 0, 4},
    {7, 6, 5, 4, false, 2},
    {7, 6, 5, 4, true, -1.5},
    {2, 200, 3, 1},
};

TEST_F(Attention, SaysWhatItIs) {
  const auto op = engine().ops.get("attention");
  EXPECT_EQ(op->inputs, (Strings{"q", "k", "v"}));
  EXPECT_EQ(op->attributes.size(), 2U);
  EXPECT_TRUE(op->backward);
}

TEST_F(Attention, IsItsDefinition) {
  for (const Problem& problem : kProblems) {
    const std::vector<Tensor> wide = inputs_of(problem);
    const std::vector<Tensor> narrow = inputs_of(problem, DType::kFloat32);
    const Shape shape{problem.n, problem.e};
    SCOPED_TRACE(testing::Message() << problem.n << "x" << problem.m << " d " << problem.d << " e " << problem.e);
    EXPECT_TRUE(test::tensor_matches(attention(wide, problem.attributes()), shape, expected_attention(problem, wide),
                                     {1e-14, 0}));
    EXPECT_TRUE(test::tensor_matches(attention(narrow, problem.attributes()), shape,
                                     expected_attention(problem, narrow), {1e-6, 0}));
  }
}

TEST_F(Attention, IsTheCompositionOfBuiltInOps) {
  const Shape qs{2, 3, 37, 8};
  const Shape ks{2, 3, 50, 8};
  const Shape vs{2, 3, 50, 6};
  const Tensor q = random_tensor(qs, 5);
  const Tensor k = random_tensor(ks, 6);
  const Tensor v = random_tensor(vs, 7);
  const Tensor keys = run("transpose", {k}, {{"axes", std::vector<std::int64_t>{0, 1, 3, 2}}});
  const Tensor scores = run("div", {run("matmul", {q, keys}), make_tensor({std::sqrt(8.0)}, {}, DType::kFloat64)});
  const Tensor weights = run("exp", {scores});
  const Tensor total = run("sum", {weights}, {{"axis", std::vector<std::int64_t>{-1}}, {"keepDims", true}});
  const Tensor expected = run("matmul", {run("div", {weights, total}), v});
  EXPECT_TRUE(test::tensors_equal(attention({q, k, v}), expected, {1e-14, 0}));
}

TEST_F(Attention, HasTheGradientsOfDifferences) {
  const auto op = engine().ops.get("attention");
  for (const Problem& problem : {Problem{3, 4, 2, 5}, Problem{5, 5, 3, 2, true}, Problem{6, 4, 2, 3, true},
                                 Problem{2, 7, 4, 1, true, 0.7}, Problem{1, 1, 1, 1}, Problem{4, 3, 0, 2}}) {
    SCOPED_TRACE(testing::Message() << problem.n << "x" << problem.m << " d " << problem.d << " e " << problem.e);
    test::expect_gradients(*op, inputs_of(problem), problem.attributes());
  }
  const std::vector<Tensor> batch = {random_tensor({2, 3, 2}, 1), random_tensor({2, 4, 2}, 2),
                                     random_tensor({2, 4, 3}, 3)};
  test::expect_gradients(*op, batch);
}

// More than a block each way, where differences would take too long: y depends on v linearly, and on q and k through
// scores that one query and one key move alone.
TEST_F(Attention, HasTheSameGradientsInFloat32AndOverSeveralBlocks) {
  const auto op = engine().ops.get("attention");
  for (const bool causal : {false, true}) {
    const Problem problem{67, 75, 11, 13, causal};
    const std::vector<Tensor> wide = inputs_of(problem);
    const Tensor y = attention(wide, problem.attributes());
    const Tensor dy = random_tensor(y.shape(), 9);
    const auto gradients = run_op_backward(*op, wide, problem.attributes(), y, dy);

    std::vector<Tensor> narrow;
    for (const Tensor& input : wide) narrow.push_back(input.cast(DType::kFloat32));
    const Tensor narrow_y = attention(narrow, problem.attributes());
    const auto narrow_gradients =
        run_op_backward(*op, narrow, problem.attributes(), narrow_y, dy.cast(DType::kFloat32));
    // The gradient along a direction is the difference along it.
    const auto loss = [&](const std::vector<Tensor>& inputs) {
      return run("sum", {run("mul", {attention(inputs, problem.attributes()), dy})}).item();
    };
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(test::tensors_equal(narrow_gradients[i].cast(DType::kFloat64), gradients[i], {2e-5, 0}))
          << "input " << i;
      const Tensor direction = random_tensor(wide[i].shape(), 20 + static_cast<std::uint32_t>(i));
      const Tensor step = run("mul", {direction, make_tensor({1e-5}, {}, DType::kFloat64)});
      std::vector<Tensor> above = wide;
      std::vector<Tensor> below = wide;
      above[i] = run("add", {wide[i], step});
      below[i] = run("sub", {wide[i], step});
      EXPECT_NEAR(run("sum", {run("mul", {gradients[i], direction})}).item(), (loss(above) - loss(below)) / 2e-5, 1e-7)
          << "input " << i;
    }
  }
}

TEST_F(Attention, DoesNotOverflow) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    // Scores of 1e4, 0 and -1e4: all of the weight is on the first key.
    const Tensor q = make_tensor({100}, {1, 1}, dtype);
    const Tensor k = make_tensor({100, 0, -100}, {3, 1}, dtype);
    const Tensor v = make_tensor({1, 2, 3}, {3, 1}, dtype);
    EXPECT_EQ(attention({q, k, v}).item(), 1);
    // The same far below 0: only differences count.
    EXPECT_EQ(attention({q, make_tensor({-300, -300, -301}, {3, 1}, dtype), v}).item(), 1.5);
    // Every key alike, whatever its size.
    EXPECT_NEAR(attention({q, make_tensor({1e30, 1e30, 1e30}, {3, 1}, dtype), v}).item(), 2, 1e-6);
    // The largest score is in a later block, so that what was summed up before is scaled down to nothing.
    std::vector<double> keys(100, -50);
    std::vector<double> values(100, 7);
    keys[90] = 50;
    values[90] = -1;
    EXPECT_EQ(attention({q, make_tensor(keys, {100, 1}, dtype), make_tensor(values, {100, 1}, dtype)}).item(), -1);
  }
}

TEST_F(Attention, PassesOnWhatIsNotANumber) {
  const Tensor v = make_tensor({1, 2, 3}, {3, 1});
  const Tensor one = make_tensor({1, 1}, {2, 1});
  const Tensor y = attention({make_tensor({NAN, 1}, {2, 1}), make_tensor({1, 1, 1}, {3, 1}), v});
  EXPECT_TRUE(std::isnan(y.to_vector()[0]));
  EXPECT_NEAR(y.to_vector()[1], 2, 1e-6);
  // A score of minus infinity is no weight; where all are, there is nothing to divide by.
  EXPECT_NEAR(attention({one, make_tensor({-kInfinity, 1, 1}, {3, 1}), v}).to_vector()[0], 2.5, 1e-6);
  EXPECT_TRUE(
      std::isnan(attention({one, make_tensor({-kInfinity, -kInfinity, -kInfinity}, {3, 1}), v}).to_vector()[0]));
}

TEST_F(Attention, GivesZerosToQueriesThatSeeNoKey) {
  const Tensor q = random_tensor({5, 2}, 1);
  const Tensor k = random_tensor({2, 2}, 2);
  const Tensor v = make_tensor({1, 2, 3, 4}, {2, 2}, DType::kFloat64);
  const std::vector<double> y = attention({q, k, v}, {{"causal", true}}).to_vector();
  EXPECT_EQ(std::vector<double>(y.begin(), y.begin() + 8), (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 2}));
  // No keys at all.
  EXPECT_EQ(attention({q, random_tensor({0, 2}, 2), random_tensor({0, 3}, 2)}).to_vector(), std::vector<double>(15, 0));
}

TEST_F(Attention, TakesEmptyTensors) {
  const auto op = engine().ops.get("attention");
  const auto expect_shape = [&](const Shape& qs, const Shape& ks, const Shape& vs, const Shape& expected) {
    const std::vector<Tensor> inputs = {Tensor::zeros(qs, DType::kFloat32), Tensor::zeros(ks, DType::kFloat32),
                                        Tensor::zeros(vs, DType::kFloat32)};
    const Tensor y = attention(inputs);
    EXPECT_EQ(y.shape(), expected);
    const auto gradients = run_op_backward(*op, inputs, {}, y, y);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(gradients[i].to_vector(), std::vector<double>(static_cast<std::size_t>(inputs[i].size()), 0));
    }
  };
  expect_shape({0, 3}, {4, 3}, {4, 2}, {0, 2});
  expect_shape({2, 3}, {4, 3}, {4, 0}, {2, 0});
  expect_shape({2, 3}, {0, 3}, {0, 5}, {2, 5});
  expect_shape({2, 0}, {4, 0}, {4, 5}, {2, 5});
  expect_shape({0, 2, 3}, {0, 4, 3}, {0, 4, 2}, {0, 2, 2});
  // Nothing to compute, however many keys there are.
  const std::int64_t many = std::int64_t{1} << 50U;
  expect_shape({1, 0}, {0, 0}, {0, 0}, {1, 0});
  EXPECT_EQ(attention({Tensor::zeros({1, 0}, DType::kFloat32), Tensor::zeros({many, 0}, DType::kFloat32),
                       Tensor::zeros({many, 0}, DType::kFloat32)})
                .shape(),
            (Shape{1, 0}));
}

TEST_F(Attention, TakesInputsInAnyOrderInMemory) {
  const Problem problem{6, 7, 3, 4};
  std::vector<Tensor> inputs = inputs_of(problem);
  const Tensor expected = attention(inputs);
  for (Tensor& input : inputs) input = test::with_reversed_axes(test::with_gaps(input));
  EXPECT_TRUE(test::tensors_equal(attention(inputs), expected));
}

TEST_F(Attention, RefusesWhatDoesNotFit) {
  const auto zeros = [](const Shape& shape) { return Tensor::zeros(shape, DType::kFloat32); };
  const Tensor q = zeros({2, 3});
  const Tensor k = zeros({4, 3});
  const Tensor v = zeros({4, 5});
  EXPECT_MT_ERROR(attention({q, k}), ErrorCode::kValue, "attention: takes 3 inputs, got 2");
  EXPECT_MT_ERROR(attention({zeros({3}), k, v}), ErrorCode::kShape,
                  "op \"attention\": q, k and v must have two axes or more, but one is [3]");
  EXPECT_MT_ERROR(attention({zeros({2, 2, 3}), k, v}), ErrorCode::kShape,
                  "all axes but the last two must be the same: q is [2,2,3], k is [4,3], v is [4,5]");
  EXPECT_MT_ERROR(attention({zeros({2, 2, 3}), zeros({2, 4, 3}), zeros({3, 4, 5})}), ErrorCode::kShape,
                  "all axes but the last two must be the same");
  EXPECT_MT_ERROR(attention({q, zeros({4, 2}), v}), ErrorCode::kShape,
                  "the last axes of q and k must be the same: [2,3] and [4,2]");
  EXPECT_MT_ERROR(attention({q, k, zeros({3, 5})}), ErrorCode::kShape,
                  "k and v must have as many keys: [4,3] and [3,5]");
  EXPECT_MT_ERROR(attention({q, k, v}, {{"scale", kInfinity}}), ErrorCode::kValue,
                  "scale must be finite, but it is inf");
  EXPECT_MT_ERROR(attention({q, k, Tensor::zeros({4, 5}, DType::kFloat64)}), ErrorCode::kDType,
                  "inputs differ in dtype: float32 and float64");
}

}  // namespace
}  // namespace minitensor
