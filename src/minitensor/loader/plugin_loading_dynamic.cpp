// The part of PluginLoader that needs dlopen.

#include <exception>
#include <utility>

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

std::string hint_for(const ErrorDetails& details) {
  return details.callback_error != 0 ? "a callback of the application threw this" : kForTheAuthor;
}

// How errors name a plugin that is being loaded.
std::string subject_of(std::string_view name, std::string_view origin) {
  return "load_plugin: plugin " + quote(name) + " (" + std::string(origin) + ")";
}

// What went wrong in the plugin's own code or description, as an error that says which plugin it is and of which file.
Error load_error(const Error& error, const std::string& name, std::string_view origin) {
  ErrorDetails details = error.details();
  if (details.phase.empty() || error.code() != ErrorCode::kPlugin) details.phase = "initialize";
  if (details.hint.empty()) details.hint = hint_for(details);
  details.plugin = name;
  return Error(ErrorCode::kPlugin, subject_of(name, origin) + ": " + error.message(), std::move(details));
}

// Everything in a loader's registry was put there by load_plugin.
std::shared_ptr<CompiledPlugin> compiled_plugin(const PluginRegistry& registry, std::string_view name) {
  return std::static_pointer_cast<CompiledPlugin>(registry.get_plugin(name));
}

}  // namespace

void PluginLoader::require_free_names(const PluginMetadata& metadata, std::string_view origin) const {
  const std::string& name = metadata.info.name;
  const auto fail = [&](const std::string& what, std::string hint) {
    throw plugin_error("metadata", name, subject_of(name, origin) + " " + what, std::move(hint));
  };
  const auto describe = [&](const std::string& owner) {
    std::string text = describe_owner(owner);
    if (is_plugin_loaded(owner)) text += " (" + compiled_plugin(registry_, owner)->module().origin() + ")";
    return text;
  };
  if (is_plugin_loaded(name)) {
    fail("is loaded already, from " + compiled_plugin(registry_, name)->module().origin(), "unload it first");
  }
  for (const std::string& op : metadata.ops) {
    if (ops_.contains(op)) {
      fail("registers an op " + quote(op) + ", a name that " + describe(ops_.owner_of(op)) + " has already",
           "rename it, or remove what has its name");
    }
  }
  for (const std::string& layer : metadata.layers) {
    if (layers_.contains(layer)) {
      fail("registers a layer type " + quote(layer) + ", a name that " + describe(layers_.owner_of(layer)) +
               " has already",
           "rename it, or remove what has its name");
    }
  }
}

PluginInfo PluginLoader::load_checked(const PluginSource& source, const PluginMetadata& metadata,
                                      const ModuleFile& file) {
  require_free_names(metadata, source.origin);
  std::shared_ptr<LoadedModule> module;
  try {
    module = std::make_shared<LoadedModule>(source, metadata, file, ops_, log_);
    const auto plugin = std::make_shared<CompiledPlugin>(module);
    PluginInfo info = plugin->info();  // once it is registered, nothing may fail
    registry_.register_plugin(plugin);
    return info;
  } catch (const Error& error) {
    if (module) module->close();  // whoever got hold of something of it
    throw load_error(error, metadata.info.name, source.origin);
  } catch (...) {
    if (module) module->close();
    throw;
  }
}

void PluginLoader::unload_plugin(std::string_view name, UnloadOptions options) {
  require_loaded(name, "unload_plugin");
  const auto plugin = compiled_plugin(registry_, name);
  LoadedModule& module = plugin->module();
  const std::string subject = "unload_plugin: plugin " + quote(module.name());
  const auto fail = [&](const std::string& what, std::string hint) {
    throw plugin_error("unload", module.name(), subject + " " + what, std::move(hint));
  };
  if (module.calls_running() > 0) {
    fail("is in use by running calls: " + join(module.running_calls(), ", "), "unload it when they have returned");
  }
  if (const auto holders = module.holders(); !options.force && !holders.empty()) {
    fail("is in use by " + join(holders, ", "), "dispose what uses it first, or unload it by force");
  }
  std::optional<Error> cleanup_error;
  try {
    registry_.unregister(name);
  } catch (const Error& error) {
    if (is_plugin_loaded(name)) throw;
    cleanup_error = error;
  } catch (...) {
    if (!is_plugin_loaded(name)) module.close();
    throw;
  }
  const std::optional<std::string> stopped = module.close();
  if (cleanup_error) {
    ErrorDetails details = cleanup_error->details();
    if (details.hint.empty()) details.hint = hint_for(details);
    throw Error(ErrorCode::kPlugin, subject + " is unloaded, but failed at its end: " + cleanup_error->message(),
                std::move(details));
  }
  if (stopped) fail("is unloaded, but was stopped in " + *stopped, kForTheAuthor);
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
  std::vector<std::string> ops;
  for (const std::string& op : metadata.ops) {
    // The application may have removed it, and its name may be another's by now.
    if (ops_.contains(op) && ops_.owner_of(op) == name) ops.push_back(op);
  }
  return {{metadata.info}, module.origin(), std::move(ops), metadata.layers, module.fault()};
}

}  // namespace minitensor
