// The part of PluginLoader that needs dlopen.

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

}  // namespace

PluginInspection PluginLoader::check(std::span<const std::byte> bytes, std::string_view origin) const {
  ModuleFile file = read_module_file(bytes, origin);
  require_loadable_format(file, origin);
  PluginInspection inspection = inspect_module(std::move(file), origin);
  require_loadable(inspection);
  const std::string& name = inspection.metadata.info.name;
  const auto fail = [&](const std::string& what, std::string hint) {
    throw plugin_error("metadata", name,
                       "load_plugin: plugin " + quote(name) + " (" + std::string(origin) + ") " + what,
                       std::move(hint));
  };
  if (is_plugin_loaded(name)) fail("is loaded already", "unload it first");
  for (const std::string& op : inspection.metadata.ops) {
    if (ops_.contains(op)) {
      fail("registers an op " + quote(op) + ", a name that " + describe_owner(ops_.owner_of(op)) + " has already",
           "rename the op, or remove what has its name");
    }
  }
  for (const std::string& layer : inspection.metadata.layers) {
    if (layers_.contains(layer)) {
      fail("registers a layer type " + quote(layer) + ", a name that another has already",
           "rename the layer type, or unload the plugin that has its name");
    }
  }
  return inspection;
}

PluginInfo PluginLoader::load_plugin(const PluginSource& source) {
  const PluginInspection inspection = check(source.bytes, source.origin);
  const std::string name = inspection.metadata.info.name;
  const auto plugin = std::make_shared<CompiledPlugin>(std::make_shared<LoadedModule>(source, inspection, ops_, log_));
  try {
    registry_.register_plugin(plugin);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kPlugin) throw;
    throw plugin_error("initialize", name, "plugin " + quote(name) + ": " + error.message());
  }
  return plugin->info();
}

void PluginLoader::unload_plugin(std::string_view name) {
  require_loaded(name, "unload_plugin");
  // Everything in this registry was put there by load_plugin.
  auto plugin = std::static_pointer_cast<CompiledPlugin>(registry_.get_plugin(name));
  const std::vector<std::string> holders = plugin->module().holders();
  if (!holders.empty()) {
    throw plugin_error("unload", std::string(name),
                       "unload_plugin: plugin " + quote(name) + " is in use by " + join(holders, ", "),
                       "dispose what uses it first");
  }
  registry_.unregister(name);
}

}  // namespace minitensor
