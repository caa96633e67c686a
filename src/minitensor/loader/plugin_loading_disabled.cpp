// The part of PluginLoader that needs dlopen, in a build without it.

#include "minitensor/base/error.h"
#include "minitensor/loader/plugin_loader.h"

namespace minitensor {

namespace {

[[noreturn]] void throw_disabled(std::string_view origin) {
  throw Error(ErrorCode::kNotImplemented, "load_plugin: " + std::string(origin) +
                                              ": this build has no dynamic loading (MINITENSOR_DYNAMIC_LOADING=OFF)");
}

}  // namespace

PluginInspection PluginLoader::check(std::span<const std::byte>, std::string_view origin) const {
  throw_disabled(origin);
}

PluginInfo PluginLoader::load_plugin(const PluginSource& source) { throw_disabled(source.origin); }

PluginInfo PluginLoader::load_plugin(const std::string& path) { throw_disabled(path); }

void PluginLoader::require_free_names(const PluginMetadata&, std::string_view origin) const { throw_disabled(origin); }

PluginInfo PluginLoader::load_checked(const PluginSource& source, const PluginMetadata&, const ModuleFile&) {
  throw_disabled(source.origin);
}

void PluginLoader::unload_plugin(std::string_view name, UnloadOptions) { require_loaded(name, "unload_plugin"); }

void PluginLoader::unload_all() noexcept {}

std::vector<LoadedPluginInfo> PluginLoader::list_plugins() const { return {}; }

LoadedPluginInfo PluginLoader::get_plugin_info(std::string_view name) const {
  require_loaded(name, "get_plugin_info");
  return {};
}

}  // namespace minitensor
