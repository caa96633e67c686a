#include <emscripten/bind.h>

#include <array>
#include <cstdint>
#include <utility>

#include "bindings/attribute_codec.h"
#include "bindings/convert.h"
#include "bindings/guard.h"
#include "bindings/javascript_op.h"
#include "minitensor/autograd/tape.h"
#include "minitensor/ops/random_ops.h"

namespace minitensor::bindings {

namespace {

using emscripten::val;

void register_op(val definition) { engine().ops.add(make_javascript_op(definition), {}); }

/// Only while a plugin's custom-operations callback runs: adds to what it gives.
void stage_op(val definition) { engine().staged_ops.push_back(make_javascript_op(definition)); }

void unregister_op(std::string name) { engine().ops.remove_custom(name); }

/// Notes the error for a name that no op has.
void require_op(std::string name) { engine().ops.get(name); }

val list_ops() { return to_javascript(engine().ops.list_custom()); }

bool is_op_registered(std::string name) {
  return engine().ops.contains(name) && engine().ops.owner_of(name) != kEngineOwner;
}

/// What an op says of itself: OpDescription in js/core_module.js.
val describe_op(std::string name) {
  const auto op = engine().ops.get(name);
  val entry = val::object();
  entry.set("name", op->name);
  entry.set("owner", engine().ops.owner_of(name));
  entry.set("summary", op->summary);
  entry.set("inputs", to_javascript(op->inputs));
  entry.set("attributes", to_javascript(op->attributes));
  entry.set("hasGradient", static_cast<bool>(op->backward));
  return entry;
}

/// The handles of the gradients of an op. `handles`: the address of those of the inputs, and of the gradient with
/// respect to the output, `count` in all; `attributes` as mt_op_execute takes them.
val op_gradients(const std::string& name, std::size_t handles, std::size_t count, std::size_t attributes,
                 std::size_t attributes_size) {
  const auto op = engine().ops.get(name);
  const std::vector<Tensor> tensors = tensors_at(reinterpret_cast<const std::uint32_t*>(handles), count);
  const std::span<const Tensor> inputs = std::span(tensors).first(count - 1);
  const NamedAttributes named = decode_named({reinterpret_cast<const std::byte*>(attributes), attributes_size});
  const Tensor output = run_op(*op, inputs, named);
  val list = val::array();
  for (const Tensor& gradient : run_op_backward(*op, inputs, named, output, tensors.back())) {
    list.call<void>("push", engine().tensors.add(gradient));
  }
  return list;
}

/// `seed` is an integer that is not negative.
void manual_seed(double seed) { default_generator() = {static_cast<std::uint64_t>(seed)}; }

std::shared_ptr<const Op> op_at(std::uint32_t id) {
  if (auto op = engine().ops.at(id)) return op;
  throw Error(ErrorCode::kInternal, "execute: no op has the number " + std::to_string(id));
}

// In the order of InputRole.
const std::string kRoleNames[] = {"value", "index", "condition"};

/// Of every op what the generator of js/generated/ops.js has to know.
val describe_ops() {
  val list = val::array();
  for (const auto& op : engine().ops.all()) {
    val entry = describe_op(op->name);
    val roles = val::array();
    for (const InputRole role : op->input_roles) roles.call<void>("push", kRoleNames[static_cast<std::size_t>(role)]);
    entry.set("inputRoles", roles);
    entry.set("optionalInputs", op->optional_inputs);
    entry.set("isVariadic", op->is_variadic);
    entry.set("outputs", to_javascript(op->outputs));
    entry.set("hasVariadicOutput", op->has_variadic_output);
    list.call<void>("push", entry);
  }
  return list;
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

EMSCRIPTEN_BINDINGS(ops) {
  emscripten::function("registerOp", guarded<&register_op>);
  emscripten::function("stageOp", guarded<&stage_op>);
  emscripten::function("unregisterOp", guarded<&unregister_op>);
  emscripten::function("manualSeed", guarded<&manual_seed>);
  emscripten::function("requireOp", guarded<&require_op>);
  emscripten::function("listOps", guarded<&list_ops>);
  emscripten::function("isOpRegistered", guarded<&is_op_registered>);
  emscripten::function("opGradients", guarded<&op_gradients>);
  emscripten::function("describeOps", guarded<&describe_ops>);
  emscripten::function("describeOp", guarded<&describe_op>);
}

}  // namespace minitensor::bindings
