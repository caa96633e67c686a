#include "minitensor/ops/op.h"

#include "minitensor/base/error.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

void require_input_count(const Op& op, std::size_t given) {
  const std::size_t most = op.inputs.size();
  const std::size_t least = most - op.optional_inputs;
  if (given >= least && (given <= most || op.is_variadic)) return;
  std::string wanted = std::to_string(least);
  if (op.is_variadic) {
    wanted += " or more";
  } else if (least != most) {
    wanted += " to " + std::to_string(most);
  }
  throw_error(ErrorCode::kValue, {op.name, ": takes ", wanted, wanted == "1" ? " input" : " inputs", ", got ",
                                  static_cast<std::int64_t>(given)});
}

[[noreturn]] void throw_broken_promise(ErrorCode code, const Op& op, const char* what, std::string_view promised,
                                       std::string_view given) {
  throw_error(code, {"op \"", op.name, "\" promised ", what, " ", promised, " but gave ", given});
}

void require_like(const Op& op, const Tensor& result, const Shape& shape, DType dtype, const char* shape_label,
                  const char* dtype_label) {
  if (result.shape() != shape) {
    throw_broken_promise(ErrorCode::kShape, op, shape_label, to_string(shape), to_string(result.shape()));
  }
  if (result.dtype() != dtype) {
    throw_broken_promise(ErrorCode::kDType, op, dtype_label, dtype_name(dtype), dtype_name(result.dtype()));
  }
}

void require_backward(const Op& op) {
  if (!op.backward) throw_error(ErrorCode::kNotImplemented, {"op \"", op.name, "\" has no gradient"});
}

}  // namespace

void prepare_default_attributes(Op& op) {
  for (const AttributeSpec& spec : op.attributes) {
    if (!spec.default_value && !spec.is_optional) return;
  }
  op.default_attributes = Attributes::resolve(op.attributes, {}, op.name);
}

const Attributes& resolve_attributes(const Op& op, const NamedAttributes& given, std::optional<Attributes>& storage) {
  if (given.empty() && op.default_attributes) return *op.default_attributes;
  return storage.emplace(Attributes::resolve(op.attributes, given, op.name));
}

Tensor run_resolved(const Op& op, std::span<const Tensor> inputs, const Attributes& attributes) {
  require_input_count(op, inputs.size());
  if (!op.forward) {
    throw_error(ErrorCode::kValue,
                {op.name, ": has several outputs; run it with execute_many, or with call_op_many in a plugin"});
  }
  if (op.validate) op.validate(inputs, attributes);
  Tensor result = op.forward(inputs, attributes);
  if (op.output_shape || op.output_dtype) {
    const Shape shape = op.output_shape ? op.output_shape(inputs, attributes) : result.shape();
    const DType dtype = op.output_dtype ? op.output_dtype(inputs, attributes) : result.dtype();
    require_like(op, result, shape, dtype, "shape", "dtype");
  }
  return result;
}

std::vector<Tensor> run_resolved_many(const Op& op, std::span<const Tensor> inputs, const Attributes& attributes) {
  std::vector<Tensor> results;
  if (op.forward_many) {
    require_input_count(op, inputs.size());
    results = op.forward_many(inputs, attributes);
  } else {
    results.push_back(run_resolved(op, inputs, attributes));
  }
  return results;
}

Tensor run_op(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes) {
  std::optional<Attributes> storage;
  require_input_count(op, inputs.size());
  return run_resolved(op, inputs, resolve_attributes(op, attributes, storage));
}

std::vector<Tensor> run_op_many(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes) {
  std::optional<Attributes> storage;
  require_input_count(op, inputs.size());
  return run_resolved_many(op, inputs, resolve_attributes(op, attributes, storage));
}

namespace {

// The sum over the axes along which an input was broadcast, in the input's dtype.
Tensor fitted(const Tensor& gradient, const Tensor& input) {
  return sum_to_shape(gradient, input.shape()).cast(input.dtype());
}

}  // namespace

std::vector<Tensor> run_backward(const Op& op, const BackwardArguments& arguments) {
  require_backward(op);
  std::vector<Tensor> gradients = op.backward(arguments);
  const std::span<const Tensor> inputs = arguments.inputs;
  if (gradients.size() != inputs.size()) {
    throw_error(ErrorCode::kValue, {"op \"", op.name, "\" gave ", static_cast<std::int64_t>(gradients.size()),
                                    " gradients for ", static_cast<std::int64_t>(inputs.size()), " inputs"});
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Tensor& gradient = gradients[i];
    if (!gradient.is_defined()) continue;
    if (op.fits_gradients) {
      gradient = fitted(gradient, inputs[i]);
    } else {
      require_like(op, gradient, inputs[i].shape(), inputs[i].dtype(), "a gradient of shape", "a gradient of dtype");
    }
  }
  return gradients;
}

void require_gradient_of(const Tensor& value, const Tensor& gradient, std::string_view operation, const char* what) {
  if (gradient.shape() != value.shape()) {
    throw_error(ErrorCode::kShape,
                {operation, ": the gradient has shape ", gradient.shape(), ", ", what, " ", value.shape()});
  }
  if (gradient.dtype() != value.dtype()) {
    throw_error(ErrorCode::kDType, {operation, ": the gradient is ", dtype_name(gradient.dtype()), ", ", what, " ",
                                    dtype_name(value.dtype())});
  }
}

std::vector<Tensor> run_op_backward(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes,
                                    const Tensor& output, const Tensor& grad_output) {
  require_input_count(op, inputs.size());
  require_backward(op);
  std::optional<Attributes> storage;
  const Attributes& resolved = resolve_attributes(op, attributes, storage);
  require_gradient_of(output, grad_output, op.name, "the output");
  std::vector<Tensor> gradients =
      run_backward(op, {.inputs = inputs, .attributes = resolved, .output = output, .grad_output = grad_output});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!gradients[i].is_defined()) gradients[i] = Tensor::zeros(inputs[i].shape(), inputs[i].dtype());
  }
  return gradients;
}

}  // namespace minitensor
