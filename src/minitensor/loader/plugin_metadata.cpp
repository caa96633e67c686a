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

// More than any plugin's author has to say.
constexpr std::size_t kMaxSize = 65536;

// Whether text from a file could do something to the terminal or page that shows it: control characters (but the NUL
// that ends a text), and the marks that reorder what is written.
bool has_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t offset) -> unsigned { return static_cast<unsigned char>(text[i + offset]); };
    if ((byte(0) < 0x20 && byte(0) != 0) || byte(0) == 0x7F) return true;
    if (byte(0) == 0xC2 && byte(1) < 0xA0) return true;  // U+0080 to U+009F
    if (byte(0) != 0xE2) continue;
    const unsigned mark = byte(1) << 8U | byte(2);
    if ((mark >= 0x80AA && mark <= 0x80AE) || (mark >= 0x81A6 && mark <= 0x81A9)) return true;
  }
  return false;
}

Fields parse_fields(std::string_view section, std::string_view origin) {
  if (section.size() > kMaxSize) {
    fail(origin,
         "the metadata has " + std::to_string(section.size()) + " bytes, the most is " + std::to_string(kMaxSize));
  }
  if (!is_valid_utf8(section)) fail(origin, "the metadata is not UTF-8");
  if (has_control_character(section)) fail(origin, "the metadata contains a control character");
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
  return version;
}

[[noreturn]] void fail_unknown_abi(std::string_view origin, std::uint32_t version, const std::string& plugin) {
  fail(origin,
       "the plugin " + quote(plugin) + " is built for plugin ABI version " + std::to_string(version) +
           ", this host has version " + std::to_string(MT_PLUGIN_ABI_VERSION),
       plugin);
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

PluginMetadata parse_by_rules(std::string_view section, std::string_view origin) {
  PluginMetadata metadata;
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
  const auto list = [&](std::string_view key) {
    std::vector<std::string> items = parse_list(fields.at(key));
    for (auto item = items.begin(); item != items.end(); ++item) {
      if (std::find(items.begin(), item, *item) == item) continue;
      fail(origin, "the metadata names " + quote(*item) + " twice in its " + std::string(key), text("name"));
    }
    return items;
  };
  metadata.features = list("features");
  metadata.ops = list("ops");
  metadata.layers = list("layers");
  return metadata;
}

}  // namespace

PluginMetadata parse_plugin_metadata(std::string_view section, std::string_view origin) {
  const std::uint32_t abi_version = parse_abi_version(section, origin);
  try {
    PluginMetadata metadata = parse_by_rules(section, origin);
    metadata.abi_version = abi_version;
    return metadata;
  } catch (const Error&) {
    if (abi_version == MT_PLUGIN_ABI_VERSION) throw;
  }
  const std::string_view name = find_value(section, "name").value_or("");
  fail_unknown_abi(origin, abi_version, std::string(is_valid_utf8(name) ? name : ""));
}

void require_known_abi(const PluginMetadata& metadata, std::string_view origin) {
  if (metadata.abi_version != MT_PLUGIN_ABI_VERSION) {
    fail_unknown_abi(origin, metadata.abi_version, metadata.info.name);
  }
}

}  // namespace minitensor
