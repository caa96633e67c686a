#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace minitensor {

/// A plugin's file, on its way into the process.
struct PluginSource {
  std::span<const std::byte> bytes;
  std::string origin;  ///< path or URL, for messages
  /// The name under which the embedder has compiled these bytes already (WebAssembly compiles asynchronously only from
  /// JavaScript); empty: they are compiled here.
  // NOLINTNEXTLINE(readability-redundant-member-init): the initializer lets it be left out
  std::string compiled = {};
};

/// Where plugins' log lines go: the plugin's name and the line.
using PluginLog = std::function<void(std::string_view plugin, std::string_view message)>;

}  // namespace minitensor
