#include "bindings/wire.h"

#include <bit>

#include "minitensor/base/error.h"

namespace minitensor::bindings {

namespace {

[[noreturn]] void fail() { throw Error(ErrorCode::kInternal, "the arguments of a call are malformed"); }

}  // namespace

void WireWriter::append(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), bytes, bytes + size);
}

void WireWriter::boolean(bool value) { kind(value ? WireKind::kTrue : WireKind::kFalse); }

void WireWriter::number(double value) {
  kind(WireKind::kNumber);
  append(&value, sizeof value);
}

void WireWriter::text(std::string_view value) {
  kind(WireKind::kText);
  const auto size = static_cast<std::uint32_t>(value.size());
  append(&size, sizeof size);
  append(value.data(), value.size());
}

void WireWriter::texts(std::span<const std::string> values) {
  list();
  for (const std::string& value : values) text(value);
  end();
}

WireKind WireReader::peek() {
  const std::size_t start = reader_.position();
  const auto kind = static_cast<WireKind>(reader_.read<std::uint8_t>());
  if (reader_.failed()) fail();
  reader_.seek(start);
  return kind;
}

void WireReader::require(WireKind kind) {
  if (peek() != kind) fail();
  reader_.skip(1);
}

bool WireReader::boolean() {
  if (peek() != WireKind::kFalse) {
    require(WireKind::kTrue);
    return true;
  }
  reader_.skip(1);
  return false;
}

double WireReader::number() {
  require(WireKind::kNumber);
  const double value = std::bit_cast<double>(reader_.read<std::uint64_t>());
  if (reader_.failed()) fail();
  return value;
}

std::string WireReader::text() {
  require(WireKind::kText);
  const auto bytes = reader_.take(reader_.read<std::uint32_t>());
  if (reader_.failed()) fail();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> WireReader::texts() {
  std::vector<std::string> values;
  for (list(); more();) values.push_back(text());
  return values;
}

bool WireReader::more() {
  if (peek() != WireKind::kEnd) return true;
  reader_.skip(1);
  return false;
}

bool WireReader::is_undefined() {
  if (peek() != WireKind::kUndefined) return false;
  reader_.skip(1);
  return true;
}

}  // namespace minitensor::bindings
