#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor::test {

/// Whether calling `f` throws an Error with `code` and a message that contains `text`; says what happened instead.
template <typename F>
::testing::AssertionResult throws_error(F&& f, ErrorCode code, std::string_view text) {
  try {
    std::forward<F>(f)();
  } catch (const Error& error) {
    if (error.code() == code && error.message().find(text) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "expected " << error_code_text(code) << " with " << quote(text, 1000)
                                         << "\n   thrown " << error_code_text(error.code()) << " with "
                                         << quote(error.message(), 1000);
  } catch (const std::exception& error) {
    return ::testing::AssertionFailure() << "expected " << error_code_text(code)
                                         << ", thrown was another exception: " << error.what();
  } catch (...) {
    return ::testing::AssertionFailure() << "expected " << error_code_text(code)
                                         << ", thrown was something that is no std::exception";
  }
  return ::testing::AssertionFailure() << "expected " << error_code_text(code) << ", nothing was thrown";
}

}  // namespace minitensor::test

/// `expression` throws a minitensor::Error with `code` (an ErrorCode) whose message contains `text`:
///   EXPECT_MT_ERROR(matmul(a, b), ErrorCode::kShape, "matmul: inner sizes differ: [2,3] x [4,5]");
#define EXPECT_MT_ERROR(expression, code, text) \
  EXPECT_TRUE(::minitensor::test::throws_error([&] { static_cast<void>(expression); }, code, text)) << #expression
