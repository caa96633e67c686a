#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loader/wasm_builder.h"
#include "minitensor/loader/host_platform.h"

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
inline constexpr std::uint32_t kDynamicSection = 6;
inline constexpr std::uint32_t kNoBits = 8;
inline constexpr std::uint32_t kDynamicSymbolTable = 11;
inline constexpr std::uint32_t kSymbolVersions = 0x6FFFFFFF;

/// The fields of the file header that matter.
struct ElfHeader {
  std::uint8_t word_size = 2;   // 64 bits
  std::uint8_t byte_order = 1;  // little-endian
  std::uint16_t type = 3;       // ET_DYN
  std::uint16_t machine = elf_machine();
  std::uint16_t section_header_size = 64;
  int section_count = -1;             // -1: as many as there are
  int names_index = -1;               // -1: that of the last section, which holds the names
  std::uint64_t sections_offset = 0;  // 0: where they are
  std::vector<std::string> programs = {};
  std::uint16_t program_header_size = 56;
  bool shared_name = false;  // sections without a name have the last one's
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

/// A program header of what is loaded: its flags (1 executable, 2 writable), place and sizes.
inline std::string elf_loaded(std::uint32_t flags, std::uint64_t offset, std::uint64_t size, std::uint64_t memory_size,
                              std::uint32_t type = 1) {
  std::string header;
  append_little_endian(header, type);
  append_little_endian(header, flags);
  append_little_endian(header, offset);
  header.append(8 + 8, '\0');
  append_little_endian(header, size);
  append_little_endian(header, memory_size);
  header.append(8, '\0');
  return header;
}

/// An entry of the dynamic section.
inline std::string elf_dynamic(std::uint64_t tag, std::uint64_t value) {
  std::string entry;
  append_little_endian(entry, tag);
  append_little_endian(entry, value);
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
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (header.shared_name && sections[i].name.empty()) name_offsets[i] = name_offsets[sections.size() - 2];
  }

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
  append_little_endian(file, header.machine);
  file.resize(32);
  append_little_endian(file, std::uint64_t{64} + contents.size() + headers.size());
  append_little_endian(file,
                       header.sections_offset != 0 ? header.sections_offset : std::uint64_t{64} + contents.size());
  file.resize(54);
  append_little_endian(file, header.program_header_size);
  append_little_endian(file, static_cast<std::uint16_t>(header.programs.size()));
  append_little_endian(file, header.section_header_size);
  const auto given_or = [](int given, std::size_t actual) {
    return static_cast<std::uint16_t>(given >= 0 ? static_cast<std::size_t>(given) : actual);
  };
  append_little_endian(file, given_or(header.section_count, sections.size()));
  append_little_endian(file, given_or(header.names_index, sections.size() - 1));
  for (const std::string& program : header.programs) headers += program;
  return bytes_of(file + contents + headers);
}

}  // namespace minitensor::test
