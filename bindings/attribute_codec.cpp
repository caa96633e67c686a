#include "bindings/attribute_codec.h"

#include <string>

namespace minitensor::bindings {

namespace {

void write(WireWriter& out, const AttributeSpec& spec) {
  out.object();
  out.field("name").text(spec.name);
  out.field("type").text(attribute_type_name(spec.type));
  if (spec.default_value) write(out.field("default"), *spec.default_value);
  if (spec.is_optional) out.field("optional").boolean(true);
  out.end();
}

}  // namespace

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

void write(WireWriter& out, const std::vector<AttributeSpec>& specs) {
  out.list();
  for (const AttributeSpec& spec : specs) write(out, spec);
  out.end();
}

std::vector<AttributeSpec> read_attribute_specs(WireReader& in) {
  std::vector<AttributeSpec> specs;
  for (in.list(); in.more();) {
    AttributeSpec& added = specs.emplace_back();
    in.list();
    added.name = in.text();
    added.type = attribute_type_from_name(in.text());
    if (!in.is_undefined()) added.default_value = read_attribute_value(in);
    in.more();
  }
  return specs;
}

}  // namespace minitensor::bindings
