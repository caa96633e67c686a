// What convolutions, pools, normalization, embedding, dropout and attention promise beyond their values.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "minitensor/autograd/tape.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using Integers = std::vector<std::int64_t>;
using test::iota;
using test::pseudo_random;

class NeuralOps : public testing::Test {
 protected:
  NeuralOps() { register_builtin_ops(ops_); }
  Tensor run(const std::string& op, const std::vector<Tensor>& inputs, const NamedAttributes& attributes = {}) const {
    return execute(ops_, op, inputs, attributes);
  }
  std::vector<Tensor> gradients(const std::string& op, std::vector<Tensor> inputs, const NamedAttributes& attributes,
                                const Tensor& gradient) const {
    for (Tensor& input : inputs) {
      if (input.is_defined() && is_floating(input.dtype())) set_requires_grad(input, true);
    }
    backward(run(op, inputs, attributes), gradient);
    std::vector<Tensor> result;
    for (const Tensor& input : inputs) result.push_back(input.is_defined() ? gradient_of(input) : Tensor());
    return result;
  }

  OpRegistry ops_;
};

Tensor zeros(const Shape& shape) { return Tensor::zeros(shape, DType::kFloat32); }

TEST_F(NeuralOps, ConvolutionsNameTheSizesThatDoNotMatch) {
  const Tensor x = zeros({1, 4, 5, 5});
  EXPECT_MT_ERROR(run("conv2d", {zeros({4, 5, 5}), zeros({2, 4, 3, 3})}), ErrorCode::kShape,
                  "conv2d: both need 4 axes: x is [4,5,5], weight [2,4,3,3]");
  EXPECT_MT_ERROR(run("conv2d", {x, zeros({2, 3, 3, 3})}), ErrorCode::kShape,
                  "conv2d: the weights must be for 4 channels of x: x is [1,4,5,5], weight [2,3,3,3]");
  EXPECT_MT_ERROR(run("conv2d", {x, zeros({2, 4, 3, 3})}, {{"groups", 3.0}}), ErrorCode::kShape,
                  "conv2d: the channels cannot be divided into 3 groups");
  EXPECT_MT_ERROR(run("conv2d", {x, zeros({2, 4, 3, 3})}, {{"groups", 0.0}}), ErrorCode::kShape, "into 0 groups");
  EXPECT_MT_ERROR(run("conv2d", {x, zeros({2, 4, 6, 3})}), ErrorCode::kShape,
                  "conv2d: a kernel of size 6 with dilation 1 does not fit into an axis of size 5 with padding 0");
  EXPECT_MT_ERROR(run("conv2d", {x, zeros({2, 4, 0, 3})}), ErrorCode::kShape, "a kernel of size 0");
  EXPECT_MT_ERROR(run("conv2d", {x, zeros({2, 4, 3, 3}), zeros({3})}), ErrorCode::kShape,
                  "conv2d: the bias must be of shape [2], not [3]");
  EXPECT_MT_ERROR(run("conv1d", {zeros({1, 4, 5}), zeros({2, 4, 6})}), ErrorCode::kShape, "conv1d: a kernel of size 6");
}

TEST_F(NeuralOps, ConvolutionsRefuseOptionsOutOfRange) {
  const std::vector<Tensor> inputs{zeros({1, 1, 5, 5}), zeros({1, 1, 3, 3})};
  EXPECT_MT_ERROR(run("conv2d", inputs, {{"stride", 0.0}}), ErrorCode::kValue,
                  "conv2d: stride must be one or two integers from 1 to 2147483647, not [0]");
  EXPECT_MT_ERROR(run("conv2d", inputs, {{"padding", Integers{0, -1}}}), ErrorCode::kValue, "not [0,-1]");
  EXPECT_MT_ERROR(run("conv2d", inputs, {{"dilation", Integers{}}}), ErrorCode::kValue, "not []");
  EXPECT_MT_ERROR(run("conv2d", inputs, {{"dilation", Integers{1, 1, 1}}}), ErrorCode::kValue, "not [1,1,1]");
  EXPECT_MT_ERROR(run("conv2d", inputs, {{"dilation", 2147483647.0}}), ErrorCode::kShape, "does not fit");
  EXPECT_MT_ERROR(run("conv2d", inputs, {{"stride", 1e15}}), ErrorCode::kValue, "stride");
  EXPECT_MT_ERROR(run("conv1d", {zeros({1, 1, 5}), zeros({1, 1, 3})}, {{"stride", Integers{1, 1}}}), ErrorCode::kValue,
                  "conv1d: stride must be one integer");
}

