#include "minitensor/loader/compiled_op_call.h"

#include "minitensor/base/text.h"

namespace minitensor {

namespace {

[[noreturn]] void fail(const CompiledOp& compiled, ErrorCode code, const std::string& rule) {
  const std::string message = compiled.what + ": " + rule;
  throw code == ErrorCode::kPlugin ? compiled.module->error("call", message) : Error(code, message);
}

std::vector<std::string> names_of_dtypes(std::uint32_t bits) {
  std::vector<std::string> names;
  for (mt_dtype number = 0; number < 32; ++number) {
    if ((bits & MT_DTYPE_BIT(number)) != 0 && is_dtype_number(number)) {
      names.emplace_back(dtype_name(static_cast<DType>(number)));
    }
  }
  return names;
}

Shape promised_shape(const CompiledOp& compiled, std::span<const Tensor> inputs, CallFrame& frame) {
  if (compiled.op.output_shape == nullptr) return inputs[0].shape();
  std::int32_t rank = 0;
  std::int64_t sizes[MT_MAX_RANK] = {};
  compiled.module->call(frame.context(), [&] { return compiled.op.output_shape(&frame.arguments(), &rank, sizes); });
  if (rank < 0 || rank > MT_MAX_RANK) {
    fail(compiled, ErrorCode::kPlugin, "output_shape gave the rank " + std::to_string(rank));
  }
  const Shape shape(std::span<const std::int64_t>(sizes, static_cast<std::size_t>(rank)));
  element_count(shape, compiled.what + ": output_shape");
  return shape;
}

DType promised_dtype(const CompiledOp& compiled, std::span<const Tensor> inputs, CallFrame& frame) {
  if (compiled.op.output_dtype == nullptr) return inputs[0].dtype();
  mt_dtype dtype = 0;
  compiled.module->call(frame.context(), [&] { return compiled.op.output_dtype(&frame.arguments(), &dtype); });
  if (!is_dtype_number(dtype)) {
    fail(compiled, ErrorCode::kPlugin, "output_dtype gave the unknown dtype " + std::to_string(dtype));
  }
  return static_cast<DType>(dtype);
}

void validate(const CompiledOp& compiled, CallFrame& frame) {
  if (compiled.op.validate == nullptr) return;
  compiled.module->call(frame.context(), [&] { return compiled.op.validate(&frame.arguments()); });
}

// The plugin trusts what it is given to be what forward was given and gave, so that is made sure of.
void require_forward_arguments(const CompiledOp& compiled, const BackwardArguments& arguments, CallFrame& frame) {
  require_dtypes(compiled, arguments.inputs);
  validate(compiled, frame);
  const Shape shape = promised_shape(compiled, arguments.inputs, frame);
  const DType dtype = promised_dtype(compiled, arguments.inputs, frame);
  if (arguments.output.shape() != shape || arguments.output.dtype() != dtype) {
    fail(compiled, ErrorCode::kShape,
         "its gradient is asked for with an output of shape " + to_string(arguments.output.shape()) + " and dtype " +
             std::string(dtype_name(arguments.output.dtype())) + ", but forward gives " + to_string(shape) + " and " +
             std::string(dtype_name(dtype)));
  }
}

}  // namespace

void refuse_dtype(const CompiledOp& compiled, DType dtype, DType first) {
  const std::string name(dtype_name(dtype));
  if (compiled.takes(dtype)) {
    fail(compiled, ErrorCode::kDType, "inputs differ in dtype: " + std::string(dtype_name(first)) + " and " + name);
  }
  fail(compiled, ErrorCode::kDType,
       "does not take " + name + "; it takes " + join(names_of_dtypes(compiled.op.dtypes), ", "));
}

const mt_tensor* CallFrame::lend_copy(const Tensor& strided) { return context_.lend(strided.contiguous()); }

// Validation, shape, dtype and computation share one frame, because making one is most of a small call's cost. The
// output is made by the host from what the plugin promises, so that a promise cannot be broken.
Tensor forward_as_promised(const CompiledOp& compiled, std::span<const Tensor> inputs, CallFrame& frame) {
  validate(compiled, frame);
  Tensor output = Tensor::empty(promised_shape(compiled, inputs, frame), promised_dtype(compiled, inputs, frame));
  frame.arguments().output = frame.context().lend_alive(output);
  compiled.module->call(frame.context(), [&] { return compiled.op.forward(&frame.arguments()); });
  return output;
}

std::vector<Tensor> backward(const CompiledOp& compiled, const BackwardArguments& arguments) {
  compiled.module->require_open(compiled.what);
  CallFrame frame(compiled, arguments.inputs, arguments.attributes);
  require_forward_arguments(compiled, arguments, frame);
  std::vector<Tensor> gradients;
  std::vector<mt_tensor*> views;
  for (const Tensor& input : arguments.inputs) {
    gradients.push_back(Tensor::zeros(input.shape(), input.dtype()));
    views.push_back(frame.context().lend(gradients.back()));
  }
  mt_op_call& call = frame.arguments();
  call.output = frame.context().lend(arguments.output.contiguous());
  call.grad_output = frame.context().lend(arguments.grad_output.contiguous());
  call.grad_inputs = views.data();
  compiled.module->call(frame.context(), [&] { return compiled.op.backward(&call); });
  return gradients;
}

}  // namespace minitensor
