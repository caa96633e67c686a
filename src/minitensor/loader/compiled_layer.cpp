#include "minitensor/loader/compiled_layer.h"

#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/host_table.h"

namespace minitensor {

namespace {

// The ABI's description of a layer type, and the module that it points into.
struct CompiledLayerType {
  std::shared_ptr<LoadedModule> module;
  mt_layer_type type;
  std::string name;
  std::string what;  // `layer type "RMSNorm"`, as errors name it
  std::shared_ptr<const CodeHolders> layers;
};

[[noreturn]] void fail(const CompiledLayerType& compiled, const char* phase, const std::string& rule) {
  throw compiled.module->error(phase, compiled.what + ": " + rule);
}

mt_layer_call layer_call(const CompiledLayerType& compiled, mt_context& context, const AbiAttributes& config) {
  mt_layer_call call{};
  call.struct_size = sizeof(mt_layer_call);
  call.host = &host_table();
  call.context = &context;
  call.plugin_state = compiled.module->plugin().state;
  call.attribute_count = config.count();
  call.attributes = config.data();
  return call;
}

Tensor forward(const CompiledLayerType& compiled, const Attributes& config, const CustomLayer& layer,
               std::span<const Tensor> inputs) {
  compiled.module->require_open(compiled.what);
  mt_context context(*compiled.module, compiled.what);
  const AbiAttributes attributes(config);
  std::vector<const mt_tensor*> input_views;
  std::vector<const mt_tensor*> parameter_views;
  for (const Tensor& input : inputs) input_views.push_back(context.lend(input.contiguous()));
  for (const auto& [name, value] : layer.parameters()) parameter_views.push_back(context.lend(value.contiguous()));

  mt_layer_call call = layer_call(compiled, context, attributes);
  call.input_count = static_cast<std::uint32_t>(input_views.size());
  call.inputs = input_views.data();
  call.parameter_count = static_cast<std::uint32_t>(parameter_views.size());
  call.parameters = parameter_views.data();
  const mt_tensor* output = nullptr;
  compiled.module->call(context, [&] { return compiled.type.forward(&call, &output); });
  if (output == nullptr) fail(compiled, "call", "forward gave no output");
  return context.borrowed(output);
}

std::shared_ptr<CustomLayer> create(const std::shared_ptr<const CompiledLayerType>& compiled,
                                    const Attributes& config) {
  compiled->module->require_open(compiled->what);
  auto layer = std::make_shared<CustomLayer>(compiled->name);
  if (compiled->type.create != nullptr) {
    mt_context context(*compiled->module, compiled->what);
    context.new_layer = layer.get();
    const AbiAttributes attributes(config);
    const mt_layer_call call = layer_call(*compiled, context, attributes);
    compiled->module->call(context, [&] { return compiled->type.create(&call); });
  }
  layer->set_forward(
      [compiled, config, hold = compiled->layers->hold()](const CustomLayer& self, std::span<const Tensor> inputs) {
        return forward(*compiled, config, self, inputs);
      });
  return layer;
}

}  // namespace

std::shared_ptr<const LayerType> make_compiled_layer_type(std::shared_ptr<LoadedModule> module,
                                                          const mt_layer_type* description) {
  if (description == nullptr) throw module->error("initialize", "registers a layer type that is NULL");
  const mt_layer_type copy = read_abi_struct(description);
  const std::string name(view_of(copy.name));
  auto layers = module->add_holders("layer " + quote(name));
  const auto compiled = std::make_shared<const CompiledLayerType>(
      CompiledLayerType{std::move(module), copy, name, "layer type " + quote(name), std::move(layers)});
  if (name.empty() || !is_valid_utf8(name)) {
    fail(*compiled, "initialize", "the name must be UTF-8 text, and not empty");
  }
  if (copy.forward == nullptr) fail(*compiled, "initialize", "it has no forward function");
  if (copy.attribute_count > 0 && copy.attributes == nullptr) {
    fail(*compiled, "initialize", "its attributes are NULL");
  }

  auto type = std::make_shared<LayerType>();
  type->name = name;
  type->summary = view_of(copy.summary);
  type->attributes = attribute_specs_from_abi(copy.attributes, copy.attribute_count, compiled->what);
  type->create = [compiled](const Attributes& config) { return create(compiled, config); };
  return type;
}

}  // namespace minitensor
