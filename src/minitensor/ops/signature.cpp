#include "minitensor/ops/signature.h"

#include <string>
#include <utility>

#include "minitensor/base/text.h"

namespace minitensor {

namespace {

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

class SignatureParser {
 public:
  explicit SignatureParser(std::string_view text) : text_(text) {}

  Op parse() {
    Op op;
    op.name = name();
    expect('(');
    while (!at(')') && !at(';')) {
      input(op);
      accept(',');
    }
    if (accept(';')) {
      do op.attributes.push_back(attribute());
      while (accept(','));
    }
    expect(')');
    if (accept('-')) {
      expect('>');
      while (accept('.')) op.has_variadic_output = true;
      do op.outputs.emplace_back(name());
      while (accept(','));
    }
    if (position_ != text_.size()) fail();
    return op;
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(ErrorCode::kInternal,
                "signature: " + quote(text_) + " is not understood at " + std::to_string(position_));
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }

  bool at(char c) {
    skip_spaces();
    return position_ < text_.size() && text_[position_] == c;
  }

  bool accept(char c) {
    if (!at(c)) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail();
  }

  std::string_view name() {
    skip_spaces();
    const std::size_t start = position_;
    while (position_ < text_.size() && is_name(text_[position_])) ++position_;
    if (position_ == start) fail();
    return text_.substr(start, position_ - start);
  }

  void input(Op& op) {
    while (accept('.')) op.is_variadic = true;
    op.inputs.emplace_back(name());
    if (accept('?')) {
      ++op.optional_inputs;
    } else if (op.optional_inputs > 0) {
      fail();
    }
    op.input_roles.push_back(accept(':') ? role() : InputRole::kValue);
  }

  InputRole role() {
    const std::string_view text = name();
    if (text == "index") return InputRole::kIndex;
    if (text != "condition") fail();
    return InputRole::kCondition;
  }

  AttributeSpec attribute() {
    AttributeSpec spec;
    spec.name = name();
    expect(':');
    spec.type = attribute_type_from_name(name());
    spec.is_optional = accept('?');
    if (accept('=')) spec.default_value = value(spec.type);
    return spec;
  }

  AttributeValue value(AttributeType type) {
    switch (type) {
      case AttributeType::kBoolean:
        return name() == "true";
      case AttributeType::kString:
      case AttributeType::kDType:
        return std::string(name());
      case AttributeType::kIntegers:
        return integers();
      case AttributeType::kNumber:
      case AttributeType::kInteger:
        break;
    }
    return number();
  }

  std::vector<std::int64_t> integers() {
    std::vector<std::int64_t> values;
    expect('[');
    while (!accept(']')) {
      values.push_back(static_cast<std::int64_t>(number()));
      accept(',');
    }
    return values;
  }

  // Decimal digits with a fraction: the quotient of two exact integers is the nearest number.
  double number() {
    const bool is_negative = accept('-');
    skip_spaces();
    double digits = 0;
    double scale = 1;
    bool in_fraction = false;
    const std::size_t start = position_;
    for (; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c == '.' && !in_fraction) {
        in_fraction = true;
      } else if (c >= '0' && c <= '9') {
        digits = digits * 10 + (c - '0');
        if (in_fraction) scale *= 10;
      } else {
        break;
      }
    }
    if (position_ == start) fail();
    return (is_negative ? -digits : digits) / scale;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

Op parse_signature(std::string_view signature) { return SignatureParser(signature).parse(); }

}  // namespace minitensor
