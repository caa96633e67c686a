#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "bindings/javascript_callback.h"
#include "minitensor/plugin/plugin.h"

namespace minitensor::bindings {

/// A plugin whose callbacks are JavaScript's, so that it is registered by the same transaction as every other.
class JavaScriptPlugin final : public Plugin {
 public:
  JavaScriptPlugin(PluginInfo info, std::unique_ptr<JavaScriptCallback> callback)
      : info_(std::move(info)), callback_(std::move(callback)) {}

  const PluginInfo& info() const noexcept override { return info_; }
  void initialize(PluginRegistry&) override { callback_->call(CallbackRole::kPluginInitialize); }
  void cleanup(PluginRegistry&) override { callback_->call(CallbackRole::kPluginCleanup); }
  /// The callback hands over its ops one by one, through the engine's staged_ops.
  std::vector<std::shared_ptr<const Op>> custom_operations() override;

  int callback() const noexcept { return callback_->id(); }

 private:
  PluginInfo info_;
  std::unique_ptr<JavaScriptCallback> callback_;
};

}  // namespace minitensor::bindings
