#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/loader/call_context.h"
#include "minitensor/loader/dynamic_library.h"
#include "minitensor/loader/inspect_plugin.h"
#include "minitensor/loader/plugin_call.h"
#include "minitensor/loader/plugin_source.h"
#include "minitensor/nn/custom_layer.h"
#include "minitensor/ops/op_registry.h"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

/// The code of one plugin in this process, from create_plugin to destroy. Everything made of that code holds a
/// reference, so that it is never unloaded while it may still be called.
class LoadedModule : public std::enable_shared_from_this<LoadedModule> {
 public:
  /// Links the file and calls create_plugin. Throws kPlugin of phase "link" or "create".
  LoadedModule(const PluginSource& source, const PluginInspection& inspection, OpRegistry& ops, PluginLog log);
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  /// Calls destroy, then unloads the code.
  ~LoadedModule();

  const std::string& name() const noexcept { return metadata_.info.name; }
  const PluginMetadata& metadata() const noexcept { return metadata_; }
  const mt_plugin& plugin() const noexcept { return plugin_; }
  OpRegistry& ops() noexcept { return ops_; }
  void log(std::string_view message) const {
    if (log_) log_(name(), message);
  }

  /// Calls a function of the plugin that returns a status. Throws the error that it noted, or a kPlugin error when it
  /// noted none or was stopped.
  template <typename F>
  void call(const mt_context& context, F&& function) {
    mt_status status = MT_OK;
    ++running_calls_;
    const std::optional<std::string> stopped = run_guarded([&] { status = function(); });
    --running_calls_;
    if (stopped) throw_stopped(context, *stopped);
    if (status != MT_OK) throw context.error_for(status);
  }

  int running_calls() const noexcept { return running_calls_; }
  /// Remembers a layer made of this module's code.
  void track(const std::shared_ptr<CustomLayer>& layer);
  /// What keeps the module from being unloaded: one text for each layer alive and for calls that are running.
  std::vector<std::string> holders() const;

 private:
  [[noreturn]] void throw_stopped(const mt_context& context, const std::string& reason) const;
  void require_agreement() const;
  void destroy() noexcept;

  PluginMetadata metadata_;
  OpRegistry& ops_;
  PluginLog log_;
  DynamicLibrary library_;
  mt_plugin plugin_{};
  int running_calls_ = 0;
  std::vector<std::weak_ptr<CustomLayer>> layers_;
};

}  // namespace minitensor
