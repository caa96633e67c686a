#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "minitensor/ops/attributes.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// What a gradient function is given.
struct BackwardArguments {
  std::span<const Tensor> inputs;
  const Attributes& attributes;
  const Tensor& output;
  const Tensor& grad_output;  ///< the gradient with respect to the output; has the output's shape and dtype
};

/// One operation: what it is called, what it takes, what it promises, and how it is computed. Built-in ops, ops
/// made of JavaScript callbacks and ops of compiled plugins are all of this one type.
struct Op {
  using Forward = std::function<Tensor(std::span<const Tensor>, const Attributes&)>;
  /// One gradient for each input, of that input's shape and dtype.
  using Backward = std::function<std::vector<Tensor>(const BackwardArguments&)>;
  /// Throws when the inputs or attributes are not acceptable.
  using Validate = std::function<void(std::span<const Tensor>, const Attributes&)>;
  using OutputShape = std::function<Shape(std::span<const Tensor>, const Attributes&)>;
  using OutputDType = std::function<DType(std::span<const Tensor>, const Attributes&)>;

  std::string name;
  std::vector<std::string> inputs;  ///< the inputs' names; their number is the op's number of inputs
  std::vector<AttributeSpec> attributes;
  std::string summary;  ///< one line: what it computes
  Forward forward;
  Backward backward;         ///< may be empty: the op has no gradient
  Validate validate;         ///< may be empty
  OutputShape output_shape;  ///< may be empty: nothing is promised
  OutputDType output_dtype;  ///< may be empty: nothing is promised
};

/// Runs `op` by the rules every op obeys: checks the number of inputs, resolves the attributes, validates, computes,
/// and checks that the result is what output_shape and output_dtype promise. Throws kValue for the count and the
/// attributes, kShape or kDType for a broken promise, and whatever the op's own functions throw.
Tensor run_op(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes);

/// The gradients of `op`, one for each input, checked for number, shape and dtype.
/// Throws kNotImplemented when the op has none.
std::vector<Tensor> run_op_backward(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes,
                                    const Tensor& output, const Tensor& grad_output);

}  // namespace minitensor
