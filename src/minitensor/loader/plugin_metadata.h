#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/plugin/plugin_info.h"

namespace minitensor {

/// What a plugin's file says of it, in the section that MT_PLUGIN_METADATA writes.
struct PluginMetadata {
  std::uint32_t abi_version = 0;
  PluginInfo info;
  std::vector<std::string> features;  ///< what the host must have
  std::vector<std::string> ops;       ///< the ops it registers
  std::vector<std::string> layers;    ///< the layer types it registers
};

/// Parses the section's content: NUL-terminated "key=value" texts of UTF-8 without control characters, 64 KiB at most.
/// Of another ABI version than this host's, it is read by the same rules, so that it can be shown; when that fails, the
/// error names the version. Throws kPlugin of phase "metadata".
PluginMetadata parse_plugin_metadata(std::string_view section, std::string_view origin);

/// Throws kPlugin of phase "metadata" unless the plugin is built for the ABI version of this host.
void require_known_abi(const PluginMetadata& metadata, std::string_view origin);

}  // namespace minitensor
