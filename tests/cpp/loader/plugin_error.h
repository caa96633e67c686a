#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "minitensor/base/error.h"
#include "support/expect_error.h"

namespace minitensor::test {

/// The Error that `f` throws. Without one the test fails, and a kInternal error comes back.
template <typename F>
Error error_of(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::kInternal, "nothing was thrown");
}

/// Whether calling `f` throws a kPlugin error of this phase that says what to do, with a message that contains `text`.
template <typename F>
::testing::AssertionResult throws_plugin_error(F&& f, std::string_view phase, std::string_view text) {
  std::string actual_phase;
  std::string hint;
  const ::testing::AssertionResult result = throws_error(
      [&] {
        try {
          std::forward<F>(f)();
        } catch (const Error& error) {
          actual_phase = error.details().phase;
          hint = error.details().hint;
          throw;
        }
      },
      ErrorCode::kPlugin, text);
  if (result && hint.empty()) return ::testing::AssertionFailure() << "what was thrown has no hint";
  if (!result || actual_phase == phase) return result;
  return ::testing::AssertionFailure() << "expected phase " << phase << ", thrown was phase " << actual_phase;
}

}  // namespace minitensor::test

/// `expression` throws a kPlugin error of `phase` whose message contains `text`.
#define EXPECT_PLUGIN_ERROR(expression, phase, text)                                                        \
  EXPECT_TRUE(::minitensor::test::throws_plugin_error([&] { static_cast<void>(expression); }, phase, text)) \
      << #expression
