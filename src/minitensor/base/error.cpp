#include "minitensor/base/error.h"

#include <utility>

namespace minitensor {

std::string_view error_code_text(ErrorCode code) noexcept {
  switch (code) {
#define MT_ERROR_TEXT(name, number, text, js_class) \
  case ErrorCode::name:                             \
    return text;
    MT_ERROR_CODES(MT_ERROR_TEXT)
#undef MT_ERROR_TEXT
  }
  return "MT_INTERNAL";
}

ErrorCode error_code_from_number(int number) noexcept {
  switch (number) {
#define MT_ERROR_NUMBER(name, value, text, js_class) \
  case value:                                        \
    return ErrorCode::name;
    MT_ERROR_CODES(MT_ERROR_NUMBER)
#undef MT_ERROR_NUMBER
    default:
      return ErrorCode::kInternal;
  }
}

Error::Error(ErrorCode code, std::string message)
    : code_(code), message_(std::make_shared<const std::string>(std::move(message))) {}

Error::Error(ErrorCode code, std::string message, ErrorDetails details)
    : code_(code),
      message_(std::make_shared<const std::string>(std::move(message))),
      details_(std::make_shared<const ErrorDetails>(std::move(details))) {}

const ErrorDetails& Error::details() const noexcept {
  static const ErrorDetails kNone;
  return details_ ? *details_ : kNone;
}

}  // namespace minitensor
