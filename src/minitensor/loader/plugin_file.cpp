// Apart from the rest of the loader, because only programs that read files themselves should pay for files.

#include <filesystem>
#include <fstream>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/loader/plugin_loader.h"

namespace minitensor {

namespace {

std::vector<std::byte> read_file(const std::string& path) {
  const auto fail = [&](const std::string& what) {
    return Error(ErrorCode::kPlugin, "load_plugin: " + path + " " + what,
                 {.phase = "read", .plugin = {}, .symbols = {}, .hint = "check the path"});
  };
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw fail("does not exist");
  if (!std::filesystem::is_regular_file(path, error)) throw fail("is not a regular file");
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) throw fail("cannot be opened");
  std::vector<std::byte> bytes(static_cast<std::size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw fail("cannot be read");
  return bytes;
}

}  // namespace

PluginInfo PluginLoader::load_plugin(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return load_plugin(PluginSource{bytes, path});
}

}  // namespace minitensor
