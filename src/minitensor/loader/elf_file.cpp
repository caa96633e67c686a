#include "minitensor/loader/elf_file.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/byte_reader.h"

namespace minitensor {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kMagic =
    "\x7F"
    "ELF";

struct Section {
  std::uint32_t name = 0;
  std::uint32_t type = 0;
  std::uint32_t link = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

constexpr std::uint32_t kDynamicSymbols = 11;    // SHT_DYNSYM
constexpr std::uint32_t kDynamic = 6;            // SHT_DYNAMIC
constexpr std::uint32_t kVersions = 0x6FFFFFFF;  // SHT_GNU_versym: for each dynamic symbol, a number of 16 bits
constexpr std::uint32_t kNoBits = 8;             // SHT_NOBITS: occupies no bytes of the file
constexpr std::uint64_t kNeeded = 1;             // DT_NEEDED
constexpr std::uint32_t kLoaded = 1;             // PT_LOAD

[[noreturn]] void fail(std::string_view origin, const std::string& what) {
  throw Error(ErrorCode::kPlugin, "plugin file " + std::string(origin) + " " + what,
              {.phase = "read", .plugin = {}, .symbols = {}, .hint = "build the plugin with minitensor_add_plugin"});
}

[[noreturn]] void fail_damaged(std::string_view origin) {
  fail(origin, "is a truncated or damaged ELF shared library");
}

Section read_section_header(ByteReader& reader) {
  Section section;
  section.name = reader.read<std::uint32_t>();
  section.type = reader.read<std::uint32_t>();
  reader.skip(8 + 8);  // flags, address
  section.offset = reader.read<std::uint64_t>();
  section.size = reader.read<std::uint64_t>();
  section.link = reader.read<std::uint32_t>();
  reader.skip(4 + 8 + 8);  // info, alignment, entry size
  return section;
}

Bytes content_of(Bytes file, const Section& section, std::string_view origin) {
  if (section.type == kNoBits) return {};
  if (section.offset > file.size() || section.size > file.size() - section.offset) fail_damaged(origin);
  return file.subspan(static_cast<std::size_t>(section.offset), static_cast<std::size_t>(section.size));
}

// The NUL-terminated text at `offset` of a string table, empty when it is out of range.
std::string_view text_at(Bytes table, std::uint32_t offset) {
  if (offset >= table.size()) return {};
  const char* start = reinterpret_cast<const char*>(table.data()) + offset;
  return {start, strnlen(start, table.size() - offset)};
}

// The same as text_at(table, offset) == text, but never reads further than that.
bool is_text_at(Bytes table, std::uint32_t offset, std::string_view text) {
  if (offset >= table.size() || table.size() - offset <= text.size()) return false;
  return std::memcmp(table.data() + offset, text.data(), text.size()) == 0 &&
         table[offset + text.size()] == std::byte{0};
}

// Takes names out of string tables. In a real file names do not overlap, so that they are not longer than the file; in
// a hostile one every symbol may have the same long name.
class NameReader {
 public:
  NameReader(std::size_t budget, std::string_view origin) : budget_(budget), origin_(origin) {}

  std::string read(Bytes table, std::uint32_t offset) {
    const std::string_view text = text_at(table, offset);
    if (text.size() > budget_ || !is_valid_utf8(text)) fail_damaged(origin_);
    budget_ -= text.size();
    return std::string(text);
  }

