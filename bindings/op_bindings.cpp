#include <emscripten/bind.h>

#include <cstdint>

#include "bindings/attribute_codec.h"
#include "bindings/convert.h"
#include "bindings/guard.h"
#include "bindings/javascript_op.h"

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

/// What an op says of itself: { name, owner, summary, inputs, attributes, hasGradient }.
val describe_op(std::string name) {
  const auto op = engine().ops.get(name);
  val entry = val::object();
  entry.set("name", op->name);
  entry.set("owner", engine().ops.owner_of(name));
  entry.set("summary", op->summary);
  entry.set("inputs", to_javascript(op->inputs));
  val attributes = val::array();
  for (const AttributeSpec& spec : op->attributes) attributes.call<void>("push", to_javascript(spec));
  entry.set("attributes", attributes);
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

val describe_ops() {
  val list = val::array();
  for (const auto& op : engine().ops.all()) list.call<void>("push", describe_op(op->name));
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
    const std::shared_ptr<const Op> op = engine().ops.at(id);
    if (!op) throw Error(ErrorCode::kInternal, "execute: no op has the number " + std::to_string(id));
    // Read before anything runs: a callback may use the memory again.
    const std::vector<Tensor> tensors = tensors_at(inputs, input_count);
    const NamedAttributes named = decode_named({attributes, attributes_size});
    return engine().tensors.add(run_op(*op, tensors, named));
  });
}

}  // extern "C"

EMSCRIPTEN_BINDINGS(ops) {
  emscripten::function("registerOp", guarded<&register_op>);
  emscripten::function("stageOp", guarded<&stage_op>);
  emscripten::function("unregisterOp", guarded<&unregister_op>);
  emscripten::function("requireOp", guarded<&require_op>);
  emscripten::function("listOps", guarded<&list_ops>);
  emscripten::function("isOpRegistered", guarded<&is_op_registered>);
  emscripten::function("opGradients", guarded<&op_gradients>);
  emscripten::function("describeOps", guarded<&describe_ops>);
  emscripten::function("describeOp", guarded<&describe_op>);
}

}  // namespace minitensor::bindings
