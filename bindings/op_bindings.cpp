#include <array>
#include <cstdint>
#include <utility>

#include "bindings/attribute_codec.h"
#include "bindings/calls.h"
#include "bindings/engine.h"
#include "bindings/guard.h"
#include "bindings/javascript_op.h"
#include "minitensor/autograd/tape.h"
#include "minitensor/ops/random_ops.h"

namespace minitensor::bindings {

namespace {

/// (definition, as read_javascript_op says)
void register_op(WireReader& in, WireWriter&) { engine().ops.add(read_javascript_op(in), {}); }

/// Only while a plugin's custom-operations callback runs: adds to what it gives.
void stage_op(WireReader& in, WireWriter&) { engine().staged_ops.push_back(read_javascript_op(in)); }

void unregister_op(WireReader& in, WireWriter&) { engine().ops.remove_custom(in.text()); }

/// Notes the error for a name that no op has.
void require_op(WireReader& in, WireWriter&) { engine().ops.get(in.text()); }

void list_ops(WireReader&, WireWriter& out) { out.texts(engine().ops.list_custom()); }

void is_op_registered(WireReader& in, WireWriter& out) {
  const std::string name = in.text();
  out.boolean(engine().ops.contains(name) && engine().ops.owner_of(name) != kEngineOwner);
}

void write_description(WireWriter& out, const Op& op) {
  out.field("name").text(op.name);
  out.field("owner").text(engine().ops.owner_of(op.name));
  out.field("summary").text(op.summary);
  out.field("inputs").texts(op.inputs);
  write(out.field("attributes"), op.attributes);
  out.field("hasGradient").boolean(static_cast<bool>(op.backward));
}

/// What an op says of itself: OpDescription in js/core_module.js.
void describe_op(WireReader& in, WireWriter& out) {
  const auto op = engine().ops.get(in.text());
  out.object();
  write_description(out, *op);
  out.end();
}

/// (op, inputs and the gradient with respect to the output, attributes' names and values) gives the gradients.
void op_gradients(WireReader& in, WireWriter& out) {
  const auto op = engine().ops.get(in.text());
  const std::vector<Tensor> tensors = read_tensors(in);
  const std::span<const Tensor> inputs = std::span(tensors).first(tensors.size() - 1);
  const NamedAttributes named = read_named(in);
  const Tensor output = run_op(*op, inputs, named);
  const std::vector<Tensor> gradients = run_op_backward(*op, inputs, named, output, tensors.back());
  out.list();
  for (const Tensor& gradient : gradients) out.number(engine().tensors.add(gradient));
  out.end();
}

/// (seed), an integer that is not negative.
void manual_seed(WireReader& in, WireWriter&) { default_generator() = {static_cast<std::uint64_t>(in.number())}; }

// In the order of InputRole.
constexpr const char* kRoleNames[] = {"value", "index", "condition"};

/// Of every op what the generator of js/generated/ops.js has to know.
void describe_ops(WireReader&, WireWriter& out) {
  out.list();
  for (const auto& op : engine().ops.all()) {
    out.object();
    write_description(out, *op);
    out.field("inputRoles").list();
    for (const InputRole role : op->input_roles) out.text(kRoleNames[static_cast<std::size_t>(role)]);
    out.end();
    out.field("optionalInputs").number(static_cast<double>(op->optional_inputs));
    out.field("isVariadic").boolean(op->is_variadic);
    out.field("outputs").texts(op->outputs);
    out.field("hasVariadicOutput").boolean(op->has_variadic_output);
    out.end();
  }
  out.end();
}

std::shared_ptr<const Op> op_at(std::uint32_t id) {
  if (auto op = engine().ops.at(id)) return op;
  throw Error(ErrorCode::kInternal, "execute: no op has the number " + std::to_string(id));
}

}  // namespace

extern "C" {

/// The number of the op of this name. 0 when there is none, which is not an error.
std::uint32_t mt_op_find(const char* name, std::size_t length) { return engine().ops.find({name, length}); }

/// Runs an op and gives the result's handle. `attributes` are named, as attribute_codec.h says; of size 0: none.
std::uint32_t mt_op_execute(std::uint32_t id, const std::uint32_t* inputs, std::size_t input_count,
                            const std::byte* attributes, std::size_t attributes_size) {
  return guard([&] {
    const std::shared_ptr<const Op> op = op_at(id);
    // Read before anything runs: a callback may use the memory again.
    const std::vector<Tensor> tensors = tensors_at(inputs, input_count);
    const NamedAttributes named = decode_named({attributes, attributes_size});
    return engine().tensors.add(execute(op, tensors, named));
  });
}

/// The same for one input and for two, without attributes: the way of most calls, without a vector.
std::uint32_t mt_op_execute1(std::uint32_t id, std::uint32_t input) {
  return guard([&] {
    const std::shared_ptr<const Op> op = op_at(id);
    const Tensor tensor = tensor_at(input);
    return engine().tensors.add(execute(op, {&tensor, 1}, {}));
  });
}

std::uint32_t mt_op_execute2(std::uint32_t id, std::uint32_t a, std::uint32_t b) {
  return guard([&] {
    const std::shared_ptr<const Op> op = op_at(id);
    const std::array<Tensor, 2> tensors{tensor_at(a), tensor_at(b)};
    return engine().tensors.add(execute(op, tensors, {}));
  });
}

/// The same for a tensor and a number, which takes the tensor's dtype: 0 without an error when that is not a
/// floating-point one, so that the number may be another to it. `is_first`: the number stands before the tensor.
std::uint32_t mt_op_execute_number(std::uint32_t id, std::uint32_t input, double number, bool is_first) {
  return guard([&]() -> std::uint32_t {
    const std::shared_ptr<const Op> op = op_at(id);
    const Tensor tensor = tensor_at(input);
    if (!is_floating(tensor.dtype())) return 0;
    std::array<Tensor, 2> tensors{tensor, Tensor::full({}, number, tensor.dtype())};
    if (is_first) std::swap(tensors[0], tensors[1]);
    return engine().tensors.add(execute(op, tensors, {}));
  });
}

/// Runs an op with any number of outputs, and gives that number. Their handles stand at mt_results().
std::size_t mt_op_execute_many(std::uint32_t id, const std::uint32_t* inputs, std::size_t input_count,
                               const std::byte* attributes, std::size_t attributes_size) {
  return guard([&] {
    const std::shared_ptr<const Op> op = op_at(id);
    const std::vector<Tensor> tensors = tensors_at(inputs, input_count);
    const NamedAttributes named = decode_named({attributes, attributes_size});
    const std::vector<Tensor> results = execute_many(op, tensors, named);
    std::vector<std::uint32_t>& handles = engine().results;
    handles.clear();
    for (const Tensor& result : results) handles.push_back(engine().tensors.add(result));
    return handles.size();
  });
}

const std::uint32_t* mt_results() { return engine().results.data(); }

}  // extern "C"

std::span<const Call> op_calls() {
  static constexpr Call kCalls[] = {
      {"registerOp", register_op},          {"stageOp", stage_op},         {"unregisterOp", unregister_op},
      {"manualSeed", manual_seed},          {"requireOp", require_op},     {"listOps", list_ops},
      {"isOpRegistered", is_op_registered}, {"opGradients", op_gradients}, {"describeOps", describe_ops},
      {"describeOp", describe_op},
  };
  return kCalls;
}

}  // namespace minitensor::bindings
