#include <emscripten/bind.h>

#include <string>

#include "bindings/convert.h"
#include "bindings/guard.h"

namespace minitensor::bindings {

namespace {

using emscripten::val;

std::span<const std::byte> bytes_at(std::size_t address, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(address), size};
}

/// What the file says of itself, whether or not this engine would load it.
val inspect_file(std::size_t address, std::size_t size, std::string origin) {
  return to_javascript(inspect_plugin(bytes_at(address, size), origin));
}

/// The same, after every check that comes before the file is compiled.
val check_file(std::size_t address, std::size_t size, std::string origin) {
  return to_javascript(engine().loader.check(bytes_at(address, size), origin));
}

/// `compiled`: the name of the module that JavaScript has compiled from the same bytes.
val load_file(std::size_t address, std::size_t size, std::string origin, std::string compiled) {
  return to_javascript(
      engine().loader.load_plugin(PluginSource{bytes_at(address, size), std::move(origin), std::move(compiled)}));
}

void unload_plugin(std::string name, bool force) { engine().loader.unload_plugin(name, {.force = force}); }

/// As the instance is closed.
void unload_all_plugins() { engine().loader.unload_all(); }

val list_loaded_plugins() { return to_javascript(engine().loader.list_plugins()); }

val get_loaded_plugin_info(std::string name) { return to_javascript(engine().loader.get_plugin_info(name)); }

bool is_plugin_loaded(std::string name) { return engine().loader.is_plugin_loaded(name); }

}  // namespace

EMSCRIPTEN_BINDINGS(loader) {
  emscripten::function("inspectFile", guarded<&inspect_file>);
  emscripten::function("checkFile", guarded<&check_file>);
  emscripten::function("loadFile", guarded<&load_file>);
  emscripten::function("unloadPlugin", guarded<&unload_plugin>);
  emscripten::function("unloadAllPlugins", guarded<&unload_all_plugins>);
  emscripten::function("listLoadedPlugins", guarded<&list_loaded_plugins>);
  emscripten::function("getLoadedPluginInfo", guarded<&get_loaded_plugin_info>);
  emscripten::function("isPluginLoaded", guarded<&is_plugin_loaded>);
}

}  // namespace minitensor::bindings