 private:
  std::size_t budget_;
  std::string_view origin_;
};

void read_dynamic_symbols(Bytes symbols, Bytes table, Bytes versions, NameReader& names, ModuleFile& file) {
  ByteReader reader(symbols);
  ByteReader version_reader(versions);
  while (reader.remaining() >= 24) {  // sizeof(Elf64_Sym)
    const auto name = reader.read<std::uint32_t>();
    const unsigned info = reader.read<std::uint8_t>();
    reader.skip(1);
    const auto section = reader.read<std::uint16_t>();
    reader.skip(8 + 8);                                                       // value, size
    const unsigned version = version_reader.read<std::uint16_t>() & 0x7FFFU;  // 0 and 1: none
    const unsigned binding = info >> 4U;
    const unsigned type = info & 15U;
    const bool is_global = binding == 1;
    const bool is_weak = binding == 2;
    std::string text = names.read(table, name);
    if (text.empty()) continue;
    const SymbolKind kind = type == 2 ? SymbolKind::kFunction : SymbolKind::kUnknown;
    if (section == 0 && is_global) {
      file.imports.push_back({.module = {}, .name = std::move(text), .kind = kind, .is_versioned = version > 1});
    } else if (section != 0 && (is_global || is_weak)) {
      file.exports.push_back({std::move(text), kind});
    }
  }
}

void read_needed(Bytes entries, Bytes table, NameReader& names, ModuleFile& file) {
  ByteReader reader(entries);
  while (reader.remaining() >= 16) {  // sizeof(Elf64_Dyn)
    const auto tag = reader.read<std::uint64_t>();
    const auto value = reader.read<std::uint64_t>();
    if (tag == 0) return;  // the end
    if (tag == kNeeded && value < table.size()) {
      file.needed.push_back(names.read(table, static_cast<std::uint32_t>(value)));
    }
  }
}

// The program headers say what is loaded. What they name must be there: the system would map it and fail at its use.
void read_program_headers(ByteReader reader, unsigned count, std::uint64_t file_size, ModuleFile& file,
                          std::string_view origin) {
  for (; count > 0; --count) {
    const auto type = reader.read<std::uint32_t>();
    const auto flags = reader.read<std::uint32_t>();
    const auto offset = reader.read<std::uint64_t>();
    reader.skip(8 + 8);  // addresses
    const auto size = reader.read<std::uint64_t>();
    const auto memory_size = reader.read<std::uint64_t>();
    reader.skip(8);  // alignment
    if (reader.failed()) fail_damaged(origin);
    if (type != kLoaded) continue;
    if (offset > file_size || size > file_size - offset || size > memory_size) fail_damaged(origin);
    const bool is_executable = (flags & 1U) != 0;
    const bool is_writable = (flags & 2U) != 0;
    if (is_executable) file.sizes.code += size;
    if (is_writable) file.sizes.data += size;
    // Stops at the largest number, which no host can give.
    file.sizes.memory += std::min(memory_size, ~file.sizes.memory);
  }
}

void read_sections(Bytes bytes, const std::vector<Section>& sections, Bytes names, ModuleFile& file,
                   std::string_view origin) {
  NameReader reader(bytes.size(), origin);
  Bytes versions;
  for (const Section& section : sections) {
    if (section.type == kVersions) versions = content_of(bytes, section, origin);
  }
  // A library has one table of each kind.
  bool has_symbols = false;
  bool has_needed = false;
  for (const Section& section : sections) {
    if (is_text_at(names, section.name, kMetadataSection)) {
      if (file.metadata) fail(origin, "has two sections \"minitensor.plugin\"");
      const Bytes content = content_of(bytes, section, origin);
      file.metadata.emplace(reinterpret_cast<const char*>(content.data()), content.size());
      continue;
    }
    if (section.link >= sections.size()) continue;
    if (section.type == kDynamicSymbols && !has_symbols) {
      has_symbols = true;
      const Bytes table = content_of(bytes, sections[section.link], origin);
      read_dynamic_symbols(content_of(bytes, section, origin), table, versions, reader, file);
    } else if (section.type == kDynamic && !has_needed) {
      has_needed = true;
      const Bytes table = content_of(bytes, sections[section.link], origin);
      read_needed(content_of(bytes, section, origin), table, reader, file);
    }
  }
}

}  // namespace

bool is_elf(Bytes bytes) noexcept {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

ModuleFile read_elf_file(Bytes bytes, std::string_view origin) {
  ByteReader reader(bytes);
  reader.skip(kMagic.size());
  const auto word_size = reader.read<std::uint8_t>();
  const auto byte_order = reader.read<std::uint8_t>();
  reader.seek(16);
  const auto type = reader.read<std::uint16_t>();
  const auto machine = reader.read<std::uint16_t>();
  reader.seek(32);
  const auto programs_offset = reader.read<std::uint64_t>();
  const auto sections_offset = reader.read<std::uint64_t>();
  reader.seek(54);
  const auto program_header_size = reader.read<std::uint16_t>();
  const auto program_count = reader.read<std::uint16_t>();
  const auto section_header_size = reader.read<std::uint16_t>();
  const auto section_count = reader.read<std::uint16_t>();
  const auto names_index = reader.read<std::uint16_t>();
  if (reader.failed()) fail_damaged(origin);
  if (word_size != 2 || byte_order != 1) fail(origin, "is an ELF file, but not a 64-bit little-endian one");
  if (type != 3) fail(origin, "is an ELF file, but not a shared library");
  if (section_header_size != 64 || (program_count > 0 && program_header_size != 56)) fail_damaged(origin);

  std::vector<Section> sections;
  reader.seek(sections_offset);
  for (std::uint32_t i = 0; i < section_count && !reader.failed(); ++i) sections.push_back(read_section_header(reader));
  if (reader.failed() || names_index >= sections.size()) fail_damaged(origin);

  ModuleFile file;
  file.format = ModuleFormat::kElf;
  file.machine = machine;
  ByteReader programs(bytes);
  programs.seek(programs_offset);
  read_program_headers(programs, program_count, bytes.size(), file, origin);
  read_sections(bytes, sections, content_of(bytes, sections[names_index], origin), file, origin);
  return file;
}

}  // namespace minitensor
