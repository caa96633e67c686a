#pragma once

#include <memory>
#include <vector>

#include "minitensor/loader/loaded_module.h"
#include "minitensor/plugin/plugin.h"

namespace minitensor {

/// A loaded module in the form of every other plugin, so that it is registered by the same transaction.
class CompiledPlugin final : public Plugin {
 public:
  explicit CompiledPlugin(std::shared_ptr<LoadedModule> module) : module_(std::move(module)) {}

  const PluginInfo& info() const noexcept override { return module_->metadata().info; }
  /// Lets the plugin register ops and layer types; they are staged until they are asked for.
  void initialize(PluginRegistry& registry) override;
  void cleanup(PluginRegistry& registry) override;
  /// Also checks that the ops are those which the file's metadata names.
  std::vector<std::shared_ptr<const Op>> custom_operations() override;
  std::vector<std::shared_ptr<const LayerType>> custom_layers() override;

  LoadedModule& module() noexcept { return *module_; }

 private:
  std::shared_ptr<LoadedModule> module_;
  StagedRegistrations staged_;
};

}  // namespace minitensor
