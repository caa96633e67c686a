// The way of most calls of a plugin's op. It is compiled for speed, so that the call costs no more than a built-in
// op's.
#include "minitensor/loader/compiled_op_call.h"

namespace minitensor {

namespace {

// The same for an op whose output is like its first input: there is nothing for the host to do between validation and
// computation, so that one guarded call is enough.
Tensor forward_like_first(const CompiledOp& compiled, const Tensor& first, CallFrame& frame) {
  Tensor output = Tensor::empty(first.shape(), first.dtype());
  mt_tensor* view = frame.context().lend_alive(output);
  compiled.module->call(frame.context(), [&] {
    if (compiled.op.validate != nullptr) {
      if (const mt_status status = compiled.op.validate(&frame.arguments()); status != MT_OK) return status;
    }
    frame.arguments().output = view;
    return compiled.op.forward(&frame.arguments());
  });
  return output;
}

}  // namespace

Tensor forward(const CompiledOp& compiled, std::span<const Tensor> inputs, const Attributes& attributes) {
  compiled.module->require_open(compiled.what);
  require_dtypes(compiled, inputs);
  CallFrame frame(compiled, inputs, attributes);
  // Of strided inputs, the first may be smaller than its shape.
  const bool strided = (compiled.op.flags & MT_OP_STRIDED_INPUTS) != 0;
  if (!strided && compiled.op.output_shape == nullptr && compiled.op.output_dtype == nullptr) {
    return forward_like_first(compiled, inputs[0], frame);
  }
  return forward_as_promised(compiled, inputs, frame);
}

}  // namespace minitensor
