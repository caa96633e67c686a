#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/loader/byte_reader.h"

namespace minitensor::bindings {

// How arguments and results cross between C++ and JavaScript, but for the plain numbers of the hot path; js/wire.js has
// the other half. Little-endian, nothing aligned:
//   value = kind u8, and of a number f64 | of a text its size u32 and as many bytes of UTF-8
//           | of a list values and an end | of an object names (texts) and values in turn, and an end
enum class WireKind : std::uint8_t { kUndefined, kFalse, kTrue, kNumber, kText, kList, kObject, kEnd };

/// Writes values one after the other.
class WireWriter {
 public:
  WireWriter() = default;
  /// Uses the room that `buffer` has; its content goes.
  explicit WireWriter(std::vector<std::byte> buffer) : bytes_(std::move(buffer)) { bytes_.clear(); }

  void boolean(bool value);
  void number(double value);
  void text(std::string_view value);
  void texts(std::span<const std::string> values);
  /// Begins a list, of which everything up to the matching end() is an item.
  void list() { kind(WireKind::kList); }
  /// Begins an object, of which everything up to the matching end() is a field's name, then its value.
  void object() { kind(WireKind::kObject); }
  void end() { kind(WireKind::kEnd); }

  /// The name of a field, whose value is written next: `out.field("size").number(2)`.
  WireWriter& field(std::string_view name) {
    text(name);
    return *this;
  }

  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }
  std::vector<std::byte> take() noexcept { return std::move(bytes_); }

 private:
  void kind(WireKind kind) { append(&kind, sizeof kind); }
  void append(const void* data, std::size_t size);

  std::vector<std::byte> bytes_;
};

/// Reads values one after the other. One of another kind than is asked for is a kInternal error, and so is an end that
/// comes too soon.
class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> bytes) : reader_(bytes) {}

  bool at_end() const noexcept { return reader_.at_end(); }
  bool boolean();
  double number();
  std::uint32_t handle() { return static_cast<std::uint32_t>(number()); }
  std::string text();
  std::vector<std::string> texts();
  /// Begins a list; its items are read while more() is true.
  void list() { require(WireKind::kList); }
  bool more();
  /// Skips an undefined value, if there is one.
  bool is_undefined();
  /// The kind of the next value, which is not read by that.
  WireKind peek();

 private:
  void require(WireKind kind);

  ByteReader reader_;
};

}  // namespace minitensor::bindings
