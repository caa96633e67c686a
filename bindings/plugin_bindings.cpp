#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <utility>

#include "bindings/convert.h"
#include "bindings/guard.h"
#include "bindings/javascript_plugin.h"

namespace minitensor::bindings {

namespace {

using emscripten::val;
using Handle = std::uint32_t;

/// A missing field is undefined. Gives the same fields back, or notes what PluginBuilder refuses.
val check_plugin_info(val fields) { return to_javascript(plugin_info_from_javascript(fields)); }

PluginRegistry& registry_at(Handle handle) { return *require(engine().registries, handle, "plugin registry"); }

Handle create_registry() {
  Engine& all = engine();
  return all.registries.add(std::make_unique<PluginRegistry>(all.ops, all.layer_types));
}

void release_registry(Handle handle) { engine().registries.release(handle); }

void register_plugin(Handle handle, val info, int callback) {
  // First of all, so that the callback is released whatever fails.
  auto owned = std::make_unique<JavaScriptCallback>(callback);
  registry_at(handle).register_plugin(
      std::make_shared<JavaScriptPlugin>(plugin_info_from_javascript(info), std::move(owned)));
}

void unregister_plugin(Handle handle, std::string name) { registry_at(handle).unregister(name); }

val list_registered_plugins(Handle handle) { return to_javascript(registry_at(handle).list_plugins()); }

/// The number of the plugin's callback object.
int get_registered_plugin(Handle handle, std::string name) {
  // Everything in a registry of JavaScript's was put there by register_plugin above.
  return std::static_pointer_cast<JavaScriptPlugin>(registry_at(handle).get_plugin(name))->callback();
}

bool is_plugin_registered(Handle handle, std::string name) { return registry_at(handle).is_registered(name); }

}  // namespace

EMSCRIPTEN_BINDINGS(plugins) {
  emscripten::function("checkPluginInfo", guarded<&check_plugin_info>);
  emscripten::function("createRegistry", guarded<&create_registry>);
  emscripten::function("releaseRegistry", guarded<&release_registry>);
  emscripten::function("registerPlugin", guarded<&register_plugin>);
  emscripten::function("unregisterPlugin", guarded<&unregister_plugin>);
  emscripten::function("listRegisteredPlugins", guarded<&list_registered_plugins>);
  emscripten::function("getRegisteredPlugin", guarded<&get_registered_plugin>);
  emscripten::function("isPluginRegistered", guarded<&is_plugin_registered>);
}

}  // namespace minitensor::bindings
