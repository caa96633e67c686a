#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace minitensor {

/// Reads little-endian values from bytes that nobody has checked. A read past the end gives nothing and makes the
/// reader fail: it then gives nothing for good, so that a parser may look once at the end of a group of reads.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool failed() const noexcept { return failed_; }
  bool at_end() const noexcept { return position_ == bytes_.size(); }
  std::size_t position() const noexcept { return position_; }
  std::size_t remaining() const noexcept { return bytes_.size() - position_; }

  /// `size` bytes; none when there are fewer.
  std::span<const std::byte> take(std::uint64_t size) {
    if (failed_ || size > remaining()) {
      failed_ = true;
      return {};
    }
    const auto taken = bytes_.subspan(position_, static_cast<std::size_t>(size));
    position_ += taken.size();
    return taken;
  }

  void skip(std::uint64_t size) { take(size); }
  /// For what was read well and is wrong all the same.
  void fail() noexcept { failed_ = true; }
  void seek(std::uint64_t position) {
    if (position > bytes_.size()) failed_ = true;
    if (!failed_) position_ = static_cast<std::size_t>(position);
  }

  /// 0 on failure.
  template <std::unsigned_integral T>
  T read() {
    T value = 0;
    const auto taken = take(sizeof value);
    if (!failed_) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }

  /// A LEB128 of at most `max_bits` bits, of whatever sign, for its length only.
  void skip_leb128(unsigned max_bits) {
    for (unsigned shift = 0; shift < max_bits; shift += 7) {
      if ((read<std::uint8_t>() & 0x80U) == 0) return;
    }
    failed_ = true;
  }

  /// An unsigned LEB128 of at most `max_bits` bits, as WebAssembly encodes integers; 0 on failure.
  std::uint64_t read_leb128(unsigned max_bits = 32) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < max_bits; shift += 7) {
      const auto byte = read<std::uint8_t>();
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) {
        const bool fits = max_bits == 64 || (value >> max_bits) == 0;
        if (!fits) failed_ = true;
        return failed_ ? 0 : value;
      }
    }
    failed_ = true;
    return 0;
  }

  /// A LEB128 length and that many bytes of text.
  std::string_view read_name() {
    const auto taken = take(read_leb128());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

}  // namespace minitensor
