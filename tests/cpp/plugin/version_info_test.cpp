#include "minitensor/plugin/version_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "fixtures/version_cases.h"
#include "minitensor/base/text.h"
#include "minitensor/base/version.h"
#include "support/expect_error.h"

namespace minitensor {
namespace {

using namespace std::string_view_literals;

TEST(VersionInfo, ParsesThreeDecimalNumbers) {
  for (const auto& [text, numbers] : test::kVersionCasesValid) {
    const VersionInfo version = VersionInfo::parse(text);
    EXPECT_EQ(version.major, numbers.major_part) << text;
    EXPECT_EQ(version.minor, numbers.minor_part) << text;
    EXPECT_EQ(version.patch, numbers.patch_part) << text;
  }
}

TEST(VersionInfo, RefusesEverythingElseAndQuotesIt) {
  for (const auto& [why, text] : test::kVersionCasesInvalid) {
    EXPECT_MT_ERROR(VersionInfo::parse(text), ErrorCode::kValue, quote(text)) << why;
  }
}

TEST(VersionInfo, RefusesBytesThatAreNoUtf8) {
  for (const std::string_view text : {"1.2.3\xff"sv, "\x80.2.3"sv, "1.\xc0\xb2.3"sv, "1.2.\xed\xa0\x80"sv}) {
    EXPECT_MT_ERROR(VersionInfo::parse(text), ErrorCode::kValue, quote(text));
  }
}

TEST(VersionInfo, RefusesEveryOtherByteAtEveryPlace) {
  const std::string valid = "1.2.3";
  for (std::size_t place = 0; place < valid.size(); ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = valid;
      text[place] = static_cast<char>(byte);
      const bool digit = byte >= '0' && byte <= '9';
      const bool expected = place % 2 == 0 ? digit : byte == '.';
      bool accepted = true;
      try {
        VersionInfo::parse(text);
      } catch (const Error& error) {
        accepted = false;
        EXPECT_EQ(error.code(), ErrorCode::kValue);
      }
      EXPECT_EQ(accepted, expected) << quote(text);
    }
  }
}

TEST(VersionInfo, ReadsOnlyInsideTheView) {
  // No terminator, and digits on both sides.
  EXPECT_EQ(VersionInfo::parse("91.2.39"sv.substr(1, 5)), (VersionInfo{1, 2, 3}));
  EXPECT_MT_ERROR(VersionInfo::parse(std::string_view()), ErrorCode::kValue, "\"\"");
}

TEST(VersionInfo, TheFixturesKeepTheirNulsAndNewlines) {
  const auto contain = [](char wanted) {
    return std::any_of(std::begin(test::kVersionCasesInvalid), std::end(test::kVersionCasesInvalid),
                       [&](const auto& c) { return c.text.size() > 1 && c.text.find(wanted) != c.text.npos; });
  };
  EXPECT_TRUE(contain('\0'));
  EXPECT_TRUE(contain('\n'));
  EXPECT_TRUE(contain('"'));
  EXPECT_TRUE(contain('\\'));
}

TEST(VersionInfo, AHugeInputGivesAShortMessage) {
  const std::string huge(1'000'000, '9');
  try {
    VersionInfo::parse(huge);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kValue);
    EXPECT_LT(error.message().size(), 400U);
  }
}

TEST(VersionInfo, ToStringIsTheCanonicalFormAndParsesBack) {
  for (const auto& [text, numbers] : test::kVersionCasesValid) {
    const VersionInfo version{numbers.major_part, numbers.minor_part, numbers.patch_part};
    EXPECT_EQ(to_string(version), std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                                      std::to_string(version.patch));
    EXPECT_EQ(VersionInfo::parse(to_string(version)), version);
  }
  EXPECT_EQ(to_string(VersionInfo{1, 2, 3}), "1.2.3");
  EXPECT_EQ(to_string(VersionInfo{}), "0.0.0");
}

TEST(VersionInfo, CurrentIsTheVersionOfThePackage) {
  EXPECT_EQ(VersionInfo::current(), (VersionInfo{kVersionMajor, kVersionMinor, kVersionPatch}));
  EXPECT_TRUE(VersionInfo::current().is_compatible_with(VersionInfo::current()));
}

TEST(VersionInfo, IsCompatibleWithTheSameMajorWhenNotOlder) {
  for (const auto& [version, minimum] : test::kVersionCasesCompatible) {
    EXPECT_TRUE(VersionInfo::parse(version).is_compatible_with(VersionInfo::parse(minimum)))
        << version << " for " << minimum;
  }
}

TEST(VersionInfo, IsNotCompatibleWithAnotherMajorOrWhenOlder) {
  for (const auto& [version, minimum] : test::kVersionCasesIncompatible) {
    EXPECT_FALSE(VersionInfo::parse(version).is_compatible_with(VersionInfo::parse(minimum)))
        << version << " for " << minimum;
  }
}

TEST(VersionInfo, ComparesNumberByNumber) {
  const auto begin = std::begin(test::kVersionCasesAscending);
  const auto end = std::end(test::kVersionCasesAscending);
  for (const auto* left = begin; left != end; ++left) {
    for (const auto* right = begin; right != end; ++right) {
      const VersionInfo a = VersionInfo::parse(*left);
      const VersionInfo b = VersionInfo::parse(*right);
      const auto note = [&] { return std::string(*left) + " and " + std::string(*right); };
      EXPECT_EQ(a < b, left < right) << note();
      EXPECT_EQ(a <= b, left <= right) << note();
      EXPECT_EQ(a > b, left > right) << note();
      EXPECT_EQ(a >= b, left >= right) << note();
      EXPECT_EQ(a == b, left == right) << note();
      EXPECT_EQ(a != b, left != right) << note();
    }
  }
}

}  // namespace
}  // namespace minitensor
