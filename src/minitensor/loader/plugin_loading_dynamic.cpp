// The part of PluginLoader that needs dlopen.

#include <exception>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/compiled_plugin.h"
#include "minitensor/loader/loaded_module.h"
#include "minitensor/loader/plugin_loader.h"

namespace minitensor {

namespace {

Error plugin_error(const std::string& phase, const std::string& plugin, const std::string& message,
                   std::string hint = {}) {
  return Error(ErrorCode::kPlugin, message, {.phase = phase, .plugin = plugin, .symbols = {}, .hint = std::move(hint)});
}

// Everything in a loader's registry was put there by load_plugin.
std::shared_ptr<CompiledPlugin> compiled_plugin(const PluginRegistry& registry, std::string_view name) {
  return std::static_pointer_cast<CompiledPlugin>(registry.get_plugin(name));
}

}  // namespace

void PluginLoader::require_free_names(const PluginMetadata& metadata, std::string_view origin) const {
  const std::string& name = metadata.info.name;
  const auto fail = [&](const std::string& what, std::string hint) {
    throw plugin_error("metadata", name,
                       "load_plugin: plugin " + quote(name) + " (" + std::string(origin) + ") " + what,
                       std::move(hint));
  };
  if (is_plugin_loaded(name)) fail("is loaded already", "unload it first");
  for (const std::string& op : metadata.ops) {
    if (ops_.contains(op)) {
      fail("registers an op " + quote(op) + ", a name that " + describe_owner(ops_.owner_of(op)) + " has already",
           "rename the op, or remove what has its name");
    }
  }
  for (const std::string& layer : metadata.layers) {
    if (layers_.contains(layer)) {
      fail("registers a layer type " + quote(layer) + ", a name that " + describe_owner(layers_.owner_of(layer)) +
               " has already",
           "rename the layer type, or unload the plugin that has its name");
    }
  }
}

PluginInfo PluginLoader::load_checked(const PluginSource& source, const PluginMetadata& metadata,
                                      const ModuleFile& file) {
  require_free_names(metadata, source.origin);
  const std::string& name = metadata.info.name;
  const auto module = std::make_shared<LoadedModule>(source, metadata, file, ops_, log_);
  try {
    const auto plugin = std::make_shared<CompiledPlugin>(module);
    PluginInfo info = plugin->info();  // once it is registered, nothing may fail
    registry_.register_plugin(plugin);
    return info;
  } catch (const Error& error) {
    module->close();  // whoever got hold of something of it
    if (error.code() == ErrorCode::kPlugin) throw;
    throw plugin_error("initialize", name, "plugin " + quote(name) + ": " + error.message());
  } catch (...) {
    module->close();
    throw;
  }
}

void PluginLoader::unload_plugin(std::string_view name, UnloadOptions options) {
  require_loaded(name, "unload_plugin");
  const auto plugin = compiled_plugin(registry_, name);
  LoadedModule& module = plugin->module();
  const auto fail = [&](const std::string& what, std::string hint) {
    throw plugin_error("unload", module.name(), "unload_plugin: plugin " + quote(module.name()) + " " + what,
                       std::move(hint));
  };
  if (const int calls = module.running_calls(); calls > 0) {
    fail("is in use by " + std::to_string(calls) + " running call(s)", "unload it when they have returned");
  }
  if (const auto holders = module.holders(); !options.force && !holders.empty()) {
    fail("is in use by " + join(holders, ", "), "dispose what uses it first, or unload it by force");
  }
  std::exception_ptr cleanup_error;
  try {
    registry_.unregister(name);
  } catch (...) {
    if (is_plugin_loaded(name)) throw;
    cleanup_error = std::current_exception();
  }
  const std::optional<std::string> stopped = module.close();
  if (cleanup_error) std::rethrow_exception(cleanup_error);
  if (stopped) fail("is unloaded, but was stopped in " + *stopped, "this is a fault in the plugin's code");
}

void PluginLoader::unload_all() noexcept {
  std::vector<std::shared_ptr<CompiledPlugin>> plugins;
  for (const PluginInfo& info : registry_.list_plugins()) plugins.push_back(compiled_plugin(registry_, info.name));
  while (!plugins.empty()) {
    const std::shared_ptr<CompiledPlugin> plugin = std::move(plugins.back());
    plugins.pop_back();
    try {
      unload_plugin(plugin->info().name, {.force = true});
    } catch (const std::exception&) {
      // Nobody is left to hear of it.
    }
    plugin->module().forget_engine();
  }
}

std::vector<LoadedPluginInfo> PluginLoader::list_plugins() const {
  std::vector<LoadedPluginInfo> infos;
  for (const PluginInfo& info : registry_.list_plugins()) infos.push_back(get_plugin_info(info.name));
  return infos;
}

LoadedPluginInfo PluginLoader::get_plugin_info(std::string_view name) const {
  require_loaded(name, "get_plugin_info");
  const LoadedModule& module = compiled_plugin(registry_, name)->module();
  const PluginMetadata& metadata = module.metadata();
  return {{metadata.info}, module.origin(), metadata.ops, metadata.layers, module.fault()};
}

}  // namespace minitensor
