#include "minitensor/base/error.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <type_traits>

namespace minitensor {
namespace {

TEST(ErrorCode, NumbersAreThoseOfThePluginAbi) {
  EXPECT_EQ(static_cast<int>(ErrorCode::kValue), 1);
  EXPECT_EQ(static_cast<int>(ErrorCode::kKey), 2);
  EXPECT_EQ(static_cast<int>(ErrorCode::kNotImplemented), 3);
  EXPECT_EQ(static_cast<int>(ErrorCode::kShape), 4);
  EXPECT_EQ(static_cast<int>(ErrorCode::kDType), 5);
  EXPECT_EQ(static_cast<int>(ErrorCode::kPlugin), 6);
  EXPECT_EQ(static_cast<int>(ErrorCode::kMemory), 7);
  EXPECT_EQ(static_cast<int>(ErrorCode::kDisposed), 8);
  EXPECT_EQ(static_cast<int>(ErrorCode::kCallback), 9);
  EXPECT_EQ(static_cast<int>(ErrorCode::kInternal), 10);
}

TEST(ErrorCode, TextsAreStable) {
  EXPECT_EQ(error_code_text(ErrorCode::kValue), "MT_VALUE");
  EXPECT_EQ(error_code_text(ErrorCode::kKey), "MT_KEY");
  EXPECT_EQ(error_code_text(ErrorCode::kNotImplemented), "MT_NOT_IMPLEMENTED");
  EXPECT_EQ(error_code_text(ErrorCode::kShape), "MT_SHAPE");
  EXPECT_EQ(error_code_text(ErrorCode::kDType), "MT_DTYPE");
  EXPECT_EQ(error_code_text(ErrorCode::kPlugin), "MT_PLUGIN");
  EXPECT_EQ(error_code_text(ErrorCode::kMemory), "MT_MEMORY");
  EXPECT_EQ(error_code_text(ErrorCode::kDisposed), "MT_DISPOSED");
  EXPECT_EQ(error_code_text(ErrorCode::kCallback), "MT_CALLBACK");
  EXPECT_EQ(error_code_text(ErrorCode::kInternal), "MT_INTERNAL");
}

TEST(ErrorCode, EveryNumberLeadsBackToItsCode) {
  std::set<std::string_view> texts;
  for (int number = 1; number <= 10; ++number) {
    const ErrorCode code = error_code_from_number(number);
    EXPECT_EQ(static_cast<int>(code), number);
    texts.insert(error_code_text(code));
  }
  EXPECT_EQ(texts.size(), 10U);
}

TEST(ErrorCode, NumbersOfNoCodeAreInternalErrors) {
  for (const int number : {0, -1, 11, 1000, -2147483647 - 1, 2147483647}) {
    EXPECT_EQ(error_code_from_number(number), ErrorCode::kInternal) << number;
  }
}

TEST(Error, CarriesCodeAndMessage) {
  const Error error(ErrorCode::kKey, "no parameter \"w\"");
  EXPECT_EQ(error.code(), ErrorCode::kKey);
  EXPECT_EQ(error.message(), "no parameter \"w\"");
  EXPECT_STREQ(error.what(), "no parameter \"w\"");
}

TEST(Error, IsCaughtAsAStandardException) {
  try {
    throw Error(ErrorCode::kShape, "sizes differ");
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "sizes differ");
  }
}

TEST(Error, HasEmptyDetailsWhenMadeWithoutAny) {
  const Error error(ErrorCode::kValue, "x");
  EXPECT_EQ(error.details().phase, "");
  EXPECT_EQ(error.details().plugin, "");
  EXPECT_TRUE(error.details().symbols.empty());
  EXPECT_EQ(error.details().hint, "");
  EXPECT_EQ(error.details().callback_error, 0);
}

TEST(Error, KeepsItsDetails) {
  ErrorDetails details;
  details.phase = "initialize";
  details.plugin = "swish";
  details.symbols = {"foo", "bar"};
  details.hint = "rebuild it";
  details.callback_error = 7;
  const Error error(ErrorCode::kPlugin, "failed", details);
  EXPECT_EQ(error.details().phase, "initialize");
  EXPECT_EQ(error.details().plugin, "swish");
  EXPECT_EQ(error.details().symbols, (std::vector<std::string>{"foo", "bar"}));
  EXPECT_EQ(error.details().hint, "rebuild it");
  EXPECT_EQ(error.details().callback_error, 7);
}

TEST(Error, IsCopiedWithoutThrowing) {
  static_assert(std::is_nothrow_copy_constructible_v<Error>);
  static_assert(std::is_nothrow_copy_assignable_v<Error>);
  Error copy(ErrorCode::kValue, "first");
  {
    const Error error(ErrorCode::kMemory, std::string(1000, 'm'));
    copy = error;
  }
  EXPECT_EQ(copy.code(), ErrorCode::kMemory);
  EXPECT_EQ(copy.message(), std::string(1000, 'm'));
}

}  // namespace
}  // namespace minitensor
