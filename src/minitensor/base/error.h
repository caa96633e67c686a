#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace minitensor {

/// Every kind of failure the engine reports: enumerator, number, stable text code, JavaScript class.
/// The numbers are part of the plugin ABI (`mt_status` in sdk/plugin_api.h), so they never change.
#define MT_ERROR_CODES(X)                                            \
  X(kValue, 1, "MT_VALUE", "ValueError")                             \
  X(kKey, 2, "MT_KEY", "KeyError")                                   \
  X(kNotImplemented, 3, "MT_NOT_IMPLEMENTED", "NotImplementedError") \
  X(kShape, 4, "MT_SHAPE", "ShapeError")                             \
  X(kDType, 5, "MT_DTYPE", "DTypeError")                             \
  X(kPlugin, 6, "MT_PLUGIN", "PluginError")                          \
  X(kMemory, 7, "MT_MEMORY", "MiniTensorError")                      \
  X(kDisposed, 8, "MT_DISPOSED", "MiniTensorError")                  \
  X(kCallback, 9, "MT_CALLBACK", "MiniTensorError")                  \
  X(kInternal, 10, "MT_INTERNAL", "MiniTensorError")

enum class ErrorCode : int {
#define MT_ERROR_ENUMERATOR(name, number, text, js_class) name = number,
  MT_ERROR_CODES(MT_ERROR_ENUMERATOR)
#undef MT_ERROR_ENUMERATOR
};

/// The stable text of a code, such as "MT_VALUE".
std::string_view error_code_text(ErrorCode code) noexcept;

/// The code with this number, or kInternal when there is none: numbers arrive from plugins.
ErrorCode error_code_from_number(int number) noexcept;

class Error;

/// What a plugin error says beyond its message.
struct ErrorDetails {
  std::string phase;                 ///< the step that failed: "read", "metadata", "initialize", …
  std::string plugin;                ///< the plugin's name, empty while it is not known
  std::vector<std::string> symbols;  ///< the symbols the error is about
  std::string hint;                  ///< what to do about it
  /// For kCallback: the number under which the embedder keeps the exception that its callback threw.
  int callback_error = 0;
  std::shared_ptr<const Error> cause = {};  ///< the error that this one came of, if it did
};

/// The engine's one exception type. The message names the operation, the rule and the actual values.
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message);
  Error(ErrorCode code, std::string message, ErrorDetails details);
  // Copied even when moved from, so that no Error is ever without its message.
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;

  ErrorCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return *message_; }
  const char* what() const noexcept override { return message_->c_str(); }
  /// Empty fields when the error was made without details.
  const ErrorDetails& details() const noexcept;

 private:
  // Shared, because an exception must be copied without throwing.
  ErrorCode code_;
  std::shared_ptr<const std::string> message_;
  std::shared_ptr<const ErrorDetails> details_;
};

}  // namespace minitensor
