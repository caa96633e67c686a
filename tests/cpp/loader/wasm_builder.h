#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minitensor::test {

using ByteVector = std::vector<std::byte>;

inline ByteVector bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

/// Bytes of a WebAssembly file, put together piece by piece.
class WasmBytes {
 public:
  WasmBytes& byte(unsigned value) {
    bytes_.push_back(static_cast<std::byte>(value));
    return *this;
  }
  WasmBytes& leb(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) byte(static_cast<unsigned>(value & 0x7FU) | 0x80U);
    return byte(static_cast<unsigned>(value));
  }
  WasmBytes& raw(std::string_view text) { return append(bytes_of(text)); }
  WasmBytes& name(std::string_view text) { return leb(text.size()).raw(text); }
  WasmBytes& append(const ByteVector& bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  WasmBytes& append(const WasmBytes& other) { return append(other.bytes_); }
  /// `other` with its length before it.
  WasmBytes& sized(const WasmBytes& other) { return leb(other.bytes_.size()).append(other); }

  const ByteVector& bytes() const { return bytes_; }

 private:
  ByteVector bytes_;
};

/// Entries of an import section.
inline WasmBytes import_of(std::string_view module, std::string_view name) {
  return WasmBytes().name(module).name(name);
}
inline WasmBytes function_import(std::string_view module, std::string_view name) {
  return import_of(module, name).byte(0).leb(0);
}
inline WasmBytes table_import(std::string_view name) {
  return import_of("env", name).byte(1).byte(0x70).byte(1).leb(1).leb(9);
}
inline WasmBytes memory_import(std::string_view name, unsigned flags = 0) {
  WasmBytes entry = import_of("env", name).byte(2).byte(flags).leb(1);
  return (flags & 1U) != 0 ? entry.leb(100) : entry;
}
inline WasmBytes global_import(std::string_view module, std::string_view name, bool is_mutable = true) {
  return import_of(module, name).byte(3).byte(0x7F).byte(is_mutable ? 1 : 0);
}
inline WasmBytes tag_import(std::string_view name) { return import_of("env", name).byte(4).byte(0).leb(0); }

/// Segments of a data and an element section: active ones, placed by a constant expression without its end.
inline WasmBytes data_segment(const WasmBytes& place, std::string_view content) {
  return WasmBytes().byte(0).append(place).byte(0x0B).name(content);
}
inline WasmBytes element_segment(const WasmBytes& place, const std::vector<unsigned>& functions) {
  WasmBytes segment;
  segment.byte(0).append(place).byte(0x0B).leb(functions.size());
  for (const unsigned function : functions) segment.leb(function);
  return segment;
}
inline WasmBytes global_get(unsigned index) { return WasmBytes().byte(0x23).leb(index); }

/// A WebAssembly module, section by section, which come in the order of WebAssembly's specification.
class WasmBuilder {
 public:
  WasmBuilder() { bytes_.raw(std::string_view("\0asm\1\0\0\0", 8)); }

  WasmBuilder& section(unsigned id, const WasmBytes& content) {
    bytes_.byte(id).sized(content);
    return *this;
  }
  WasmBuilder& custom(std::string_view name, const WasmBytes& content) {
    return section(0, WasmBytes().name(name).append(content));
  }
  WasmBuilder& imports(const std::vector<WasmBytes>& entries) { return list(2, entries); }
  WasmBuilder& data(const std::vector<WasmBytes>& segments) { return list(11, segments); }
  WasmBuilder& elements(const std::vector<WasmBytes>& segments) { return list(9, segments); }
  /// All of one kind and index; functions, unless another kind is given.
  WasmBuilder& exports(const std::vector<std::string>& names, unsigned kind = 0, std::uint64_t index = 0) {
    WasmBytes content;
    content.leb(names.size());
    for (const std::string& name : names) content.name(name).byte(kind).leb(index);
    return section(7, content);
  }
  /// The dylink.0 section with its part about memory and table.
  WasmBuilder& dylink(std::uint64_t memory_size = 16, std::uint64_t alignment_log2 = 2, std::uint64_t table_size = 1) {
    return dylink_part(1, WasmBytes().leb(memory_size).leb(alignment_log2).leb(table_size).leb(0));
  }
  WasmBuilder& dylink_part(unsigned type, const WasmBytes& content) {
    return custom("dylink.0", WasmBytes().byte(type).sized(content));
  }
  WasmBuilder& metadata(std::string_view text) { return custom("minitensor.plugin", WasmBytes().raw(text)); }

  const ByteVector& bytes() const { return bytes_.bytes(); }

 private:
  WasmBuilder& list(unsigned id, const std::vector<WasmBytes>& items) {
    WasmBytes content;
    content.leb(items.size());
    for (const WasmBytes& item : items) content.append(item);
    return section(id, content);
  }

  WasmBytes bytes_;
};

}  // namespace minitensor::test