// So large that only some rows of windows are laid out at a time. Of a kernel that is 1 at one place and 0 elsewhere,
// the convolution is a part of x.
TEST_F(NeuralOps, ALargeConvolutionIsTheSameInBlocks) {
  const Tensor x = iota({2, 3, 200, 210});
  Tensor weight = zeros({1, 3, 5, 5});
  weight.data<float>()[1 * 25 + 2 * 5 + 4] = 1;
  const Shape shape{2, 1, 196, 206};
  const Strides strides{126000, 1, 210, 1};
  constexpr std::int64_t kOffset = 42424;  // of channel 1, row 2, column 4
  const Tensor expected = x.view(shape, strides, kOffset);
  EXPECT_TRUE(test::tensors_equal(run("conv2d", {x, weight}), expected.clone()));
  const Tensor g = Tensor::full(shape, 1, DType::kFloat32);
  const std::vector<Tensor> found =
      gradients("conv2d", {x.cast(DType::kFloat64), weight.cast(DType::kFloat64)}, {}, g.cast(DType::kFloat64));
  Tensor of_x = Tensor::zeros({2, 3, 200, 210}, DType::kFloat64);
  of_x.view(shape, strides, kOffset).assign(g);
  EXPECT_TRUE(test::tensors_equal(found[0], of_x));
  // The sum of the elements that the last weight sees, of an arithmetic progression in rows and columns.
  const double first = 2 * 200 * 210 + 4 * 210 + 4;
  const double samples = 2 * first + 3 * 200 * 210;
  EXPECT_EQ(found[1].to_vector()[74],
            samples * 196 * 206 + 2 * 206 * 210 * (195.0 * 196 / 2) + 2 * 196 * (205.0 * 206 / 2));
}

TEST_F(NeuralOps, PoolsRefuseWhatDoesNotFit) {
  EXPECT_MT_ERROR(run("maxPool2d", {zeros({4, 4})}, {{"kernelSize", 2.0}}), ErrorCode::kShape,
                  "maxPool2d: x needs the axes [samples,] channels, rows, columns, but is [4,4]");
  EXPECT_MT_ERROR(run("avgPool2d", {zeros({1, 4, 4})}, {{"kernelSize", 5.0}}), ErrorCode::kShape,
                  "avgPool2d: a kernel of size 5");
  EXPECT_MT_ERROR(run("avgPool2d", {zeros({1, 4, 4})}, {{"kernelSize", 0.0}}), ErrorCode::kValue, "kernelSize");
  EXPECT_MT_ERROR(run("maxPool2d", {zeros({1, 4, 4})}, {{"kernelSize", 3.0}, {"padding", 2.0}}), ErrorCode::kValue,
                  "maxPool2d: the padding 2 is more than half the kernel of size 3");
}

TEST_F(NeuralOps, TheGradientOfAMaximumGoesToTheFirstOfEqualElementsAndToNaN) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Tensor x = test::make_tensor({1, 3, 3, 3, 5, kNaN, 2, 3}, {1, 2, 4});
  const Tensor g = Tensor::from<float>({2, 4}, {1, 1, 2});
  EXPECT_TENSOR_EQ(gradients("maxPool2d", {x}, {{"kernelSize", 2.0}}, g)[0], {{{0, 0, 4, 0}, {0, 2, 0, 0}}});
}

TEST_F(NeuralOps, NormalizationNeedsAnElementForEachChannel) {
  const Tensor x = zeros({2, 3, 4});
  EXPECT_MT_ERROR(run("batchNorm", {x, zeros({4})}), ErrorCode::kShape,
                  "batchNorm: the weight must have the shape [3], not [4]");
  EXPECT_MT_ERROR(run("groupNorm", {x, zeros({3}), zeros({1})}, {{"groups", 1.0}}), ErrorCode::kShape,
                  "groupNorm: the bias must have the shape [3], not [1]");
  EXPECT_MT_ERROR(run("batchNorm", {x, {}, {}, zeros({3})}), ErrorCode::kValue,
                  "batchNorm: mean and variance are given both or not at all");
  EXPECT_MT_ERROR(run("batchNorm", {zeros({3})}), ErrorCode::kShape, "batchNorm: x needs the axes");
  EXPECT_MT_ERROR(run("groupNorm", {x}, {{"groups", 2.0}}), ErrorCode::kShape,
                  "groupNorm: the channels cannot be divided into 2 groups: x is [2,3,4]");
  EXPECT_MT_ERROR(run("groupNorm", {x}, {{"groups", 0.0}}), ErrorCode::kShape, "into 0 groups");
}

