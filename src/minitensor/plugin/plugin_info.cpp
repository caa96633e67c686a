#include "minitensor/plugin/plugin_info.h"

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

namespace {

[[noreturn]] void refuse(const PluginInfo& info, std::string_view origin, const std::string& wanted,
                         const VersionInfo& current, std::string hint) {
  const std::string place = origin.empty() ? "" : " (" + std::string(origin) + ")";
  throw Error(ErrorCode::kPlugin,
              "plugin " + quote(info.name) + place + " needs MiniTensor " + wanted + ", this is " + to_string(current),
              {.phase = "version", .plugin = info.name, .symbols = {}, .hint = std::move(hint)});
}

}  // namespace

void require_accepted_version(const PluginInfo& info, const VersionInfo& current, std::string_view origin) {
  const VersionInfo& minimum = info.min_minitensor_version;
  if (!current.is_compatible_with(minimum)) {
    refuse(info, origin, to_string(minimum) + " or newer with the major version " + std::to_string(minimum.major),
           current,
           current < minimum ? "use a newer version of MiniTensor" : "build the plugin for this version of MiniTensor");
  }
  if (info.max_minitensor_version && current > *info.max_minitensor_version) {
    refuse(info, origin, "no newer than " + to_string(*info.max_minitensor_version), current,
           "build the plugin for this version of MiniTensor");
  }
}

}  // namespace minitensor
