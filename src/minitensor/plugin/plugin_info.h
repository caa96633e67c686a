#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "minitensor/plugin/version_info.h"

namespace minitensor {

/// What a plugin says of itself. Text is UTF-8.
struct PluginInfo {
  std::string name;
  VersionInfo version;
  std::string description;
  std::string author;
  VersionInfo min_minitensor_version;
  std::optional<VersionInfo> max_minitensor_version;

  friend bool operator==(const PluginInfo&, const PluginInfo&) = default;
};

/// Throws kPlugin, naming the versions, unless `current` is compatible with the plugin's minimum and not above its
/// maximum. `origin`: the file that it is of, for the message, if it is of one.
void require_accepted_version(const PluginInfo& info, const VersionInfo& current, std::string_view origin = {});

}  // namespace minitensor
