#include "minitensor/loader/plugin_metadata.h"

#include <gtest/gtest.h>

#include <utility>

#include "loader/metadata_text.h"
#include "loader/plugin_error.h"

namespace minitensor {
namespace {

using test::MetadataText;

using Strings = std::vector<std::string>;

PluginMetadata parse(const MetadataText& text) { return parse_plugin_metadata(text.section(), "x.so"); }

TEST(PluginMetadata, EveryFieldIsRead) {
  const PluginMetadata metadata = parse(MetadataText()
                                            .set("description", "grüße, \"quoted\"=yes")
                                            .set("max_minitensor_version", "0.9.9")
                                            .set("features", "one, two")
                                            .set("ops", "a,b ,, c")
                                            .set("layers", "Layer"));
  EXPECT_EQ(metadata.abi_version, 1U);
  EXPECT_EQ(metadata.info.name, "swish");
  EXPECT_EQ(metadata.info.version, (VersionInfo{1, 2, 3}));
  EXPECT_EQ(metadata.info.description, "grüße, \"quoted\"=yes");
  EXPECT_EQ(metadata.info.author, "Ada");
  EXPECT_EQ(metadata.info.min_minitensor_version, (VersionInfo{0, 1, 0}));
  EXPECT_EQ(metadata.info.max_minitensor_version, (VersionInfo{0, 9, 9}));
  EXPECT_EQ(metadata.features, (Strings{"one", "two"}));
  EXPECT_EQ(metadata.ops, (Strings{"a", "b", "c"}));
  EXPECT_EQ(metadata.layers, Strings{"Layer"});
}

TEST(PluginMetadata, ListsAndTheMaximumMayBeEmpty) {
  const PluginMetadata metadata = parse(MetadataText().set("ops", "").set("layers", " , "));
  EXPECT_FALSE(metadata.info.max_minitensor_version);
  EXPECT_TRUE(metadata.features.empty());
  EXPECT_TRUE(metadata.ops.empty());
  EXPECT_TRUE(metadata.layers.empty());
}

TEST(PluginMetadata, UnknownKeysAreIgnored) {
  EXPECT_EQ(parse(MetadataText().set("licence", "MIT").set("of a later version", "=x=")).info.name, "swish");
}

TEST(PluginMetadata, TheOrderOfTheKeysIsFree) {
  std::string reversed;
  const std::string section = MetadataText().section();
  for (std::size_t begin = 0; begin < section.size();) {
    const std::size_t end = section.find('\0', begin) + 1;
    reversed.insert(0, section.substr(begin, end - begin));
    begin = end;
  }
  EXPECT_EQ(parse_plugin_metadata(reversed, "x.so").info.name, "swish");
}

TEST(PluginMetadata, EveryMissingKeyIsNamed) {
  for (const char* key : {"name", "version", "description", "author", "min_minitensor_version",
                          "max_minitensor_version", "features", "ops", "layers"}) {
    EXPECT_PLUGIN_ERROR(parse(MetadataText().remove(key)), "metadata",
                        "plugin file x.so: the metadata lacks: " + std::string(key));
  }
  EXPECT_PLUGIN_ERROR(parse_plugin_metadata(std::string_view("abi=1\0", 6), "x.so"), "metadata",
                      "the metadata lacks: name, version, description, author, min_minitensor_version, "
                      "max_minitensor_version, features, ops, layers");
}

TEST(PluginMetadata, AKeyThatIsThereTwiceIsRefused) {
  // As when two files of one plugin use MT_PLUGIN_METADATA: the linker puts the sections one behind the other.
  const std::string section = MetadataText().section();
  EXPECT_PLUGIN_ERROR(parse_plugin_metadata(section + section, "x.so"), "metadata",
                      "the metadata has the key \"abi\" twice");
  EXPECT_PLUGIN_ERROR(parse_plugin_metadata(section + std::string("name=y\0", 7), "x.so"), "metadata",
                      "the metadata has the key \"name\" twice");
}

TEST(PluginMetadata, WhatIsNotAListOfKeysAndValuesIsRefused) {
  const std::string section = MetadataText().section();
  const std::pair<std::string, std::string> cases[] = {
      {std::string("no equals sign\0", 15), "the metadata is malformed at \"no equals sign\""},
      {std::string("=no key\0", 8), "the metadata is malformed at \"=no key\""},
      {std::string("\0", 1), "the metadata is malformed at \"\""},
      {"cut=off", "the metadata is malformed at \"cut=off\""},
      {std::string(100, 'x') + '\0', "the metadata is malformed at \"" + std::string(40, 'x') + "…\""},
      {std::string("key=\xFF\0", 6), "the metadata is not UTF-8"},
  };
  for (const auto& [tail, message] : cases) {
    EXPECT_PLUGIN_ERROR(parse_plugin_metadata(section + tail, "x.so"), "metadata", message);
  }
}

TEST(PluginMetadata, WithoutAnAbiVersionNothingElseIsLookedAt) {
  EXPECT_PLUGIN_ERROR(parse_plugin_metadata("", "x.so"), "metadata", "x.so: the metadata has no ABI version");
  EXPECT_PLUGIN_ERROR(parse(MetadataText().remove("abi").set("version", "nonsense")), "metadata",
                      "the metadata has no ABI version");
}

TEST(PluginMetadata, AnAbiVersionThatIsNotANumberIsQuoted) {
  for (const char* version : {"", "one", "-1", "+1", " 1", "1 ", "1.0", "4294967296", "99999999999999999999"}) {
    EXPECT_PLUGIN_ERROR(parse(MetadataText().set("abi", version)), "metadata",
                        "the metadata's ABI version is \"" + std::string(version) + "\", not a number");
  }
}

TEST(PluginMetadata, AnotherAbiVersionInAnotherFormIsAnErrorThatNamesTheVersion) {
  const Error error = test::error_of([] { parse(MetadataText().set("abi", "2").set("version", "of another form")); });
  EXPECT_EQ(error.message(),
            "plugin file x.so: the plugin \"swish\" is built for plugin ABI version 2, this host has version 1");
  EXPECT_EQ(error.details().phase, "metadata");
  EXPECT_EQ(error.details().plugin, "swish");
  EXPECT_FALSE(error.details().hint.empty());

  for (const std::string_view rest : {"no list of keys and values", "name=\xFF\xFE", "cut"}) {
    EXPECT_PLUGIN_ERROR(parse_plugin_metadata(std::string("abi=2\0", 6) + std::string(rest), "x.so"), "metadata",
                        "is built for plugin ABI version 2, this host has version 1");
  }
}

TEST(PluginMetadata, OfAnotherAbiVersionIsReadWhenItKeepsTheForm) {
  const PluginMetadata metadata = parse(MetadataText().set("abi", "2").set("a_new_key", "x"));
  EXPECT_EQ(metadata.abi_version, 2U);
  EXPECT_EQ(metadata.info.name, "swish");
  EXPECT_PLUGIN_ERROR(
      require_known_abi(metadata, "x.so"), "metadata",
      "plugin file x.so: the plugin \"swish\" is built for plugin ABI version 2, this host has version 1");
  EXPECT_NO_THROW(require_known_abi(parse({}), "x.so"));
}

TEST(PluginMetadata, WhatCouldDoSomethingToWhoShowsItIsRefused) {
  for (const char* text : {"\x1B[31m", "a\nb", "\x7F", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6"}) {
    EXPECT_PLUGIN_ERROR(parse(MetadataText().set("description", text)), "metadata",
                        "plugin file x.so: the metadata contains a control character");
  }
  for (const char* text : {"“quoted” – grüße", "\xC2\xA0", "\xE2\x80\x93", "日本語", "😀"}) {
    EXPECT_EQ(parse(MetadataText().set("description", text)).info.description, text);
  }
}

TEST(PluginMetadata, HasALimit) {
  MetadataText text;
  text.set("description", "");
  const std::size_t room = 65536 - text.section().size();
  EXPECT_EQ(parse(text.set("description", std::string(room, 'x'))).info.description.size(), room);
  EXPECT_PLUGIN_ERROR(parse(text.set("description", std::string(room + 1, 'x'))), "metadata",
                      "plugin file x.so: the metadata has 65537 bytes, the most is 65536");
}

TEST(PluginMetadata, VersionsThatAreNoneAreQuoted) {
  for (const char* key : {"version", "min_minitensor_version", "max_minitensor_version"}) {
    for (const char* version : {"1.0", "v1.0.0", "1.0.0-rc1", "1.0.99999999999"}) {
      EXPECT_PLUGIN_ERROR(parse(MetadataText().set(key, version)), "metadata", version);
    }
  }
  EXPECT_PLUGIN_ERROR(parse(MetadataText().set("version", "")), "metadata", "the metadata is not valid");
  EXPECT_PLUGIN_ERROR(parse(MetadataText().set("min_minitensor_version", "")), "metadata", "the metadata is not valid");
}

TEST(PluginMetadata, AMaximumBelowTheMinimumIsRefused) {
  EXPECT_PLUGIN_ERROR(
      parse(MetadataText().set("min_minitensor_version", "0.2.0").set("max_minitensor_version", "0.1.0")), "metadata",
      "max_minitensor_version 0.1.0 is below min_minitensor_version 0.2.0");
}

TEST(PluginMetadata, AnEmptyNameIsRefused) {
  EXPECT_PLUGIN_ERROR(parse(MetadataText().set("name", "")), "metadata", "name is empty");
}

TEST(PluginMetadata, CutAnywhereItIsReadOrRefused) {
  const std::string section = MetadataText().section();
  for (std::size_t size = 0; size < section.size(); ++size) {
    const std::string cut = section.substr(0, size);
    EXPECT_PLUGIN_ERROR(parse_plugin_metadata(cut, "x.so"), "metadata", "plugin file x.so: ") << size;
  }
}

}  // namespace
}  // namespace minitensor
