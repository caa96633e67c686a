#include "minitensor/ops/op.h"

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

namespace {

void require_input_count(const Op& op, std::size_t given) {
  const std::size_t wanted = op.inputs.size();
  if (given == wanted) return;
  throw Error(ErrorCode::kValue, op.name + ": takes " + std::to_string(wanted) + (wanted == 1 ? " input" : " inputs") +
                                     ", got " + std::to_string(given));
}

[[noreturn]] void throw_broken_promise(ErrorCode code, const Op& op, const char* what, std::string_view promised,
                                       std::string_view given) {
  throw Error(code, "op " + quote(op.name) + " promised " + what + " " + std::string(promised) + " but gave " +
                        std::string(given));
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

}  // namespace

Tensor run_op(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes) {
  require_input_count(op, inputs.size());
  const Attributes resolved = Attributes::resolve(op.attributes, attributes, op.name);
  if (op.validate) op.validate(inputs, resolved);
  Tensor result = op.forward(inputs, resolved);
  const Shape shape = op.output_shape ? op.output_shape(inputs, resolved) : result.shape();
  const DType dtype = op.output_dtype ? op.output_dtype(inputs, resolved) : result.dtype();
  require_like(op, result, shape, dtype, "shape", "dtype");
  return result;
}

std::vector<Tensor> run_op_backward(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes,
                                    const Tensor& output, const Tensor& grad_output) {
  require_input_count(op, inputs.size());
  if (!op.backward) throw Error(ErrorCode::kNotImplemented, "op " + quote(op.name) + " has no gradient");
  const Attributes resolved = Attributes::resolve(op.attributes, attributes, op.name);
  if (grad_output.shape() != output.shape()) {
    throw Error(ErrorCode::kShape, op.name + ": the gradient has shape " + to_string(grad_output.shape()) +
                                       ", the output " + to_string(output.shape()));
  }
  if (grad_output.dtype() != output.dtype()) {
    throw Error(ErrorCode::kDType, op.name + ": the gradient is " + std::string(dtype_name(grad_output.dtype())) +
                                       ", the output " + std::string(dtype_name(output.dtype())));
  }
  std::vector<Tensor> gradients = op.backward({inputs, resolved, output, grad_output});
  if (gradients.size() != inputs.size()) {
    throw Error(ErrorCode::kValue, "op " + quote(op.name) + " gave " + std::to_string(gradients.size()) +
                                       " gradients for " + std::to_string(inputs.size()) + " inputs");
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    require_like(op, gradients[i], inputs[i].shape(), inputs[i].dtype(), "a gradient of shape", "a gradient of dtype");
  }
  return gradients;
}

}  // namespace minitensor