TEST_F(NeuralOps, BatchNormTakesStatisticsWithoutWeights) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 8}, {2, 2});
  const std::vector<Tensor> inputs{x, {}, {}, Tensor::from<float>({1, 2}, {2}), Tensor::from<float>({4, 9}, {2})};
  EXPECT_TENSOR_EQ(run("batchNorm", inputs, {{"eps", 0.0}}), {{0, 0}, {1, 2}});
  const std::vector<Tensor> found =
      gradients("batchNorm", inputs, {{"eps", 0.0}}, Tensor::from<float>({1, 1, 1, 1}, {2, 2}));
  EXPECT_TENSOR_ULPS(found[0], 2, {{0.5, 1.0 / 3}, {0.5, 1.0 / 3}});
  EXPECT_FALSE(found[1].is_defined());
}

TEST_F(NeuralOps, EmbeddingRefusesWhatIsNoRow) {
  const Tensor weight = iota({3, 2});
  for (const std::int64_t index : {-1, 3}) {
    EXPECT_MT_ERROR(run("embedding", {Tensor::from<std::int64_t>({0, index}, {2}), weight}), ErrorCode::kValue,
                    "embedding: index " + std::to_string(index) + " is none of the 3 rows of weight");
  }
  EXPECT_MT_ERROR(run("embedding", {zeros({2}), weight}), ErrorCode::kDType, "embedding: indices must be integers");
  EXPECT_MT_ERROR(run("embedding", {Tensor::from<std::int64_t>({0}, {1}), zeros({3})}), ErrorCode::kShape,
                  "embedding: weight needs the axes rows, features, but is [3]");
}

TEST_F(NeuralOps, DropoutDropsTheSharePAndTheSameElementsForTheSameSeed) {
  const Tensor x = Tensor::full({100, 100}, 1, DType::kFloat32);
  const NamedAttributes attributes{{"p", 0.25}, {"seed", 5.0}};
  const Tensor y = run("dropout", {x}, attributes);
  std::size_t dropped = 0;
  for (const double value : y.to_vector()) dropped += value == 0 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(dropped), 2500, 200);  // more than 4 standard deviations
  EXPECT_TRUE(test::tensors_equal(run("dropout", {x}, attributes), y));
  EXPECT_FALSE(test::tensors_equal(run("dropout", {x}, {{"p", 0.25}, {"seed", 6.0}}), y));
  EXPECT_TRUE(test::tensors_equal(gradients("dropout", {x}, attributes, x)[0], y));
}

TEST_F(NeuralOps, DropoutRefusesWhatIsNoProbability) {
  for (const double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_MT_ERROR(run("dropout", {zeros({2})}, {{"p", p}, {"seed", 1.0}}), ErrorCode::kValue, "dropout: p must be");
  }
  EXPECT_MT_ERROR(run("dropout", {zeros({2})}), ErrorCode::kValue, "\"seed\" is required");
}

TEST_F(NeuralOps, AttentionNamesTheSizesThatDoNotMatch) {
  EXPECT_MT_ERROR(
      run("scaledDotProductAttention", {zeros({2, 3}), zeros({4, 2}), zeros({4, 2})}), ErrorCode::kShape,
      "scaledDotProductAttention: query and key differ in the last size: query [2,3], key [4,2], value [4,2]");
  EXPECT_MT_ERROR(run("scaledDotProductAttention", {zeros({2, 3}), zeros({4, 3}), zeros({5, 2})}), ErrorCode::kShape,
                  "key and value differ in the number of rows");
  EXPECT_MT_ERROR(run("scaledDotProductAttention", {zeros({3}), zeros({4, 3}), zeros({4, 2})}), ErrorCode::kShape,
                  "all need two axes or more");
  EXPECT_MT_ERROR(run("scaledDotProductAttention", {zeros({2, 3}), zeros({4, 3}), zeros({4, 2}), zeros({3, 4})}),
                  ErrorCode::kShape, "scaledDotProductAttention");
  EXPECT_MT_ERROR(run("scaledDotProductAttention", {zeros({2, 2, 3}), zeros({3, 4, 3}), zeros({4, 2})}),
                  ErrorCode::kShape, "scaledDotProductAttention: shapes do not broadcast");
}

