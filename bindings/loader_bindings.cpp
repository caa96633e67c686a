#include "bindings/calls.h"
#include "bindings/convert.h"
#include "bindings/engine.h"

namespace minitensor::bindings {

namespace {

// What an inspection has found: the info's fields, the ops' names and the layer types'.
PluginMetadata read_metadata(WireReader& in) {
  PluginMetadata metadata;
  metadata.info = read_plugin_info(in);
  metadata.ops = in.texts();
  metadata.layers = in.texts();
  return metadata;
}

void write(WireWriter& out, const LoadedPluginInfo& info) {
  out.object();
  write_fields(out, info);
  out.field("origin").text(info.origin);
  out.field("ops").texts(info.ops);
  out.field("layerTypes").texts(info.layer_types);
  out.field("fault").text(info.fault);
  out.end();
}

/// (origin, metadata)
void require_free_names(WireReader& in, WireWriter&) {
  const std::string origin = in.text();
  engine().loader.require_free_names(read_metadata(in), origin);
}

/// (origin, metadata, compiled, and the size of memory, its alignment and the size of the table that the file asks
/// for). `compiled` is the name of the module that JavaScript has compiled.
void load_checked(WireReader& in, WireWriter& out) {
  PluginSource source;
  source.origin = in.text();
  const PluginMetadata metadata = read_metadata(in);
  source.compiled = in.text();
  ModuleFile file;
  DylinkInfo& dylink = file.dylink.emplace();
  dylink.memory_size = in.handle();
  dylink.memory_alignment = in.handle();
  dylink.table_size = in.handle();
  write(out, engine().loader.load_checked(source, metadata, file));
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
      {"requireFreeNames", require_free_names},
      {"loadChecked", load_checked},
      {"unloadPlugin", unload_plugin},
      {"unloadAllPlugins", unload_all_plugins},
      {"listLoadedPlugins", list_loaded_plugins},
      {"getLoadedPluginInfo", get_loaded_plugin_info},
      {"isPluginLoaded", is_plugin_loaded},
  };
  return kCalls;
}

}  // namespace minitensor::bindings
