#pragma once

#include <map>
#include <string>
#include <vector>

#include "minitensor/ops/op.h"

namespace minitensor::test {

/// One call of an op for the tests that enumerate the ops.
struct OpSample {
  std::vector<Shape> shapes;  ///< of the inputs
  NamedAttributes attributes = {};
  /// Where the elements lie; away from where the op is not differentiable, or not defined.
  double low = -2;
  double high = 2;
};

using OpSamples = std::map<std::string, std::vector<OpSample>>;

/// Of the ops that make tensors, and of arithmetic.
const OpSamples& numeric_op_samples();

/// Of reductions, and of the ops of linear algebra.
const OpSamples& reduction_op_samples();
/// Of the ops that neural networks are made of, and the losses.
const OpSamples& neural_op_samples();
/// Of the ops that arrange, index and sort.
const OpSamples& array_op_samples();

/// Calls of this op: its own of the list in op_samples.cpp, or, for an op without required attributes and with one or
/// two value inputs, ones that broadcast.
std::vector<OpSample> samples_of(const Op& op);

/// The inputs of a sample: values between low and high in no order, the same ones every time. Indices are 0 and 1 in
/// int64; conditions are bool.
std::vector<Tensor> sample_inputs(const Op& op, const OpSample& sample, DType dtype, std::uint32_t seed = 1);

}  // namespace minitensor::test
