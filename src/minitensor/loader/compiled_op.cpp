#include "minitensor/loader/compiled_op.h"

#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/compiled_op_call.h"

namespace minitensor {

namespace {

[[noreturn]] void refuse_description(const CompiledOp& compiled, const std::string& rule) {
  throw compiled.module->error("initialize", compiled.what + ": " + rule);
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
  if (description == nullptr) throw module->error("initialize", "registers an op that is NULL");
  mt_op copy = read_abi_struct(description);
  if (copy.dtypes == 0) copy.dtypes = MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_FLOAT64);
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
