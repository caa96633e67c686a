#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "minitensor/base/error.h"
#include "minitensor/tensor/shape.h"

namespace minitensor {

/// A part of a message: text, a whole number, or sizes. What it is made of must live as long as it does.
class MessagePart {
 public:
  // NOLINTBEGIN(google-explicit-constructor): parts stand in lists
  MessagePart(const char* text) : MessagePart(std::string_view(text)) {}
  MessagePart(std::string_view text) : text_(text.data()), size_(static_cast<std::int32_t>(text.size())) {}
  MessagePart(const std::string& text) : MessagePart(std::string_view(text)) {}
  MessagePart(std::int64_t number) : number_(number), size_(kNumber) {}
  MessagePart(const Dims& sizes) : sizes_(&sizes), size_(kSizes) {}
  // NOLINTEND(google-explicit-constructor)

  void append_to(std::string& message) const;

 private:
  static constexpr std::int32_t kNumber = -1;
  static constexpr std::int32_t kSizes = -2;

  // Two words, since there is code to write them at each place that may throw.
  union {
    const char* text_;
    std::int64_t number_;
    const Dims* sizes_;
  };
  std::int32_t size_;  // of the text, or what else it is
};

/// Throws an Error with a message of these parts, one behind the other. Costs its caller far less code than a sum of
/// strings.
[[noreturn]] void throw_error(ErrorCode code, std::initializer_list<MessagePart> parts);

}  // namespace minitensor
