#include "support/expect_gradients.h"

#include <gtest/gtest.h>

#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor::test {

namespace {

// The gradient with respect to `inputs[which]` of the sum of output times `weight`, by central differences in float64.
Tensor numeric_gradient(const Op& op, std::vector<Tensor> inputs, std::size_t which, const Tensor& weight,
                        const NamedAttributes& attributes) {
  constexpr double kStep = 1e-5;
  const auto loss = [&] {
    const std::vector<double> y = run_op(op, inputs, attributes).to_vector();
    const std::vector<double> w = weight.to_vector();
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * w[i];
    return sum;
  };
  inputs[which] = inputs[which].clone();
  Tensor gradient = Tensor::zeros(inputs[which].shape(), DType::kFloat64);
  for (std::int64_t i = 0; i < gradient.size(); ++i) {
    double& x = inputs[which].data<double>()[i];
    const double before = x;
    x = before + kStep;
    const double above = loss();
    x = before - kStep;
    const double below = loss();
    x = before;
    gradient.data<double>()[i] = (above - below) / (2 * kStep);
  }
  return gradient;
}

}  // namespace

void expect_gradients(const Op& op, const std::vector<Tensor>& inputs, const NamedAttributes& attributes) {
  const Tensor output = run_op(op, inputs, attributes);
  const Tensor weight = pseudo_random(output.shape(), DType::kFloat64, 77);
  const std::vector<Tensor> gradients = run_op_backward(op, inputs, attributes, output, weight);
  ASSERT_EQ(gradients.size(), inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_TRUE(tensors_equal(gradients[i], numeric_gradient(op, inputs, i, weight, attributes), {1e-7, 0}))
        << "input " << i;
  }
}

}  // namespace minitensor::test
