#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace minitensor {

/// How large a plugin's file may be when nothing else is said, in bytes: 64 MiB, as for loadPlugin of JavaScript.
inline constexpr std::uint64_t kMaxPluginBytes = std::uint64_t{64} << 20U;

/// The content of a file. Throws kPlugin of phase "read" when it cannot be read, is no regular file, or has more bytes
/// than that, without reading them.
std::vector<std::byte> read_plugin_file(const std::string& path, std::uint64_t max_bytes = kMaxPluginBytes);

}  // namespace minitensor
