#pragma once

#include <cstdint>
#include <vector>

#include "minitensor/autograd/tape.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/make_tensor.h"

namespace minitensor::test {

/// A tensor of one axis.
inline Tensor row(const std::vector<double>& values, DType dtype = DType::kFloat64) {
  return make_tensor(values, {static_cast<std::int64_t>(values.size())}, dtype);
}

/// The gradients of the sum of what the op gives.
inline std::vector<Tensor> gradients_of_sum(const char* op, std::vector<Tensor> inputs) {
  OpRegistry ops;
  register_builtin_ops(ops);
  for (Tensor& input : inputs) set_requires_grad(input, true);
  const Tensor output = execute(ops.get(op), inputs);
  backward(output, Tensor::full(output.shape(), 1, output.dtype()));
  for (Tensor& input : inputs) input = gradient_of(input);
  return inputs;
}

}  // namespace minitensor::test
