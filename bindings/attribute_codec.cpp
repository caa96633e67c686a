#include "bindings/attribute_codec.h"

#include <bit>
#include <cstring>
#include <string>

#include "minitensor/base/error.h"
#include "minitensor/loader/byte_reader.h"

namespace minitensor::bindings {

namespace {

std::string read_text(ByteReader& reader) {
  const auto bytes = reader.take(reader.read<std::uint32_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

double read_number(ByteReader& reader) { return std::bit_cast<double>(reader.read<std::uint64_t>()); }

AttributeValue read_value(ByteReader& reader) {
  switch (static_cast<AttributeType>(reader.read<std::uint32_t>())) {
    case AttributeType::kNumber:
      return read_number(reader);
    case AttributeType::kString:
      return read_text(reader);
    case AttributeType::kBoolean:
      return reader.read<std::uint8_t>() != 0;
    case AttributeType::kIntegers: {
      std::vector<std::int64_t> values;
      for (auto count = reader.read<std::uint32_t>(); count > 0 && !reader.failed(); --count) {
        values.push_back(static_cast<std::int64_t>(read_number(reader)));
      }
      return values;
    }
    case AttributeType::kInteger:
    case AttributeType::kDType:
      break;  // given as a number and as a string
  }
  throw Error(ErrorCode::kInternal, "attributes: unknown type");
}

template <typename T>
void append(std::vector<std::byte>& out, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

void append_value(std::vector<std::byte>& out, const AttributeValue& value) {
  append(out, static_cast<std::int32_t>(attribute_type_of(value)));
  if (const auto* number = std::get_if<double>(&value)) append(out, *number);
  if (const auto* boolean = std::get_if<bool>(&value)) append(out, static_cast<std::uint8_t>(*boolean));
  if (const auto* text = std::get_if<std::string>(&value)) {
    append(out, static_cast<std::uint32_t>(text->size()));
    const auto* bytes = reinterpret_cast<const std::byte*>(text->data());
    out.insert(out.end(), bytes, bytes + text->size());
  }
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    append(out, static_cast<std::uint32_t>(integers->size()));
    for (const std::int64_t integer : *integers) append(out, static_cast<double>(integer));
  }
}

}  // namespace

NamedAttributes decode_named(std::span<const std::byte> bytes) {
  NamedAttributes attributes;
  if (bytes.empty()) return attributes;
  ByteReader reader(bytes);
  for (auto count = reader.read<std::uint32_t>(); count > 0 && !reader.failed(); --count) {
    std::string name = read_text(reader);
    attributes.emplace_back(std::move(name), read_value(reader));
  }
  if (reader.failed()) throw Error(ErrorCode::kInternal, "attributes: malformed");
  return attributes;
}

std::vector<std::byte> encode_ordered(const Attributes& attributes) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i < attributes.size(); ++i) append_value(out, attributes[i]);
  return out;
}

}  // namespace minitensor::bindings
