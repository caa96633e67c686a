#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/builtin_ops.h"
#include "minitensor/ops/op_registry.h"
#include "minitensor/plugin/plugin.h"
#include "minitensor/plugin/plugin_registry.h"

namespace minitensor::test {

/// Metadata of version 1.0.0 that the current engine accepts.
inline PluginInfo plugin_info(std::string name) {
  return {.name = std::move(name),
          .version = {1, 0, 0},
          .description = "for tests",
          .author = "tests",
          .min_minitensor_version = VersionInfo::current(),
          .max_minitensor_version = std::nullopt};
}

/// An op of one input that returns it.
inline std::shared_ptr<const Op> make_op(std::string name) {
  Op op;
  op.name = std::move(name);
  op.inputs = {"x"};
  op.forward = [](std::span<const Tensor> inputs, const Attributes&) { return inputs[0]; };
  return std::make_shared<const Op>(std::move(op));
}

/// A layer type without configuration.
inline std::shared_ptr<const LayerType> make_layer_type(std::string name) {
  LayerType type;
  type.name = name;
  type.create = [name](const Attributes&) { return std::make_shared<CustomLayer>(name); };
  return std::make_shared<const LayerType>(std::move(type));
}

/// A plugin of ops and layers that writes "initialize" and "cleanup" into `log` as they happen. What is set here runs
/// after that.
struct TestPlugin : Plugin {
  explicit TestPlugin(std::string name) : metadata(plugin_info(std::move(name))) {}

  const PluginInfo& info() const noexcept override { return metadata; }
  void initialize(PluginRegistry& registry) override {
    log.emplace_back("initialize");
    if (on_initialize) on_initialize(registry);
  }
  void cleanup(PluginRegistry& registry) override {
    log.emplace_back("cleanup");
    if (on_cleanup) on_cleanup(registry);
  }
  std::vector<std::shared_ptr<const Op>> custom_operations() override {
    log.emplace_back("custom_operations");
    if (on_custom_operations) on_custom_operations();
    return ops;
  }
  std::vector<std::shared_ptr<const LayerType>> custom_layers() override {
    log.emplace_back("custom_layers");
    if (on_custom_layers) on_custom_layers();
    return layers;
  }

  PluginInfo metadata;
  std::vector<std::shared_ptr<const Op>> ops;
  std::vector<std::shared_ptr<const LayerType>> layers;
  std::function<void(PluginRegistry&)> on_initialize;
  std::function<void(PluginRegistry&)> on_cleanup;
  std::function<void()> on_custom_operations;
  std::function<void()> on_custom_layers;
  std::vector<std::string> log;
};

inline std::shared_ptr<TestPlugin> make_plugin(std::string name, const std::vector<std::string>& ops = {},
                                               const std::vector<std::string>& layers = {}) {
  auto plugin = std::make_shared<TestPlugin>(std::move(name));
  for (const std::string& op : ops) plugin->ops.push_back(make_op(op));
  for (const std::string& layer : layers) plugin->layers.push_back(make_layer_type(layer));
  return plugin;
}

using Strings = std::vector<std::string>;

inline Strings names_of(const std::vector<PluginInfo>& infos) {
  Strings names;
  for (const PluginInfo& info : infos) names.push_back(info.name);
  return names;
}

/// An engine's tables with its built-in ops, and one registry over them.
struct Engine {
  Engine() { register_builtin_ops(ops); }

  /// Everything in the tables and the registry, a line an entry.
  Strings contents() const { return contents(registry); }
  Strings contents(const PluginRegistry& of) const {
    Strings lines;
    for (const auto& op : ops.all()) lines.push_back("op " + op->name + " of " + ops.owner_of(op->name));
    for (const std::string& layer : layers.list()) lines.push_back("layer " + layer);
    for (const PluginInfo& info : of.list_plugins()) lines.push_back("plugin " + info.name);
    return lines;
  }

  OpRegistry ops;
  LayerRegistry layers;
  PluginRegistry registry{ops, layers};
};

}  // namespace minitensor::test
