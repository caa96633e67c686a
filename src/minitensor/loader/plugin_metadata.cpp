#include "minitensor/loader/plugin_metadata.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/plugin/plugin_builder.h"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

namespace {

using Fields = std::map<std::string_view, std::string_view>;

// Every key of ABI version 1. All but these are ignored, so that a later header may add some.
constexpr std::array<std::string_view, 9> kRequiredKeys = {
    "name",     "version", "description", "author", "min_minitensor_version", "max_minitensor_version",
    "features", "ops",     "layers"};

[[noreturn]] void fail(std::string_view origin, const std::string& what, std::string plugin = {}) {
  throw Error(ErrorCode::kPlugin, "plugin file " + std::string(origin) + ": " + what,
              {.phase = "metadata",
               .plugin = std::move(plugin),
               .symbols = {},
               .hint = "describe the plugin with MT_PLUGIN_METADATA and build it with the SDK of this MiniTensor"});
}

Fields parse_fields(std::string_view section, std::string_view origin) {
  if (!is_valid_utf8(section)) fail(origin, "the metadata is not UTF-8");
  Fields fields;
  while (!section.empty()) {
    const std::size_t end = section.find('\0');
    const std::string_view entry = section.substr(0, end);
    const std::size_t equals = entry.find('=');
    if (end == std::string_view::npos || equals == std::string_view::npos || equals == 0) {
      fail(origin, "the metadata is malformed at " + quote(entry, 40));
    }
    const std::string_view key = entry.substr(0, equals);
    if (!fields.emplace(key, entry.substr(equals + 1)).second) {
      fail(origin, "the metadata has the key " + quote(key) + " twice");
    }
    section.remove_prefix(end + 1);
  }
  return fields;
}

// The first value of `key`, whatever else the section contains: its form may be that of another ABI version.
std::optional<std::string_view> find_value(std::string_view section, std::string_view key) {
  while (!section.empty()) {
    const std::string_view entry = section.substr(0, section.find('\0'));
    if (entry.starts_with(key) && entry.substr(key.size()).starts_with('=')) return entry.substr(key.size() + 1);
    section.remove_prefix(std::min(entry.size() + 1, section.size()));
  }
  return std::nullopt;
}

std::uint32_t parse_abi_version(std::string_view section, std::string_view origin) {
  const auto found = find_value(section, "abi");
  if (!found) fail(origin, "the metadata has no ABI version");
  const std::string_view text = *found;
  std::uint32_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(origin, "the metadata's ABI version is " + quote(text) + ", not a number");
  }
  if (version != MT_PLUGIN_ABI_VERSION) {
    const std::string_view name = find_value(section, "name").value_or("");
    const std::string plugin(is_valid_utf8(name) ? name : "");
    fail(origin,
         "the plugin " + quote(plugin) + " is built for plugin ABI version " + std::to_string(version) +
             ", this host has version " + std::to_string(MT_PLUGIN_ABI_VERSION),
         plugin);
  }
  return version;
}

std::vector<std::string> parse_list(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (!item.empty()) items.emplace_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

}  // namespace

PluginMetadata parse_plugin_metadata(std::string_view section, std::string_view origin) {
  PluginMetadata metadata;
  metadata.abi_version = parse_abi_version(section, origin);
  const Fields fields = parse_fields(section, origin);

  std::vector<std::string> missing;
  for (const std::string_view key : kRequiredKeys) {
    if (!fields.contains(key)) missing.emplace_back(key);
  }
  if (!missing.empty()) fail(origin, "the metadata lacks: " + join(missing, ", "));

  const auto text = [&](std::string_view key) { return std::string(fields.at(key)); };
  try {
    PluginBuilder builder;
    builder.name(text("name"))
        .version(VersionInfo::parse(text("version")))
        .description(text("description"))
        .author(text("author"))
        .min_minitensor_version(VersionInfo::parse(text("min_minitensor_version")));
    if (!text("max_minitensor_version").empty()) {
      builder.max_minitensor_version(VersionInfo::parse(text("max_minitensor_version")));
    }
    metadata.info = builder.build_info();
  } catch (const Error& error) {
    fail(origin, "the metadata is not valid: " + error.message(), text("name"));
  }
  metadata.features = parse_list(fields.at("features"));
  metadata.ops = parse_list(fields.at("ops"));
  metadata.layers = parse_list(fields.at("layers"));
  return metadata;
}

}  // namespace minitensor
