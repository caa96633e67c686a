#include "bindings/calls.h"
#include "bindings/convert.h"
#include "bindings/engine.h"

namespace minitensor::bindings {

namespace {

// The bytes of a file, by address and size.
std::span<const std::byte> read_bytes(WireReader& in) {
  const auto* address = reinterpret_cast<const std::byte*>(static_cast<std::size_t>(in.number()));
  return {address, static_cast<std::size_t>(in.number())};
}

/// (address, size, origin): what the file says of itself, whether or not this engine would load it.
void inspect_file(WireReader& in, WireWriter& out) {
  const auto bytes = read_bytes(in);
  write(out, inspect_plugin(bytes, in.text()));
}

/// The same, after every check that comes before the file is compiled.
void check_file(WireReader& in, WireWriter& out) {
  const auto bytes = read_bytes(in);
  write(out, engine().loader.check(bytes, in.text()));
}

/// (address, size, origin, compiled), the last being the name of the module that JavaScript has compiled from the same
/// bytes.
void load_file(WireReader& in, WireWriter& out) {
  PluginSource source;
  source.bytes = read_bytes(in);
  source.origin = in.text();
  source.compiled = in.text();
  write(out, engine().loader.load_plugin(source));
}

/// (name, force)
void unload_plugin(WireReader& in, WireWriter&) {
  const std::string name = in.text();
  engine().loader.unload_plugin(name, {.force = in.boolean()});
}

/// As the instance is closed.
void unload_all_plugins(WireReader&, WireWriter&) { engine().loader.unload_all(); }

void list_loaded_plugins(WireReader&, WireWriter& out) {
  out.list();
  for (const LoadedPluginInfo& info : engine().loader.list_plugins()) write(out, info);
  out.end();
}

void get_loaded_plugin_info(WireReader& in, WireWriter& out) { write(out, engine().loader.get_plugin_info(in.text())); }

void is_plugin_loaded(WireReader& in, WireWriter& out) { out.boolean(engine().loader.is_plugin_loaded(in.text())); }

}  // namespace

std::span<const Call> loader_calls() {
  static constexpr Call kCalls[] = {
      {"inspectFile", inspect_file},
      {"checkFile", check_file},
      {"loadFile", load_file},
      {"unloadPlugin", unload_plugin},
      {"unloadAllPlugins", unload_all_plugins},
      {"listLoadedPlugins", list_loaded_plugins},
      {"getLoadedPluginInfo", get_loaded_plugin_info},
      {"isPluginLoaded", is_plugin_loaded},
  };
  return kCalls;
}

}  // namespace minitensor::bindings
