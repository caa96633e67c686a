#include "ops/op_samples.h"

namespace minitensor::test {

namespace {

using Integers = std::vector<std::int64_t>;

constexpr const char* kSum = "sum";
constexpr const char* kNone = "none";

std::vector<OpSample> loss_samples(double low, double high) {
  return {{{{}, {}}, {}, low, high},
          {{{3, 4}, {3, 4}}, {}, low, high},
          {{{3, 4}, {3, 4}}, {{"reduction", std::string(kSum)}}, low, high},
          {{{3, 4}, {3, 4}}, {{"reduction", std::string(kNone)}}, low, high},
          {{{0, 2}, {0, 2}}, {{"reduction", std::string(kNone)}}}};
}

std::vector<OpSample> class_loss_samples() {
  return {{{{3}, {}}},
          {{{5, 3}, {5}}, {{"ignoreIndex", 1.0}}},
          {{{5, 3}, {5}}, {{"reduction", std::string(kSum)}}},
          {{{2, 3, 2, 2}, {2, 2, 2}}, {{"reduction", std::string(kNone)}, {"ignoreIndex", 0.0}}},
          {{{0, 3}, {0}}, {{"reduction", std::string(kSum)}}}};
}

}  // namespace

const OpSamples& neural_op_samples() {
  static const OpSamples samples{
      {"avgPool2d",
       {{{{2, 2, 4, 5}}, {{"kernelSize", 2.0}}},
        {{{2, 5, 4}}, {{"kernelSize", Integers{3, 2}}, {"stride", 1.0}, {"padding", 1.0}, {"countIncludePad", false}}},
        {{{0, 2, 4, 4}}, {{"kernelSize", 2.0}}}}},
      {"batchNorm",
       {{{{4, 3}}},
        {{{3, 2, 5}, {2}, {2}}},
        {{{2, 3, 2, 2}, {3}, {3}, {3}, {3}}, {{"eps", 0.1}}, 0.5, 2},
        {{{0, 3}, {3}, {3}, {3}, {3}}}}},
      {"binaryCrossEntropyWithLogits", loss_samples(0.1, 2)},
      {"conv1d",
       {{{{2, 3, 7}, {4, 3, 3}, {4}}},
        {{{1, 4, 8}, {2, 2, 3}}, {{"stride", 2.0}, {"padding", 2.0}, {"dilation", 2.0}, {"groups", 2.0}}},
        {{{0, 2, 4}, {3, 2, 2}}}}},
      {"conv2d",
       {{{{2, 2, 4, 5}, {3, 2, 3, 2}, {3}}},
        {{{2, 4, 5, 6}, {4, 2, 2, 3}, {4}},
         {{"stride", Integers{2, 1}}, {"padding", Integers{1, 2}}, {"dilation", Integers{2, 1}}, {"groups", 2.0}}},
        {{{0, 2, 3, 3}, {3, 2, 2, 2}}}}},
      {"crossEntropy", class_loss_samples()},
      {"dropout", {{{{3, 7}}, {{"seed", 7.0}}}, {{{5}}, {{"p", 0.2}, {"seed", 1.0}}}, {{{0}}, {{"seed", 1.0}}}}},
      {"embedding", {{{{2, 3}, {4, 3}}}, {{{}, {2, 5}}}, {{{0}, {2, 3}}}}},
      {"groupNorm",
       {{{{2, 4, 3}, {4}, {4}}, {{"groups", 2.0}}},
        {{{2, 3, 2, 2}}, {{"groups", 1.0}, {"eps", 0.1}}},
        {{{0, 4, 2}}, {{"groups", 4.0}}}}},
      {"maxPool2d",
       {{{{2, 2, 4, 5}}, {{"kernelSize", 2.0}}},
        {{{2, 5, 4}}, {{"kernelSize", Integers{3, 2}}, {"stride", 1.0}, {"padding", 1.0}}},
        {{{1, 1, 5, 6}}, {{"kernelSize", 2.0}, {"stride", 1.0}, {"dilation", Integers{2, 3}}}},
        {{{0, 2, 4, 4}}, {{"kernelSize", 2.0}}}}},
      {"mse", loss_samples(-2, 2)},
      {"nll", class_loss_samples()},
      {"scaledDotProductAttention",
       {{{{3, 4}, {5, 4}, {5, 2}}},
        {{{2, 2, 4, 3}, {2, 1, 4, 3}, {4, 5}}, {{"causal", true}}},
        {{{2, 3, 2}, {2, 4, 2}, {2, 4, 3}, {3, 4}}, {{"scale", 0.7}}},
        {{{3, 2}, {4, 2}, {4, 3}, {1, 4}}, {{"causal", true}}},
        {{{2, 0, 3}, {2, 4, 3}, {2, 4, 2}}},
        {{{2, 3}, {0, 3}, {0, 2}}}}},
  };
  return samples;
}

}  // namespace minitensor::test
