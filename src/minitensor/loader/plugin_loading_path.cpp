// Apart from the rest of the loader, because only programs that read files themselves should pay for files.

#include "minitensor/base/text.h"
#include "minitensor/loader/plugin_file.h"
#include "minitensor/loader/plugin_loader.h"

namespace minitensor {

PluginInfo PluginLoader::load_plugin(const std::string& path) {
  const std::vector<std::byte> bytes = read_plugin_file(path);
  return load_plugin(PluginSource{bytes, shown(path)});
}

}  // namespace minitensor
