#include "minitensor/base/text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace minitensor {
namespace {

TEST(Quote, PutsTextInDoubleQuotes) {
  EXPECT_EQ(quote("matmul"), "\"matmul\"");
  EXPECT_EQ(quote(""), "\"\"");
  EXPECT_EQ(quote("two words"), "\"two words\"");
}

TEST(Quote, EscapesQuotesAndBackslashes) {
  EXPECT_EQ(quote("a\"b"), "\"a\\\"b\"");
  EXPECT_EQ(quote("a\\b"), "\"a\\\\b\"");
}

TEST(Quote, EscapesControlCharacters) {
  EXPECT_EQ(quote("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(quote("\x1b[31m"), "\"\\x1b[31m\"");
  EXPECT_EQ(quote("\x7f"), "\"\\x7f\"");
  EXPECT_EQ(quote(std::string_view("a\0b", 3)), "\"a\\x00b\"");
  for (int byte = 0; byte < 0x20; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(quote(text)[1], '\\') << byte;
  }
}

TEST(Quote, KeepsWellFormedUtf8) {
  EXPECT_EQ(quote("gr\xC3\xBC\xC3\x9F"), "\"gr\xC3\xBC\xC3\x9F\"");
  EXPECT_EQ(quote("\xF0\x9F\x98\x80"), "\"\xF0\x9F\x98\x80\"");
}

TEST(Quote, ShowsIllFormedBytesInHexadecimal) {
  EXPECT_EQ(quote("\xFF"), "\"\\xff\"");
  EXPECT_EQ(quote("a\x80z"), "\"a\\x80z\"");
  EXPECT_EQ(quote("\xC3"), "\"\\xc3\"");
}

TEST(Quote, KeepsTextOfExactlyTheLimit) { EXPECT_EQ(quote("12345", 5), "\"12345\""); }

TEST(Quote, CutsLongerTextAndShowsThatItDid) { EXPECT_EQ(quote("123456", 5), "\"12345…\""); }

TEST(Quote, CutsAfter120BytesUnlessToldOtherwise) {
  EXPECT_EQ(quote(std::string(120, 'a')), "\"" + std::string(120, 'a') + "\"");
  EXPECT_EQ(quote(std::string(121, 'a')), "\"" + std::string(120, 'a') + "…\"");
}

TEST(Quote, NeverCutsInsideAUtf8Sequence) {
  EXPECT_EQ(quote("ab\xC3\xBCz", 3), "\"ab…\"");  // u umlaut takes bytes 2 and 3
  EXPECT_EQ(quote("ab\xC3\xBCz", 4), "\"ab\xC3\xBC…\"");
  EXPECT_EQ(quote("a\xF0\x9F\x98\x80z", 4), "\"a…\"");  // an emoji takes bytes 1 to 4
  EXPECT_EQ(quote("a\xF0\x9F\x98\x80z", 5), "\"a\xF0\x9F\x98\x80…\"");
  EXPECT_EQ(quote("a", 0), "\"…\"");
}

TEST(Quote, ShowsIllFormedTextThatIsCut) {
  // Continuation bytes without a beginning are no sequence that the cut could be inside of.
  const std::string text(200, '\x80');
  EXPECT_NE(quote(text).find("\\x80"), std::string::npos);
}

TEST(Quote, GivesValidUtf8WhateverItIsGiven) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second), 'x'};
      for (std::size_t limit = 0; limit < 4; ++limit) {
        ASSERT_TRUE(is_valid_utf8(quote(text, limit))) << first << ' ' << second << ' ' << limit;
      }
    }
  }
}

TEST(ListQuoted, PutsEachNameInQuotesAndSaysNoneForNoNames) {
  EXPECT_EQ(list_quoted({}), "none");
  EXPECT_EQ(list_quoted({"a"}), "\"a\"");
  EXPECT_EQ(list_quoted({"a", "b \"c\""}), "\"a\", \"b \\\"c\\\"\"");
}

TEST(Join, PutsTheSeparatorBetweenItems) {
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"", ""}, "-"), "-");
  EXPECT_EQ(join({"a", "a", "a"}, ""), "aaa");
}

TEST(IsValidUtf8, AcceptsTextOfAllLengths) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("ascii"));
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
  EXPECT_TRUE(is_valid_utf8("\xC3\xBC"));
  EXPECT_TRUE(is_valid_utf8("\xE2\x82\xAC"));
  EXPECT_TRUE(is_valid_utf8("\xF0\x9F\x98\x80 and more"));
}

// The first and last of each row of table 3-7 of the Unicode standard.
TEST(IsValidUtf8, AcceptsTheBoundariesOfTheTable) {
  for (const char* text :
       {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xE0\xBF\xBF", "\xE1\x80\x80", "\xEC\xBF\xBF", "\xED\x80\x80",
        "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF0\xBF\xBF\xBF", "\xF1\x80\x80\x80",
        "\xF3\xBF\xBF\xBF", "\xF4\x80\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_valid_utf8(text)) << quote(text);
  }
}

TEST(IsValidUtf8, RefusesOverlongForms) {
  for (const char* text :
       {"\xC0\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF"}) {
    EXPECT_FALSE(is_valid_utf8(text)) << quote(text);
  }
}

TEST(IsValidUtf8, RefusesSurrogates) {
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(is_valid_utf8("\xED\xBF\xBF"));
}

TEST(IsValidUtf8, RefusesWhatIsAboveTheLastCodePoint) {
  for (const char* text : {"\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF8\x88\x80\x80\x80", "\xFE", "\xFF"}) {
    EXPECT_FALSE(is_valid_utf8(text)) << quote(text);
  }
}

TEST(IsValidUtf8, RefusesTruncatedAndInterruptedSequences) {
  for (const char* text : {"\x80", "\xBF", "\xC3", "\xC3z", "\xE2\x82", "\xE2z\xAC", "\xE2\x82z", "\xF0\x9F\x98",
                           "\xF0\x9F\x98z", "\xF0\x9Fz\x80", "ok\xC3\xBC\xBC"}) {
    EXPECT_FALSE(is_valid_utf8(text)) << quote(text);
  }
}

// A decoder written from the definition of UTF-8 instead of the table.
bool decodes(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80          ? 1
                               : (byte >> 5U) == 6  ? 2
                               : (byte >> 4U) == 14 ? 3
                               : (byte >> 3U) == 30 ? 4
                                                    : 0;
    if (length == 0 || i + length > text.size()) return false;
    unsigned point = length == 1 ? byte : byte & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next >> 6U) != 2) return false;
      point = point << 6U | (next & 0x3FU);
    }
    const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return false;
    i += length;
  }
  return true;
}

TEST(IsValidUtf8, AgreesWithTheDefinitionOnAllBeginnings) {
  const char probes[] = {'\x00', '\x7F', '\x80', '\x8F', '\x90', '\x9F', '\xA0', '\xBF', '\xC0', '\xFF'};
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const char third : probes) {
        for (const char fourth : probes) {
          const char bytes[] = {static_cast<char>(first), static_cast<char>(second), third, fourth};
          for (std::size_t length = 1; length <= 4; ++length) {
            const std::string_view text(bytes, length);
            ASSERT_EQ(is_valid_utf8(text), decodes(text)) << quote(text);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace minitensor
