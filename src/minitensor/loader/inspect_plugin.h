#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/loader/import_check.h"
#include "minitensor/loader/module_file.h"
#include "minitensor/loader/plugin_metadata.h"

namespace minitensor {

/// Everything that can be known of a plugin's file without running it.
struct PluginInspection {
  ModuleFile file;
  PluginMetadata metadata;
  std::vector<ImportVerdict> imports;        ///< on those of `file`, in their order
  std::vector<std::string> missing_imports;  ///< the names of those that this host does not have, each once
  std::optional<Error> format_problem;       ///< what require_loadable_format throws
  /// Every other reason why this host, or one of the file's own platform, would not take it, in the order in which
  /// loading asks. Whether its names are free depends on what is loaded, and is not among them.
  std::vector<Error> problems;

  bool is_loadable() const noexcept { return !format_problem && problems.empty(); }
};

/// Reads `bytes`, which may be anything. Throws kPlugin of phase "read" or "metadata" when they are no plugin. What is
/// one, for whatever host, is read all the same: a file of the other platform, of another ABI version as far as it
/// keeps to this version's form, of another version of MiniTensor.
PluginInspection inspect_plugin(std::span<const std::byte> bytes, std::string_view origin);

/// The same of a file that is read already.
PluginInspection inspect_module(ModuleFile file, std::string_view origin);

/// The same, of a file that is to be loaded: throws kPlugin for the first reason why this host would not take it.
PluginInspection check_plugin(std::span<const std::byte> bytes, std::string_view origin);

/// Throws kPlugin of phase "read" unless this build loads files of that kind: .wasm in WebAssembly, natively .so of
/// this processor, and none without dynamic loading.
void require_loadable_format(const ModuleFile& file, std::string_view origin);

/// Throws the first of `problems`, if there is one.
void require_loadable(const PluginInspection& inspection);

}  // namespace minitensor
