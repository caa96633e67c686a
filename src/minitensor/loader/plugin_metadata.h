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

/// Parses the section's content: NUL-terminated "key=value" texts. The ABI version is looked at first: another one
/// than this host's is an error before anything else is read. Throws kPlugin of phase "metadata".
PluginMetadata parse_plugin_metadata(std::string_view section, std::string_view origin);

}  // namespace minitensor
