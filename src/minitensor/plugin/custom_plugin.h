#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "minitensor/plugin/plugin.h"

namespace minitensor {

/// A plugin made of callbacks. PluginBuilder makes one.
class CustomPlugin final : public Plugin {
 public:
  using LifecycleFn = std::function<void(PluginRegistry&)>;
  using CustomOperationsFn = std::function<std::vector<std::shared_ptr<const Op>>()>;

  explicit CustomPlugin(PluginInfo info) : info_(std::move(info)) {}

  void set_initialize_fn(LifecycleFn function) { initialize_ = std::move(function); }
  void set_cleanup_fn(LifecycleFn function) { cleanup_ = std::move(function); }
  void set_custom_operations_fn(CustomOperationsFn function) { custom_operations_ = std::move(function); }

  const PluginInfo& info() const noexcept override { return info_; }
  void initialize(PluginRegistry& registry) override;
  void cleanup(PluginRegistry& registry) override;
  std::vector<std::shared_ptr<const Op>> custom_operations() override;

 private:
  PluginInfo info_;
  LifecycleFn initialize_;
  LifecycleFn cleanup_;
  CustomOperationsFn custom_operations_;
};

}  // namespace minitensor
