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

/// What a loaded plugin says of itself, and what the host knows of it.
struct LoadedPluginInfo : PluginInfo {
  std::string origin;            ///< the path or URL that it was loaded from
  std::vector<std::string> ops;  ///< those that nobody has removed since
  std::vector<std::string> layer_types;
  /// What first stopped a call of the plugin, or left it without memory: `op "x": unreachable`. Empty when nothing has.
  /// A plugin with a fault can still be called and unloaded, but its own state may be damaged.
  std::string fault;

  bool faulted() const noexcept { return !fault.empty(); }
};

struct UnloadOptions {
  /// Unload also while layers or recorded gradients of the plugin are alive. Their later use is a kPlugin error.
  bool force = false;
};

/// Loads compiled plugins, and is the registry of those that are loaded. In a build without dynamic loading
/// (MINITENSOR_DYNAMIC_LOADING=OFF) everything is there, and loading throws kNotImplemented.
class PluginLoader {
 public:
  /// The tables must outlive the loader.
  PluginLoader(OpRegistry& ops, LayerRegistry& layers) : ops_(ops), layers_(layers), registry_(ops, layers) {}
  PluginLoader(const PluginLoader&) = delete;
  PluginLoader& operator=(const PluginLoader&) = delete;
  /// As unload_all.
  ~PluginLoader() { unload_all(); }

  /// Everything that can be checked before the code is compiled: the file itself, its metadata, ABI version, version
  /// range and imports, and that its names are free. Nothing of the plugin runs. Throws kPlugin.
  PluginInspection check(std::span<const std::byte> bytes, std::string_view origin) const;
  /// check, then links, creates, initializes and registers the plugin. Throws kPlugin; everything is as before then.
  PluginInfo load_plugin(const PluginSource& source);
  /// The last thing that check does: throws kPlugin unless the names are free.
  void require_free_names(const PluginMetadata& metadata, std::string_view origin) const;
  /// load_plugin of a file that check_plugin has been asked about, with what it says. Of `file`, WebAssembly needs
  /// `dylink` alone, and no bytes of a source that is compiled.
  PluginInfo load_checked(const PluginSource& source, const PluginMetadata& metadata, const ModuleFile& file);
  /// The same from a file. Throws kPlugin of phase "read" when it cannot be read.
  PluginInfo load_plugin(const std::string& path);
  /// Calls cleanup, removes the ops and layer types, calls destroy, runs static destructors, and gives back code and
  /// memory. Throws kPlugin for a name that is not loaded (listing those that are), and, naming them, while layers or
  /// recorded gradients of the plugin are alive, unless by force, and while calls are running, even by force. What
  /// cleanup, destroy or a destructor does wrong is thrown after the plugin has been unloaded.
  void unload_plugin(std::string_view name, UnloadOptions options = {});
  /// Unloads every plugin by force, the newest first, except those with a call running, which are unloaded when it has
  /// ended. Errors are dropped.
  void unload_all() noexcept;

  /// In order of loading.
  std::vector<LoadedPluginInfo> list_plugins() const;
  /// Throws kPlugin for a name that is not loaded, listing those that are.
  LoadedPluginInfo get_plugin_info(std::string_view name) const;
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
