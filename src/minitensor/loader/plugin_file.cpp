#include "minitensor/loader/plugin_file.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, std::string hint = "check the path") {
  throw Error(ErrorCode::kPlugin, "plugin file " + shown(path) + " " + what,
              {.phase = "read", .plugin = {}, .symbols = {}, .hint = std::move(hint)});
}

}  // namespace

std::vector<std::byte> read_plugin_file(const std::string& path, std::uint64_t max_bytes) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) fail(path, "cannot be read: it does not exist");
  if (!std::filesystem::is_regular_file(path, error)) fail(path, "cannot be read: it is not a regular file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) fail(path, "cannot be read: " + error.message());
  if (size > max_bytes) {
    fail(path, "has " + std::to_string(size) + " bytes, the most is " + std::to_string(max_bytes),
         "check the path, or raise the limit");
  }
  std::ifstream stream(path, std::ios::binary);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream) fail(path, "cannot be read");
  return bytes;
}

}  // namespace minitensor
