#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/op_registry.h"
#include "minitensor/plugin/plugin.h"

namespace minitensor {

/// Plugins by name, in order of registration. Their ops and layer types go into the tables given to the constructor,
/// which several registries may share; those tables must outlive the registry.
class PluginRegistry {
 public:
  PluginRegistry(OpRegistry& ops, LayerRegistry& layers) : ops_(ops), layers_(layers) {}
  PluginRegistry(const PluginRegistry&) = delete;
  PluginRegistry& operator=(const PluginRegistry&) = delete;
  /// Removes what is still registered, without calling cleanup: nobody is left to hear of its errors.
  ~PluginRegistry();

  /// A transaction: no plugin, or one with an empty name, the engine's or a taken one -> kValue; version not accepted
  /// -> kPlugin; then initialize, then every op and layer type. If any step throws, what was done is undone (cleanup is
  /// called when initialize had succeeded) and that same error comes out; the registry is as before.
  void register_plugin(std::shared_ptr<Plugin> plugin);
  /// Calls cleanup and removes the plugin with its ops and layer types, also when cleanup throws: its error comes out
  /// after the removal. Throws kValue for an unknown name, and while that plugin's own callback is running.
  void unregister(std::string_view name);

  bool is_registered(std::string_view name) const;
  /// Throws kKey, listing the plugins there are.
  std::shared_ptr<Plugin> get_plugin(std::string_view name) const;
  std::vector<PluginInfo> list_plugins() const;
  std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    std::shared_ptr<Plugin> plugin;
    PluginInfo info;  // as it was at registration
    std::vector<OpRegistry::Id> ops;
    std::vector<LayerRegistry::Id> layers;
    bool busy = false;  // one of its callbacks is running
  };
  using Entries = std::vector<std::shared_ptr<Entry>>;

  /// Null when there is none.
  static std::shared_ptr<Entry> find(const Entries& entries, std::string_view name);
  void remove_contents(Entry& entry) noexcept;

  OpRegistry& ops_;
  LayerRegistry& layers_;
  Entries entries_;  // registered
  Entries pending_;  // being registered: they hold their names already
};

}  // namespace minitensor
