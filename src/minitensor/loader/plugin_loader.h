#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/loader/inspect_plugin.h"
#include "minitensor/loader/plugin_source.h"
#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/op_registry.h"
#include "minitensor/plugin/plugin_registry.h"

namespace minitensor {

/// Loads compiled plugins, and is the registry of those that are loaded. In a build without dynamic loading
/// (MINITENSOR_DYNAMIC_LOADING=OFF) everything is there, and loading throws kNotImplemented.
class PluginLoader {
 public:
  /// The tables must outlive the loader.
  PluginLoader(OpRegistry& ops, LayerRegistry& layers) : ops_(ops), layers_(layers), registry_(ops, layers) {}

  /// Everything that can be checked before the code is compiled: the file itself, its metadata, ABI version, version
  /// range and imports, and that its names are free. Nothing of the plugin runs. Throws kPlugin.
  PluginInspection check(std::span<const std::byte> bytes, std::string_view origin) const;
  /// check, then links, creates, initializes and registers the plugin. Throws kPlugin; everything is as before then.
  PluginInfo load_plugin(const PluginSource& source);
  /// The same from a file. Throws kPlugin of phase "read" when it cannot be read.
  PluginInfo load_plugin(const std::string& path);
  /// Throws kPlugin for a name that is not loaded (listing those that are), and while layers of the plugin are alive or
  /// calls are running (naming them).
  void unload_plugin(std::string_view name);

  std::vector<PluginInfo> list_plugins() const { return registry_.list_plugins(); }
  /// Throws kPlugin for a name that is not loaded, listing those that are.
  PluginInfo get_plugin_info(std::string_view name) const;
  bool is_plugin_loaded(std::string_view name) const { return registry_.is_registered(name); }

  /// An empty function: lines go nowhere, as at the start. Holds for plugins loaded from now on.
  void set_log(PluginLog log) { log_ = std::move(log); }

 private:
  void require_loaded(std::string_view name, std::string_view operation) const;

  OpRegistry& ops_;
  LayerRegistry& layers_;
  PluginRegistry registry_;
  PluginLog log_;
};

}  // namespace minitensor
