#include "minitensor/loader/plugin_loader.h"

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

void PluginLoader::require_loaded(std::string_view name, std::string_view operation) const {
  if (is_plugin_loaded(name)) return;
  std::vector<std::string> loaded;
  for (const PluginInfo& info : registry_.list_plugins()) loaded.push_back(info.name);
  throw Error(ErrorCode::kPlugin,
              std::string(operation) + ": no plugin " + quote(name) + " is loaded; loaded are: " + list_quoted(loaded),
              {.phase = "lookup", .plugin = std::string(name), .symbols = {}, .hint = "load it first"});
}

}  // namespace minitensor
