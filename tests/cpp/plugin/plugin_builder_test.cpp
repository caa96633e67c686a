#include "minitensor/plugin/plugin_builder.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "minitensor/base/text.h"
#include "support/expect_error.h"

namespace minitensor {
namespace {

using namespace std::string_literals;

PluginBuilder complete() {
  PluginBuilder builder;
  builder.name("swish").version({1, 2, 3}).description("An activation").author("Ada").min_minitensor_version({0, 1, 0});
  return builder;
}

TEST(PluginBuilder, BuildsWhatWasSet) {
  const auto plugin = complete().max_minitensor_version({0, 9, 9}).build();
  const PluginInfo& info = plugin->info();
  EXPECT_EQ(info.name, "swish");
  EXPECT_EQ(info.version, (VersionInfo{1, 2, 3}));
  EXPECT_EQ(info.description, "An activation");
  EXPECT_EQ(info.author, "Ada");
  EXPECT_EQ(info.min_minitensor_version, (VersionInfo{0, 1, 0}));
  EXPECT_EQ(info.max_minitensor_version, (VersionInfo{0, 9, 9}));
}

TEST(PluginBuilder, TheMaximumMayBeLeftOut) {
  EXPECT_EQ(complete().build()->info().max_minitensor_version, std::nullopt);
}

TEST(PluginBuilder, TheMaximumMayBeTheMinimum) {
  EXPECT_EQ(complete().max_minitensor_version({0, 1, 0}).build_info().max_minitensor_version, (VersionInfo{0, 1, 0}));
}

TEST(PluginBuilder, BuildInfoIsTheInfoOfThePlugin) {
  const PluginBuilder builder = complete();
  EXPECT_EQ(builder.build_info(), builder.build()->info());
}

TEST(PluginBuilder, NamesEveryMissingFieldAtOnce) {
  const std::vector<std::pair<std::string, std::function<void(PluginBuilder&)>>> fields = {
      {"name", [](PluginBuilder& b) { b.name("swish"); }},
      {"version", [](PluginBuilder& b) { b.version({1, 2, 3}); }},
      {"description", [](PluginBuilder& b) { b.description("An activation"); }},
      {"author", [](PluginBuilder& b) { b.author("Ada"); }},
      {"min_minitensor_version", [](PluginBuilder& b) { b.min_minitensor_version({0, 1, 0}); }},
  };
  const std::size_t all = (std::size_t{1} << fields.size()) - 1;
  for (std::size_t given = 0; given < all; ++given) {
    PluginBuilder builder;
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if ((given >> i & 1U) != 0) {
        fields[i].second(builder);
      } else {
        missing.push_back(fields[i].first);
      }
    }
    const std::string list = ": " + join(missing, ", ");
    try {
      builder.build();
      ADD_FAILURE() << "built without" << list;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kValue);
      EXPECT_TRUE(error.message().ends_with(list)) << error.message() << " should end with " << list;
    }
    EXPECT_MT_ERROR(builder.build_info(), ErrorCode::kValue, list);
  }
}

TEST(PluginBuilder, AMaximumDoesNotStandInForAMinimum) {
  EXPECT_MT_ERROR(
      PluginBuilder().name("a").version({1, 0, 0}).description("").author("").max_minitensor_version({9, 0, 0}).build(),
      ErrorCode::kValue, ": min_minitensor_version");
}

TEST(PluginBuilder, RefusesAnEmptyName) {
  EXPECT_MT_ERROR(complete().name("").build(), ErrorCode::kValue, "name is empty");
}

TEST(PluginBuilder, RefusesTheNameOfTheEngine) {
  EXPECT_MT_ERROR(complete().name("minitensor").build(), ErrorCode::kValue, "\"minitensor\"");
  EXPECT_EQ(complete().name("minitensor2").build()->info().name, "minitensor2");
}

TEST(PluginBuilder, DescriptionAndAuthorMayBeEmpty) {
  const PluginInfo info = complete().description("").author("").build_info();
  EXPECT_EQ(info.description, "");
  EXPECT_EQ(info.author, "");
}

TEST(PluginBuilder, RefusesANulInAnyText) {
  for (const std::string& text : {"\0"s, "\0a"s, "a\0"s, "a\0b"s}) {
    EXPECT_MT_ERROR(complete().name(text).build(), ErrorCode::kValue, "name");
    EXPECT_MT_ERROR(complete().description(text).build(), ErrorCode::kValue, "description");
    EXPECT_MT_ERROR(complete().author(text).build(), ErrorCode::kValue, "author");
  }
}

TEST(PluginBuilder, RefusesTextThatIsNoUtf8) {
  // A stray continuation, a cut sequence, an overlong form, a surrogate, a value above U+10FFFF, a byte of no use.
  for (const char* text : {"\x80", "caf\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xff"}) {
    EXPECT_MT_ERROR(complete().name(text).build(), ErrorCode::kValue, "name");
    EXPECT_MT_ERROR(complete().description(text).build(), ErrorCode::kValue, "description");
    EXPECT_MT_ERROR(complete().author(text).build(), ErrorCode::kValue, "author");
  }
}

TEST(PluginBuilder, KeepsTextOfEveryScript) {
  const std::string text = "caf\u00e9 \u65e5\u672c\u8a9e \U0001f680 \"quoted\" \\ \n";
  const PluginInfo info = complete().name(text).description(text).author(text).build_info();
  EXPECT_EQ(info.name, text);
  EXPECT_EQ(info.description, text);
  EXPECT_EQ(info.author, text);
}

TEST(PluginBuilder, RefusesAMaximumBelowTheMinimumAndNamesBoth) {
  for (const VersionInfo maximum : {VersionInfo{1, 2, 2}, VersionInfo{1, 1, 9}, VersionInfo{0, 9, 9}}) {
    PluginBuilder builder = complete();
    builder.min_minitensor_version({1, 2, 3}).max_minitensor_version(maximum);
    EXPECT_MT_ERROR(builder.build(), ErrorCode::kValue, to_string(maximum));
    EXPECT_MT_ERROR(builder.build_info(), ErrorCode::kValue, "1.2.3");
  }
}

TEST(PluginBuilder, EachSetterOverwritesWhatItSetBefore) {
  PluginBuilder builder = complete();
  builder.max_minitensor_version({0, 5, 0});
  builder.name("gelu")
      .version({4, 5, 6})
      .description("Another")
      .author("Grace")
      .min_minitensor_version({0, 2, 0})
      .max_minitensor_version({0, 3, 0});
  EXPECT_EQ(builder.build_info(), (PluginInfo{"gelu", {4, 5, 6}, "Another", "Grace", {0, 2, 0}, VersionInfo{0, 3, 0}}));
}

TEST(PluginBuilder, CanBeUsedAgain) {
  PluginBuilder builder = complete();
  const auto first = builder.build();
  const auto second = builder.name("gelu").build();
  const auto third = builder.build();
  EXPECT_EQ(first->info().name, "swish");
  EXPECT_EQ(second->info().name, "gelu");
  EXPECT_EQ(third->info(), second->info());
  EXPECT_NE(second, third);
}

TEST(PluginBuilder, CanBeMendedAfterAFailure) {
  PluginBuilder builder = complete();
  builder.name("");
  EXPECT_MT_ERROR(builder.build(), ErrorCode::kValue, "name");
  EXPECT_EQ(builder.name("swish").build()->info().name, "swish");
}

}  // namespace
}  // namespace minitensor
