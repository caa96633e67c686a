// Loading that begins with the bytes, apart from the rest of the loader: of the npm package's core, JavaScript has
// another program read the file (bindings/inspector.cpp).

#include "minitensor/loader/plugin_loader.h"

namespace minitensor {

PluginInspection PluginLoader::check(std::span<const std::byte> bytes, std::string_view origin) const {
  PluginInspection inspection = check_plugin(bytes, origin);
  require_free_names(inspection.metadata, origin);
  return inspection;
}

PluginInfo PluginLoader::load_plugin(const PluginSource& source) {
  const PluginInspection inspection = check_plugin(source.bytes, source.origin);
  return load_checked(source, inspection.metadata, inspection.file);
}

}  // namespace minitensor
