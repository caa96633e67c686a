#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace minitensor {

/// Kept by whoever means to call code later; a copy is one of its own. Empty for code that is never unloaded.
using CodeHold = std::shared_ptr<const void>;

/// Those of one kind who mean to call code that can be unloaded, such as the recorded gradients of a plugin's op. While
/// there are some the plugin is not unloaded, unless by force; what they call then is an error and not a crash.
class CodeHolders {
 public:
  /// `what` names one of them in messages: `layer "RMSNorm"`.
  explicit CodeHolders(std::string what) : what_(std::move(what)), token_(std::make_shared<char>()) {}
  CodeHolders(const CodeHolders&) = delete;
  CodeHolders& operator=(const CodeHolders&) = delete;

  CodeHold hold() const { return token_; }
  std::size_t count() const noexcept { return static_cast<std::size_t>(token_.use_count()) - 1; }
  const std::string& what() const noexcept { return what_; }

 private:
  std::string what_;
  CodeHold token_;
};

}  // namespace minitensor
