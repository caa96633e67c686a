#pragma once

#include <memory>
#include <vector>

#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/op.h"
#include "minitensor/plugin/plugin_info.h"

namespace minitensor {

class PluginRegistry;

/// A bundle of ops and layer types with a life cycle. Every function but `info` may throw.
class Plugin {
 public:
  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  virtual const PluginInfo& info() const noexcept = 0;
  /// Called once, before the ops and layers are asked for.
  virtual void initialize(PluginRegistry& registry);
  /// Called once, before the ops and layers are removed; also when a registration fails after initialize.
  virtual void cleanup(PluginRegistry& registry);
  virtual std::vector<std::shared_ptr<const Op>> custom_operations();
  virtual std::vector<std::shared_ptr<const LayerType>> custom_layers();
};

}  // namespace minitensor
