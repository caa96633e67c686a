#include "minitensor/base/text.h"

#include <cstdint>

namespace minitensor {

namespace {

constexpr bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Bytes of the well-formed sequence that starts `text`, 0 when it is ill-formed.
std::size_t utf8_sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  // The second byte's range excludes overlong forms, surrogates and values above U+10FFFF.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < length || at(1) < low || at(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_continuation(at(i))) return 0;
  }
  return length;
}

}  // namespace

std::string quote(std::string_view text, std::size_t limit) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string result = "\"";
  std::size_t taken = 0;
  while (taken < text.size()) {
    const auto byte = static_cast<unsigned char>(text[taken]);
    const std::size_t length = utf8_sequence_length(text.substr(taken));
    const std::size_t step = length == 0 ? 1 : length;
    if (taken + step > limit) {
      result += "…";
      break;
    }
    if (byte == '"' || byte == '\\') {
      result += {'\\', text[taken]};
    } else if (byte == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F || length == 0) {
      result += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
    } else {
      result += text.substr(taken, length);
    }
    taken += step;
  }
  return result + '"';
}

std::string shown(std::string_view name) {
  constexpr std::size_t kLongest = 400;
  const bool is_plain = name.size() <= kLongest && quote(name, kLongest).size() == name.size() + 2;
  return is_plain ? std::string(name) : quote(name, kLongest);
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  std::string result;
  for (const std::string& item : items) {
    if (&item != &items.front()) result += separator;
    result += item;
  }
  return result;
}

std::string list_quoted(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  std::vector<std::string> quotes;
  for (const std::string& name : names) quotes.push_back(quote(name));
  return join(quotes, ", ");
}

bool is_valid_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace minitensor
