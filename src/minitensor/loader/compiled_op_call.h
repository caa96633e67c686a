#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "minitensor/loader/abi_convert.h"
#include "minitensor/loader/call_context.h"
#include "minitensor/loader/host_table.h"
#include "minitensor/loader/loaded_module.h"
#include "minitensor/ops/op.h"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

constexpr std::uint32_t kMaxInputs = 64;

/// The ABI's description of an op, and the module that it points into.
struct CompiledOp {
  bool takes(DType dtype) const noexcept { return (op.dtypes & MT_DTYPE_BIT(dtype)) != 0; }

  std::shared_ptr<LoadedModule> module;
  mt_op op;          ///< with the dtypes that it takes when it does not say
  std::string what;  ///< `op "swish"`, as errors name it
};

/// The arguments of one call, and what they point to.
class CallFrame {
 public:
  CallFrame(const CompiledOp& compiled, std::span<const Tensor> inputs, const Attributes& attributes)
      : context_(*compiled.module, compiled.what), attributes_(attributes) {
    const bool strided = (compiled.op.flags & MT_OP_STRIDED_INPUTS) != 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_ready = strided || inputs[i].is_contiguous();
      inputs_[i] = is_ready ? context_.lend_alive(inputs[i]) : lend_copy(inputs[i]);
    }
    call_.struct_size = sizeof(mt_op_call);
    call_.input_count = static_cast<std::uint32_t>(inputs.size());
    call_.host = &host_table();
    call_.context = &context_;
    call_.plugin_state = compiled.module->plugin().state;
    call_.inputs = inputs_.data();
    call_.attribute_count = attributes_.count();
    call_.attributes = attributes_.data();
  }

  mt_context& context() { return context_; }
  mt_op_call& arguments() { return call_; }

 private:
  const mt_tensor* lend_copy(const Tensor& strided);

  mt_context context_;
  AbiAttributes attributes_;
  std::array<const mt_tensor*, kMaxInputs> inputs_;
  mt_op_call call_{};
};

/// Throws kDType, naming the op: for an input of this dtype, beside a first one of that.
[[noreturn]] void refuse_dtype(const CompiledOp& compiled, DType dtype, DType first);

/// Throws kDType, naming the op, unless it takes inputs of these dtypes.
inline void require_dtypes(const CompiledOp& compiled, std::span<const Tensor> inputs) {
  const bool is_mixed = (compiled.op.flags & MT_OP_MIXED_DTYPES) != 0;
  for (const Tensor& input : inputs) {
    if (compiled.takes(input.dtype()) && (is_mixed || input.dtype() == inputs[0].dtype())) continue;
    refuse_dtype(compiled, input.dtype(), inputs[0].dtype());
  }
}

/// Runs the op. Throws kShape, kDType and kMemory for what it promises, what it noted itself, or kPlugin.
Tensor forward(const CompiledOp& compiled, std::span<const Tensor> inputs, const Attributes& attributes);

/// The same of an op that promises its output by functions of its own, or reads strides.
Tensor forward_as_promised(const CompiledOp& compiled, std::span<const Tensor> inputs, CallFrame& frame);

/// One gradient for each input. Throws as forward does, and kShape for an output that forward does not give.
std::vector<Tensor> backward(const CompiledOp& compiled, const BackwardArguments& arguments);

}  // namespace minitensor
