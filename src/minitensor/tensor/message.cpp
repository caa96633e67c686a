#include "minitensor/tensor/message.h"

#include <utility>

namespace minitensor {

void MessagePart::append_to(std::string& message) const {
  switch (kind_) {
    case Kind::kText:
      message += text_;
      break;
    case Kind::kNumber:
      message += std::to_string(number_);
      break;
    case Kind::kSizes:
      message += to_string(*sizes_);
      break;
  }
}

void throw_error(ErrorCode code, std::initializer_list<MessagePart> parts) {
  std::string message;
  for (const MessagePart& part : parts) part.append_to(message);
  throw Error(code, std::move(message));
}

}  // namespace minitensor
