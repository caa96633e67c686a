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
  MessagePart(const char* text) : text_(text) {}
  MessagePart(std::string_view text) : text_(text) {}
  MessagePart(const std::string& text) : text_(text) {}
  MessagePart(std::int64_t number) : number_(number), kind_(Kind::kNumber) {}
  MessagePart(const Dims& sizes) : sizes_(&sizes), kind_(Kind::kSizes) {}
  // NOLINTEND(google-explicit-constructor)

  void append_to(std::string& message) const;

 private:
  enum class Kind : std::uint8_t { kText, kNumber, kSizes };

  std::string_view text_;
  std::int64_t number_ = 0;
  const Dims* sizes_ = nullptr;
  Kind kind_ = Kind::kText;
};

/// Throws an Error with a message of these parts, one behind the other. Costs its caller far less code than a sum of
/// strings.
[[noreturn]] void throw_error(ErrorCode code, std::initializer_list<MessagePart> parts);

}  // namespace minitensor
