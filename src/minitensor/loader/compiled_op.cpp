#include "minitensor/loader/compiled_op.h"

#include <array>
#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/host_table.h"

namespace minitensor {

namespace {

constexpr std::uint32_t kMaxInputs = 64;

// What an op takes that does not say.
constexpr std::uint32_t kDefaultDTypes = MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_FLOAT64);

// The ABI's description of an op, and the module that it points into.
struct CompiledOp {
  std::shared_ptr<LoadedModule> module;
  mt_op op;
  std::string what;  // `op "swish"`, as errors name it
};

[[noreturn]] void fail(const CompiledOp& compiled, ErrorCode code, const std::string& rule) {
  throw Error(code, compiled.what + ": " + rule,
              {.phase = "call", .plugin = compiled.module->name(), .symbols = {}, .hint = {}});
}

// The arguments of one call, and what they point to.
class CallFrame {
 public:
  CallFrame(const CompiledOp& compiled, std::span<const Tensor> inputs, const Attributes& attributes)
      : context_(*compiled.module, compiled.what), attributes_(attributes) {
    const bool strided = (compiled.op.flags & MT_OP_STRIDED_INPUTS) != 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_ready = strided || inputs[i].is_contiguous();
      inputs_[i] = is_ready ? context_.lend_alive(inputs[i]) : context_.lend(inputs[i].contiguous());
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
  mt_context context_;
  AbiAttributes attributes_;
  std::array<const mt_tensor*, kMaxInputs> inputs_;
  mt_op_call call_{};
};

void require_dtypes(const CompiledOp& compiled, std::span<const Tensor> inputs) {
  const std::uint32_t taken = compiled.op.dtypes == 0 ? kDefaultDTypes : compiled.op.dtypes;
  for (const Tensor& input : inputs) {
    if ((taken & MT_DTYPE_BIT(input.dtype())) == 0) {
      fail(compiled, ErrorCode::kDType, "does not take " + std::string(dtype_name(input.dtype())));
    }
    if ((compiled.op.flags & MT_OP_MIXED_DTYPES) == 0 && input.dtype() != inputs[0].dtype()) {
      fail(compiled, ErrorCode::kDType,
           "inputs differ in dtype: " + std::string(dtype_name(inputs[0].dtype())) + " and " +
               std::string(dtype_name(input.dtype())));
    }
  }
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

// Validation, shape, dtype and computation share one frame, because making one is most of a small call's cost. The
// output is made by the host from what the plugin promises, so that a promise cannot be broken.
Tensor forward(const CompiledOp& compiled, std::span<const Tensor> inputs, const Attributes& attributes) {
  compiled.module->require_open(compiled.what);
  require_dtypes(compiled, inputs);
  CallFrame frame(compiled, inputs, attributes);
  const bool strided =
      (compiled.op.flags & MT_OP_STRIDED_INPUTS) != 0;  // the first input may be smaller than its shape
  if (!strided && compiled.op.output_shape == nullptr && compiled.op.output_dtype == nullptr) {
    return forward_like_first(compiled, inputs[0], frame);
  }
  LoadedModule& module = *compiled.module;
  validate(compiled, frame);
  Tensor output = Tensor::empty(promised_shape(compiled, inputs, frame), promised_dtype(compiled, inputs, frame));
  frame.arguments().output = frame.context().lend(output);
  module.call(frame.context(), [&] { return compiled.op.forward(&frame.arguments()); });
  return output;
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

[[noreturn]] void refuse_description(const CompiledOp& compiled, const std::string& rule) {
  throw Error(ErrorCode::kPlugin, compiled.what + ": " + rule,
              {.phase = "initialize", .plugin = compiled.module->name(), .symbols = {}, .hint = {}});
}

void require_valid(const CompiledOp& compiled) {
  const mt_op& op = compiled.op;
  const auto refuse = [&](const std::string& rule) { refuse_description(compiled, rule); };
  const std::string_view name = view_of(op.name);
  if (name.empty() || !is_valid_utf8(name)) refuse("the name must be UTF-8 text, and not empty");
  if (op.forward == nullptr) refuse("it has no forward function");
  if (op.input_count > kMaxInputs) {
    refuse("it takes " + std::to_string(op.input_count) + " inputs, the most is " + std::to_string(kMaxInputs));
  }
  if (op.input_count == 0 && (op.output_shape == nullptr || op.output_dtype == nullptr)) {
    refuse("without inputs it needs output_shape and output_dtype");
  }
  if (op.attribute_count > 0 && op.attributes == nullptr) refuse("its attributes are NULL");
}

std::vector<std::string> input_names(const CompiledOp& compiled) {
  std::vector<std::string> names;
  require_in_memory(compiled.op.input_names, std::uint64_t{compiled.op.input_count} * sizeof *compiled.op.input_names);
  for (std::uint32_t i = 0; i < compiled.op.input_count; ++i) {
    if (compiled.op.input_names == nullptr) {
      names.push_back("x" + std::to_string(i));
      continue;
    }
    const std::string_view name = view_of(compiled.op.input_names[i]);
    if (name.empty() || !is_valid_utf8(name)) {
      refuse_description(compiled, "input " + std::to_string(i) + " has no name that is UTF-8 text");
    }
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::shared_ptr<const Op> make_compiled_op(std::shared_ptr<LoadedModule> module, const mt_op* description) {
  if (description == nullptr) {
    throw Error(ErrorCode::kPlugin, "plugin " + quote(module->name()) + " registers an op that is NULL",
                {.phase = "initialize", .plugin = module->name(), .symbols = {}, .hint = {}});
  }
  const mt_op copy = read_abi_struct(description);
  const auto compiled =
      std::make_shared<const CompiledOp>(CompiledOp{std::move(module), copy, "op " + quote(view_of(copy.name))});
  require_valid(*compiled);

  auto op = std::make_shared<Op>();
  op->name = view_of(copy.name);
  op->summary = view_of(copy.summary);
  op->inputs = input_names(*compiled);
  op->attributes = attribute_specs_from_abi(copy.attributes, copy.attribute_count, compiled->what);
  op->forward = [compiled](std::span<const Tensor> inputs, const Attributes& attributes) {
    return forward(*compiled, inputs, attributes);
  };
  if (copy.backward != nullptr) {
    op->backward = [compiled](const BackwardArguments& arguments) { return backward(*compiled, arguments); };
    op->recorded_gradients = compiled->module->add_holders("recorded gradient of " + compiled->what);
  }
  prepare_default_attributes(*op);
  return op;
}

}  // namespace minitensor
