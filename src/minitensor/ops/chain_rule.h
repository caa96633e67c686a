#pragma once

#include "minitensor/ops/op_table.h"

namespace minitensor {

/// g f'(v) element by element, for a derivative that is written as a function of v: the input or the output of f.
/// For what is not worth a kernel of its own.
Tensor chain_rule(const Tensor& g, const Tensor& v, double (*derivative)(double v));

/// The gradient of an op with one input, as the table has it: of the derivative as a function of the input.
template <double (*kDerivative)(double)>
Gradients derivative_at_input(const BackwardArguments& at) {
  return {chain_rule(at.grad_output, at.inputs[0], kDerivative)};
}

/// The same of the output.
template <double (*kDerivative)(double)>
Gradients derivative_at_output(const BackwardArguments& at) {
  return {chain_rule(at.grad_output, at.output, kDerivative)};
}

/// The gradient of an op with one input that is constant wherever it has one.
Gradients zero_gradient(const BackwardArguments& at);

}  // namespace minitensor
