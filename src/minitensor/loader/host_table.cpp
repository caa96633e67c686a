#include "minitensor/loader/host_table.h"

#include <exception>
#include <initializer_list>
#include <utility>
#include <vector>

#include "minitensor/autograd/tape.h"
#include "minitensor/base/text.h"
#include "minitensor/base/version.h"
#include "minitensor/loader/call_context.h"
#include "minitensor/loader/compiled_layer.h"
#include "minitensor/loader/compiled_op.h"
#include "minitensor/loader/loaded_module.h"
#include "minitensor/loader/plugin_call.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// An op that calls itself without end is to be an error before it uses up the stack.
constexpr int kMaxNestedCalls = 32;

// Notes the exception that is being handled.
void note_exception(mt_context& context) {
  try {
    throw;
  } catch (const Error& error) {
    context.note(error);
  } catch (const std::bad_alloc&) {
    context.note_out_of_memory();
  } catch (const std::exception& error) {
    context.note(Error(ErrorCode::kInternal, context.what + ": " + error.what()));
  } catch (...) {
    context.note(Error(ErrorCode::kInternal, context.what + ": an exception that is not a std::exception"));
  }
}

// Runs what a plugin asks of the host. Whatever it throws becomes a noted error and a status.
template <typename F>
mt_status answer(mt_context* context, F&& function) noexcept {
  if (context == nullptr) return MT_ERROR_VALUE;
  try {
    function();
    return MT_OK;
  } catch (...) {
    try {
      note_exception(*context);
    } catch (...) {
      context->note_out_of_memory();  // not even enough is left for the message
    }
  }
  return static_cast<mt_status>(context->noted_code());
}

[[noreturn]] void refuse(const mt_context& context, std::initializer_list<MessagePart> rule) {
  std::string message = context.what + ": ";
  for (const MessagePart& part : rule) part.append_to(message);
  throw context.module.error("call", message);
}

mt_status set_error(mt_context* context, mt_status status, mt_string message) {
  require_stack();
  if (context == nullptr || status == MT_OK) return status;
  answer(context, [&] {
    const std::string_view text = view_of(message);
    const ErrorCode code = code_of_status(status);
    // A plugin's text may be anything; what is not UTF-8 is shown escaped. That memory has run out is told by the host,
    // with the name.
    const std::string shown = text.empty()          ? "failed without a message"
                              : is_valid_utf8(text) ? std::string(text)
                                                    : quote(text);
    context->note(Error(code, code == ErrorCode::kMemory ? shown : context->what + ": " + shown,
                        {.phase = "call", .plugin = context->module.name(), .symbols = {}, .hint = {}}));
  });
  return status;
}

mt_status create_tensor(mt_context* context, mt_dtype dtype, std::int32_t rank, const std::int64_t* shape,
                        mt_tensor** tensor) {
  require_stack();
  return answer(context, [&] {
    if (tensor == nullptr) refuse(*context, {"create_tensor: the result pointer is NULL"});
    *tensor = nullptr;
    if (!is_dtype_number(dtype)) refuse(*context, {"create_tensor: unknown dtype ", dtype});
    if (rank < 0 || rank > MT_MAX_RANK) refuse(*context, {"create_tensor: rank is ", rank});
    if (rank > 0 && shape == nullptr) refuse(*context, {"create_tensor: the shape is NULL"});
    const Shape sizes(std::span(shape, static_cast<std::size_t>(rank)));
    *tensor = context->lend(Tensor::zeros(sizes, static_cast<DType>(dtype)));
  });
}

// What call_op and call_op_many are given, checked.
struct OpArguments {
  OpArguments(const mt_context& context, mt_string name, std::uint32_t input_count, const mt_tensor* const* views,
              std::uint32_t attribute_count, const mt_string* names, const mt_attribute* const* values) {
    if (input_count > 0 && views == nullptr) refuse(context, {"a called op's inputs are NULL"});
    if (attribute_count > 0 && (names == nullptr || values == nullptr)) {
      refuse(context, {"a called op's attributes or their names are NULL"});
    }
    if (context.module.calls_running() >= kMaxNestedCalls) {
      refuse(context,
             {"calls of plugin \"", context.module.name(), "\" are nested more than ", kMaxNestedCalls, " deep"});
    }
    for (std::uint32_t i = 0; i < input_count; ++i) inputs.push_back(context.borrowed(views[i]));
    for (std::uint32_t i = 0; i < attribute_count; ++i) {
      attributes.emplace_back(view_of(names[i]), attribute_from_abi(values[i], context.what));
    }
    op = context.module.ops(context.what).get(view_of(name));
  }

