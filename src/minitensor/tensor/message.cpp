#include "minitensor/tensor/message.h"

#include <utility>

namespace minitensor {

void MessagePart::append_to(std::string& message) const {
  if (size_ == kNumber) {
    message += std::to_string(number_);
  } else if (size_ == kSizes) {
    message += to_string(*sizes_);
  } else {
    message.append(text_, static_cast<std::size_t>(size_));
  }
}

void throw_error(ErrorCode code, std::initializer_list<MessagePart> parts) {
  std::string message;
  for (const MessagePart& part : parts) part.append_to(message);
  throw Error(code, std::move(message));
}

}  // namespace minitensor
