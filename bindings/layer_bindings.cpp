#include <emscripten/bind.h>

#include <memory>
#include <string>

#include "bindings/attribute_codec.h"
#include "bindings/convert.h"
#include "bindings/guard.h"
#include "bindings/javascript_callback.h"

namespace minitensor::bindings {

namespace {

using emscripten::val;
using Handle = std::uint32_t;

CustomLayer& layer_at(Handle handle) { return *require(engine().layers, handle, "layer"); }

Handle create_layer(std::string name) { return engine().layers.add(std::make_shared<CustomLayer>(std::move(name))); }

/// `attributes` and `size`: the configuration, as attribute_codec.h says.
Handle create_layer_of_type(std::string type, std::size_t attributes, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(attributes);
  return engine().layers.add(engine().layer_types.create(type, decode_named({bytes, size})));
}

val list_layer_types() { return to_javascript(engine().layer_types.list()); }

/// What a layer type says of itself: { name, plugin, summary, attributes }.
val describe_layer_type(std::string name) {
  const auto type = engine().layer_types.get(name);
  val entry = val::object();
  entry.set("name", type->name);
  entry.set("plugin", engine().layer_types.owner_of(name));
  entry.set("summary", type->summary);
  entry.set("attributes", to_javascript(type->attributes));
  return entry;
}

void release_layer(Handle handle) { engine().layers.release(handle); }

std::string layer_name(Handle handle) { return layer_at(handle).name(); }

void set_layer_forward(Handle handle, int callback) {
  layer_at(handle).set_forward([owned = std::make_shared<const JavaScriptCallback>(callback)](
                                   const CustomLayer&, std::span<const Tensor> inputs) {
    return owned->call_for_tensors(CallbackRole::kLayerForward, inputs).at(0);
  });
}

void add_layer_parameter(Handle handle, std::string name, Handle tensor) {
  layer_at(handle).add_parameter(std::move(name), tensor_at(tensor));
}

Handle get_layer_parameter(Handle handle, std::string name) {
  return engine().tensors.add(layer_at(handle).get_parameter(name));
}

val list_layer_parameters(Handle handle) { return to_javascript(layer_at(handle).list_parameters()); }

/// `inputs`: the address of `count` handles.
Handle forward_layer(Handle handle, std::size_t inputs, std::size_t count) {
  // A copy of the pointer: the layer may be disposed while it runs.
  const std::shared_ptr<CustomLayer> layer = require(engine().layers, handle, "layer");
  const std::vector<Tensor> tensors = tensors_at(reinterpret_cast<const Handle*>(inputs), count);
  return engine().tensors.add(layer->forward(tensors));
}

}  // namespace

EMSCRIPTEN_BINDINGS(layers) {
  emscripten::function("createLayer", guarded<&create_layer>);
  emscripten::function("createLayerOfType", guarded<&create_layer_of_type>);
  emscripten::function("listLayerTypes", guarded<&list_layer_types>);
  emscripten::function("describeLayerType", guarded<&describe_layer_type>);
  emscripten::function("releaseLayer", guarded<&release_layer>);
  emscripten::function("layerName", guarded<&layer_name>);
  emscripten::function("setLayerForward", guarded<&set_layer_forward>);
  emscripten::function("addLayerParameter", guarded<&add_layer_parameter>);
  emscripten::function("getLayerParameter", guarded<&get_layer_parameter>);
  emscripten::function("listLayerParameters", guarded<&list_layer_parameters>);
  emscripten::function("forwardLayer", guarded<&forward_layer>);
}

}  // namespace minitensor::bindings
