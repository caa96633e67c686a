#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "minitensor/loader/module_file.h"
#include "minitensor/loader/plugin_metadata.h"

namespace minitensor {

/// Everything that can be known of a plugin's file without running it.
struct PluginInspection {
  ModuleFile file;
  PluginMetadata metadata;
  std::vector<std::string> missing_imports;  ///< those that this host does not have
};

/// Reads `bytes`, which may be anything. Throws kPlugin of phase "read" or "metadata" when they are no plugin of this
/// ABI version; a file of the other platform (.so or .wasm) is read all the same.
PluginInspection inspect_plugin(std::span<const std::byte> bytes, std::string_view origin);

/// The same of a file that is read already.
PluginInspection inspect_module(ModuleFile file, std::string_view origin);

/// Throws kPlugin of phase "read" unless the file is of the kind that this platform loads.
void require_loadable_format(const ModuleFile& file, std::string_view origin);

/// Throws kPlugin unless the engine would take this plugin: version range, features, imports. What is named already in
/// the tables is the loader's to check.
void require_loadable(const PluginInspection& inspection, std::string_view origin);

}  // namespace minitensor