  std::shared_ptr<const Op> op;
  std::vector<Tensor> inputs;
  NamedAttributes attributes;
};

mt_status call_op(mt_context* context, mt_string name, std::uint32_t input_count, const mt_tensor* const* inputs,
                  std::uint32_t attribute_count, const mt_string* attribute_names,
                  const mt_attribute* const* attributes, const mt_tensor** output) {
  require_stack();
  return answer(context, [&] {
    if (output == nullptr) refuse(*context, {"call_op: the result pointer is NULL"});
    *output = nullptr;
    const OpArguments call(*context, name, input_count, inputs, attribute_count, attribute_names, attributes);
    *output = context->lend(execute(call.op, call.inputs, call.attributes).contiguous());
  });
}

mt_status register_op(mt_context* context, const mt_op* op) {
  require_stack();
  return answer(context, [&] {
    if (context->staged == nullptr) refuse(*context, {"register_op may only be called in initialize"});
    context->staged->ops.push_back(make_compiled_op(context->module.shared_from_this(), op));
  });
}

mt_status register_layer_type(mt_context* context, const mt_layer_type* type) {
  require_stack();
  return answer(context, [&] {
    if (context->staged == nullptr) refuse(*context, {"register_layer_type may only be called in initialize"});
    context->staged->layer_types.push_back(make_compiled_layer_type(context->module.shared_from_this(), type));
  });
}

mt_status add_parameter(mt_context* context, mt_string name, const mt_tensor* value) {
  require_stack();
  return answer(context, [&] {
    if (context->new_layer == nullptr) refuse(*context, {"add_parameter may only be called in a layer type's create"});
    context->new_layer->add_parameter(std::string(view_of(name)), context->borrowed(value).clone());
  });
}

void log(mt_context* context, mt_string message) {
  require_stack();
  answer(context, [&] { context->module.log(view_of(message)); });
}

const void* get_interface(mt_context*, mt_string) { return nullptr; }

mt_status call_op_many(mt_context* context, mt_string name, std::uint32_t input_count, const mt_tensor* const* inputs,
                       std::uint32_t attribute_count, const mt_string* attribute_names,
                       const mt_attribute* const* attributes, std::uint32_t output_capacity, const mt_tensor** outputs,
                       std::uint32_t* output_count) {
  require_stack();
  return answer(context, [&] {
    if (outputs == nullptr || output_count == nullptr) refuse(*context, {"call_op_many: a result pointer is NULL"});
    *output_count = 0;
    const OpArguments call(*context, name, input_count, inputs, attribute_count, attribute_names, attributes);
    const std::vector<Tensor> results = execute_many(call.op, call.inputs, call.attributes);
    const auto count = static_cast<std::uint32_t>(results.size());
    if (count > output_capacity) {
      *output_count = count;
      refuse(*context, {"call_op_many: op \"", call.op->name, "\" has ", count, " outputs, and there is room for ",
                        output_capacity});
    }
    for (const Tensor& result : results) *outputs++ = context->lend(result.contiguous());
    *output_count = count;
  });
}

}  // namespace

const mt_host& host_table() noexcept {
  static constexpr mt_host kHost = {.struct_size = sizeof(mt_host),
                                    .abi_version = MT_PLUGIN_ABI_VERSION,
                                    .version_major = kVersionMajor,
                                    .version_minor = kVersionMinor,
                                    .version_patch = kVersionPatch,
                                    .reserved = 0,
                                    .set_error = set_error,
                                    .create_tensor = create_tensor,
                                    .call_op = call_op,
                                    .register_op = register_op,
                                    .register_layer_type = register_layer_type,
                                    .add_parameter = add_parameter,
                                    .log = log,
                                    .get_interface = get_interface,
                                    .call_op_many = call_op_many};
  return kHost;
}

}  // namespace minitensor
