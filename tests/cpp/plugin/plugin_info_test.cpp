#include "minitensor/plugin/plugin_info.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/expect_error.h"

namespace minitensor {
namespace {

PluginInfo sample() {
  return {.name = "swish",
          .version = {3, 1, 4},
          .description = "An activation",
          .author = "Ada",
          .min_minitensor_version = {1, 2, 3},
          .max_minitensor_version = VersionInfo{1, 8, 0}};
}

TEST(PluginInfo, IsEqualToACopy) { EXPECT_EQ(sample(), sample()); }

TEST(PluginInfo, DiffersWhenAnyFieldDiffers) {
  std::vector<PluginInfo> others(8, sample());
  others[0].name = "Swish";
  others[1].version = {3, 1, 5};
  others[2].description = "";
  others[3].author = "Bob";
  others[4].min_minitensor_version = {1, 2, 2};
  others[5].max_minitensor_version = VersionInfo{1, 8, 1};
  others[6].max_minitensor_version.reset();
  others[7].max_minitensor_version = VersionInfo{};
  for (const PluginInfo& other : others) EXPECT_NE(sample(), other);
}

TEST(RequireAcceptedVersion, AcceptsFromTheMinimumToTheMaximum) {
  for (const VersionInfo current : {VersionInfo{1, 2, 3}, VersionInfo{1, 2, 4}, VersionInfo{1, 3, 0},
                                    VersionInfo{1, 7, 99}, VersionInfo{1, 8, 0}}) {
    EXPECT_NO_THROW(require_accepted_version(sample(), current)) << to_string(current);
  }
}

TEST(RequireAcceptedVersion, WithoutAMaximumAcceptsTheWholeMajor) {
  PluginInfo info = sample();
  info.max_minitensor_version.reset();
  EXPECT_NO_THROW(require_accepted_version(info, {1, 4294967295, 4294967295}));
  EXPECT_MT_ERROR(require_accepted_version(info, {2, 0, 0}), ErrorCode::kPlugin, "2.0.0");
}

TEST(RequireAcceptedVersion, AMaximumOfALaterMajorDoesNotWidenTheMinimum) {
  PluginInfo info = sample();
  info.max_minitensor_version = {2, 5, 0};
  EXPECT_NO_THROW(require_accepted_version(info, {1, 9, 0}));
  EXPECT_MT_ERROR(require_accepted_version(info, {2, 5, 0}), ErrorCode::kPlugin, "1.2.3");
}

TEST(RequireAcceptedVersion, ZeroIsAMajorLikeAnyOther) {
  PluginInfo info = sample();
  info.min_minitensor_version = {0, 1, 0};
  info.max_minitensor_version.reset();
  EXPECT_NO_THROW(require_accepted_version(info, {0, 2, 0}));
  EXPECT_MT_ERROR(require_accepted_version(info, {1, 0, 0}), ErrorCode::kPlugin, "0.1.0");
}

// One error, with everything its message has to say.
void expect_refusal(const VersionInfo& current, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_MT_ERROR(require_accepted_version(sample(), current), ErrorCode::kPlugin, text);
  }
}

TEST(RequireAcceptedVersion, AnOlderEngineIsRefusedWithPluginRuleAndBothVersions) {
  expect_refusal({1, 2, 2}, {"\"swish\"", "1.2.3 or newer", "1.2.2"});
  expect_refusal({1, 0, 0}, {"\"swish\"", "1.2.3 or newer", "1.0.0"});
}

TEST(RequireAcceptedVersion, AnotherMajorIsRefusedWithPluginRuleAndBothVersions) {
  expect_refusal({2, 0, 0}, {"\"swish\"", "1.2.3 or newer", "major version 1", "2.0.0"});
  expect_refusal({0, 9, 9}, {"\"swish\"", "1.2.3 or newer", "major version 1", "0.9.9"});
}

TEST(RequireAcceptedVersion, AnEngineAboveTheMaximumIsRefusedWithPluginRuleAndBothVersions) {
  expect_refusal({1, 8, 1}, {"\"swish\"", "no newer than 1.8.0", "1.8.1"});
  expect_refusal({1, 9, 0}, {"\"swish\"", "no newer than 1.8.0", "1.9.0"});
}

TEST(RequireAcceptedVersion, TheErrorHasThePhaseThePluginAndAHint) {
  try {
    require_accepted_version(sample(), {1, 0, 0});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.details().phase, "version");
    EXPECT_EQ(error.details().plugin, "swish");
    EXPECT_NE(error.details().hint.find("newer version of MiniTensor"), std::string::npos);
  }
}

}  // namespace
}  // namespace minitensor