// More weights than are in memory at a time: row i of a causal attention to equal keys is the mean of i + 1 values.
TEST_F(NeuralOps, ALongAttentionIsTheSameInBlocks) {
  constexpr std::int64_t kLength = 1500;
  const Tensor same = Tensor::zeros({kLength, 1}, DType::kFloat64);
  const Tensor value = iota({kLength, 1}, DType::kFloat64);
  const std::vector<double> result =
      run("scaledDotProductAttention", {same, same, value}, {{"causal", true}}).to_vector();
  const std::vector<double> of_value = gradients("scaledDotProductAttention", {same, same, value}, {{"causal", true}},
                                                 Tensor::full({kLength, 1}, 1, DType::kFloat64))[2]
                                           .to_vector();
  double expected = 0;
  for (std::int64_t i = kLength - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(result[at], static_cast<double>(i) / 2, 1e-10);
    expected += 1 / static_cast<double>(i + 1);
    EXPECT_NEAR(of_value[at], expected, 1e-10);
  }
}

TEST_F(NeuralOps, ARowOfAttentionThatNoKeyTakesPartInIsZeroAndHasNoGradient) {
  const Tensor query = pseudo_random({2, 3}, DType::kFloat64);
  const Tensor key = pseudo_random({4, 3}, DType::kFloat64, 2);
  const Tensor value = pseudo_random({4, 1}, DType::kFloat64, 3);
  const Tensor mask = Tensor::from<bool>({false, false, false, false, false, true, false, false}, {2, 4});
  EXPECT_TENSOR_EQ(run("scaledDotProductAttention", {query, key, value, mask}), {{0}, {value.to_vector()[1]}});
  const std::vector<Tensor> found =
      gradients("scaledDotProductAttention", {query, key, value, mask}, {}, Tensor::full({2, 1}, 1, DType::kFloat64));
  EXPECT_TENSOR_EQ(found[2], {{0}, {1}, {0}, {0}});
  EXPECT_TENSOR_EQ(found[0], {{0, 0, 0}, {0, 0, 0}});
}

TEST_F(NeuralOps, LossesRefuseTargetsThatDoNotFit) {
  EXPECT_MT_ERROR(run("mse", {zeros({3}), zeros({3, 1})}), ErrorCode::kShape,
                  "mse: x and target differ in shape: [3] and [3,1]");
  EXPECT_MT_ERROR(run("binaryCrossEntropyWithLogits", {zeros({3}), zeros({})}), ErrorCode::kShape,
                  "binaryCrossEntropyWithLogits: logits and targets differ in shape: [3] and []");
  const Tensor targets = Tensor::from<std::int64_t>({0, 1}, {2});
  EXPECT_MT_ERROR(run("crossEntropy", {zeros({3, 4}), targets}), ErrorCode::kShape,
                  "crossEntropy: for scores [3,4] the targets must be [3], but are [2]");
  EXPECT_MT_ERROR(run("nll", {zeros({}), targets}), ErrorCode::kShape, "nll: a number has no axis of classes");
  for (const std::int64_t wrong : {-1, 4}) {
    EXPECT_MT_ERROR(run("crossEntropy", {zeros({2, 4}), Tensor::from<std::int64_t>({0, wrong}, {2})}),
                    ErrorCode::kValue, "crossEntropy: target " + std::to_string(wrong) + " is none of the 4 classes");
  }
  EXPECT_MT_ERROR(run("nll", {zeros({2, 4}), zeros({2})}), ErrorCode::kDType, "nll: targets must be integers");
  EXPECT_MT_ERROR(run("mse", {zeros({3}), zeros({3})}, {{"reduction", std::string("average")}}), ErrorCode::kValue,
                  "mse: reduction must be \"mean\", \"sum\" or \"none\", not \"average\"");
}

TEST_F(NeuralOps, CrossEntropyOfExtremeLogitsHasAFiniteGradient) {
  const Tensor logits = Tensor::from<float>({1000, -1000, 0, -1000, 1000, 1000}, {2, 3});
  const std::vector<Tensor> found = gradients("crossEntropy", {logits, Tensor::from<std::int64_t>({1, 2}, {2})},
                                              {{"reduction", std::string("sum")}}, Tensor());
  EXPECT_TENSOR_EQ(found[0], {{1, -1, 0}, {0, 0.5, -0.5}});
}

}  // namespace
}  // namespace minitensor
