#include "bindings/attribute_codec.h"

#include <string>

namespace minitensor::bindings {

void write(WireWriter& out, const AttributeValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return out.number(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return out.text(*text);
  if (const auto* boolean = std::get_if<bool>(&value)) return out.boolean(*boolean);
  out.list();
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    for (const std::int64_t integer : *integers) out.number(static_cast<double>(integer));
  }
  out.end();
}

AttributeValue read_attribute_value(WireReader& in) {
  switch (in.peek()) {
    case WireKind::kNumber:
      return in.number();
    case WireKind::kText:
      return in.text();
    case WireKind::kList:
      break;
    default:
      return in.boolean();
  }
  std::vector<std::int64_t> integers;
  for (in.list(); in.more();) integers.push_back(static_cast<std::int64_t>(in.number()));
  return integers;
}

NamedAttributes read_named(WireReader& in) {
  NamedAttributes attributes;
  if (in.at_end()) return attributes;
  for (in.list(); in.more();) {
    std::string name = in.text();
    attributes.emplace_back(std::move(name), read_attribute_value(in));
  }
  return attributes;
}

NamedAttributes decode_named(std::span<const std::byte> bytes) {
  WireReader in(bytes);
  return read_named(in);
}

std::vector<std::byte> encode_ordered(const Attributes& attributes) {
  WireWriter out;
  for (std::size_t i = 0; i < attributes.size(); ++i) write(out, attributes[i]);
  return out.take();
}

}  // namespace minitensor::bindings
