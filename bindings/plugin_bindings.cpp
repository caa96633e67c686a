#include <memory>
#include <string>
#include <utility>

#include "bindings/calls.h"
#include "bindings/convert.h"
#include "bindings/engine.h"
#include "bindings/javascript_plugin.h"

namespace minitensor::bindings {

namespace {

PluginRegistry& read_registry(WireReader& in) { return *require(engine().registries, in.handle(), "plugin registry"); }

/// (fields, as read_plugin_info says) gives the same fields back, or notes what PluginBuilder refuses.
void check_plugin_info(WireReader& in, WireWriter& out) { write(out, read_plugin_info(in)); }

void create_registry(WireReader&, WireWriter& out) {
  Engine& all = engine();
  out.number(all.registries.add(std::make_unique<PluginRegistry>(all.ops, all.layer_types)));
}

void release_registry(WireReader& in, WireWriter&) { engine().registries.release(in.handle()); }

/// (callback, registry, fields)
void register_plugin(WireReader& in, WireWriter&) {
  // First of all, so that the callback is released whatever fails.
  auto owned = std::make_unique<JavaScriptCallback>(static_cast<int>(in.number()));
  PluginRegistry& registry = read_registry(in);
  registry.register_plugin(std::make_shared<JavaScriptPlugin>(read_plugin_info(in), std::move(owned)));
}

/// (registry, name)
void unregister_plugin(WireReader& in, WireWriter&) {
  PluginRegistry& registry = read_registry(in);
  registry.unregister(in.text());
}

void list_registered_plugins(WireReader& in, WireWriter& out) {
  out.list();
  for (const PluginInfo& info : read_registry(in).list_plugins()) write(out, info);
  out.end();
}

/// (registry, name) gives the number of the plugin's callback object.
void get_registered_plugin(WireReader& in, WireWriter& out) {
  const PluginRegistry& registry = read_registry(in);
  // Everything in a registry of JavaScript's was put there by register_plugin above.
  out.number(std::static_pointer_cast<JavaScriptPlugin>(registry.get_plugin(in.text()))->callback());
}

/// (registry, name)
void is_plugin_registered(WireReader& in, WireWriter& out) {
  const PluginRegistry& registry = read_registry(in);
  out.boolean(registry.is_registered(in.text()));
}

}  // namespace

std::span<const Call> plugin_calls() {
  static constexpr Call kCalls[] = {
      {"checkPluginInfo", check_plugin_info},         {"createRegistry", create_registry},
      {"releaseRegistry", release_registry},          {"registerPlugin", register_plugin},
      {"unregisterPlugin", unregister_plugin},        {"listRegisteredPlugins", list_registered_plugins},
      {"getRegisteredPlugin", get_registered_plugin}, {"isPluginRegistered", is_plugin_registered},
  };
  return kCalls;
}

}  // namespace minitensor::bindings
