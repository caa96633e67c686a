#include <memory>
#include <string>

#include "bindings/attribute_codec.h"
#include "bindings/calls.h"
#include "bindings/engine.h"
#include "bindings/guard.h"
#include "bindings/javascript_callback.h"

namespace minitensor::bindings {

namespace {

CustomLayer& read_layer(WireReader& in) { return *require(engine().layers, in.handle(), "layer"); }

void write_tensor(WireWriter& out, const Tensor& tensor) { out.number(engine().tensors.add(tensor)); }

/// (name)
void create_layer(WireReader& in, WireWriter& out) {
  out.number(engine().layers.add(std::make_shared<CustomLayer>(in.text())));
}

/// (type, the configuration's names and values)
void create_layer_of_type(WireReader& in, WireWriter& out) {
  const std::string type = in.text();
  out.number(engine().layers.add(engine().layer_types.create(type, read_named(in))));
}

void list_layer_types(WireReader&, WireWriter& out) { out.texts(engine().layer_types.list()); }

/// What a layer type says of itself: { name, plugin, summary, attributes }.
void describe_layer_type(WireReader& in, WireWriter& out) {
  const auto type = engine().layer_types.get(in.text());
  out.object();
  out.field("name").text(type->name);
  out.field("plugin").text(engine().layer_types.owner_of(type->name));
  out.field("summary").text(type->summary);
  write(out.field("attributes"), type->attributes);
  out.end();
}

void release_layer(WireReader& in, WireWriter&) { engine().layers.release(in.handle()); }

void layer_name(WireReader& in, WireWriter& out) { out.text(read_layer(in).name()); }

/// (callback, layer)
void set_layer_forward(WireReader& in, WireWriter&) {
  const auto owned = std::make_shared<const JavaScriptCallback>(static_cast<int>(in.number()));
  read_layer(in).set_forward([owned](const CustomLayer&, std::span<const Tensor> inputs) {
    return owned->call_for_tensors(CallbackRole::kLayerForward, inputs).at(0);
  });
}

/// (layer, name, tensor)
void add_layer_parameter(WireReader& in, WireWriter&) {
  CustomLayer& layer = read_layer(in);
  std::string name = in.text();
  layer.add_parameter(std::move(name), tensor_at(in.handle()));
}

/// (layer, name)
void get_layer_parameter(WireReader& in, WireWriter& out) {
  const CustomLayer& layer = read_layer(in);
  write_tensor(out, layer.get_parameter(in.text()));
}

void list_layer_parameters(WireReader& in, WireWriter& out) { out.texts(read_layer(in).list_parameters()); }

}  // namespace

extern "C" {

/// Runs a layer on `count` inputs, and gives the result's handle: a call like that of an op, so not one by name.
std::uint32_t mt_layer_forward(std::uint32_t handle, const std::uint32_t* inputs, std::size_t count) {
  return guard([&] {
    // A copy of the pointer: the layer may be disposed while it runs.
    const std::shared_ptr<CustomLayer> layer = require(engine().layers, handle, "layer");
    const std::vector<Tensor> tensors = tensors_at(inputs, count);
    return engine().tensors.add(layer->forward(tensors));
  });
}

}  // extern "C"

std::span<const Call> layer_calls() {
  static constexpr Call kCalls[] = {
      {"createLayer", create_layer},
      {"createLayerOfType", create_layer_of_type},
      {"listLayerTypes", list_layer_types},
      {"describeLayerType", describe_layer_type},
      {"releaseLayer", release_layer},
      {"layerName", layer_name},
      {"setLayerForward", set_layer_forward},
      {"addLayerParameter", add_layer_parameter},
      {"getLayerParameter", get_layer_parameter},
      {"listLayerParameters", list_layer_parameters},
  };
  return kCalls;
}

}  // namespace minitensor::bindings
