#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loader/wasm_builder.h"

namespace minitensor::test {

/// A section of an ELF file: what stands in its header, and its content. `offset` and `size` are those of the content,
/// unless they are given.
struct ElfSection {
  std::string name = {};
  std::uint32_t type = 1;  // SHT_PROGBITS
  std::string content = {};
  std::uint32_t link = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

inline constexpr std::uint32_t kStringTable = 3;
inline constexpr std::uint32_t kNoBits = 8;
inline constexpr std::uint32_t kDynamicSymbolTable = 11;

/// The fields of the file header that matter.
struct ElfHeader {
  std::uint8_t word_size = 2;   // 64 bits
  std::uint8_t byte_order = 1;  // little-endian
  std::uint16_t type = 3;       // ET_DYN
  std::uint16_t section_header_size = 64;
  int section_count = -1;             // -1: as many as there are
  int names_index = -1;               // -1: that of the last section, which holds the names
  std::uint64_t sections_offset = 0;  // 0: where they are
};

template <std::unsigned_integral T>
void append_little_endian(std::string& text, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
}

/// An entry of a dynamic symbol table: the offset of its name, its binding and type, and the index of its section.
inline std::string elf_symbol(std::uint32_t name, unsigned binding, unsigned type, std::uint16_t section) {
  std::string entry;
  append_little_endian(entry, name);
  append_little_endian(entry, static_cast<std::uint8_t>(binding << 4U | type));
  append_little_endian(entry, std::uint8_t{0});
  append_little_endian(entry, section);
  append_little_endian(entry, std::uint64_t{0});
  append_little_endian(entry, std::uint64_t{0});
  return entry;
}

/// An ELF file of these sections; one with their names comes after them. There is no code in it.
inline ByteVector build_elf(std::vector<ElfSection> sections, ElfHeader header = {}) {
  std::string names(1, '\0');
  sections.push_back({.name = ".shstrtab", .type = kStringTable});
  std::vector<std::uint32_t> name_offsets;
  for (const ElfSection& section : sections) {
    name_offsets.push_back(static_cast<std::uint32_t>(names.size()));
    names += section.name + '\0';
  }
  sections.back().content = names;

  std::string contents;
  std::string headers;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const ElfSection& section = sections[i];
    append_little_endian(headers, name_offsets[i]);
    append_little_endian(headers, section.type);
    append_little_endian(headers, std::uint64_t{0});
    append_little_endian(headers, std::uint64_t{0});
    append_little_endian(headers, section.offset != 0 ? section.offset : std::uint64_t{64} + contents.size());
    append_little_endian(headers, section.size != 0 ? section.size : std::uint64_t{section.content.size()});
    append_little_endian(headers, section.link);
    headers.append(4 + 8 + 8, '\0');
    contents += section.content;
  }

  std::string file =
      "\x7F"
      "ELF";
  append_little_endian(file, header.word_size);
  append_little_endian(file, header.byte_order);
  file.resize(16);
  append_little_endian(file, header.type);
  file.resize(40);
  append_little_endian(file,
                       header.sections_offset != 0 ? header.sections_offset : std::uint64_t{64} + contents.size());
  file.resize(58);
  append_little_endian(file, header.section_header_size);
  const auto given_or = [](int given, std::size_t actual) {
    return static_cast<std::uint16_t>(given >= 0 ? static_cast<std::size_t>(given) : actual);
  };
  append_little_endian(file, given_or(header.section_count, sections.size()));
  append_little_endian(file, given_or(header.names_index, sections.size() - 1));
  return bytes_of(file + contents + headers);
}

}  // namespace minitensor::test
