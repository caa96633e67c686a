#pragma once

#include <memory>
#include <optional>
#include <string>

#include "minitensor/plugin/custom_plugin.h"

namespace minitensor {

/// Collects a plugin's metadata. The builder can be used again after build().
class PluginBuilder {
 public:
  PluginBuilder& name(std::string value);
  PluginBuilder& version(VersionInfo value);
  PluginBuilder& description(std::string value);
  PluginBuilder& author(std::string value);
  PluginBuilder& min_minitensor_version(VersionInfo value);
  PluginBuilder& max_minitensor_version(VersionInfo value);

  /// The metadata alone. Throws kValue that names every missing field, for an empty name or the engine's own, for text
  /// that is not UTF-8 or contains a NUL, and when the maximum is below the minimum. Description and author may be
  /// empty, but must be given.
  PluginInfo build_info() const;
  /// A plugin without callbacks. Throws as build_info does.
  std::shared_ptr<CustomPlugin> build() const;

 private:
  std::optional<std::string> name_;
  std::optional<VersionInfo> version_;
  std::optional<std::string> description_;
  std::optional<std::string> author_;
  std::optional<VersionInfo> min_version_;
  std::optional<VersionInfo> max_version_;
};

}  // namespace minitensor
