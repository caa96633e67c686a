#include "minitensor/loader/elf_file.h"

#include <cstring>
#include <string>

#include "minitensor/base/error.h"
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

constexpr std::uint32_t kDynamicSymbols = 11;  // SHT_DYNSYM
constexpr std::uint32_t kNoBits = 8;           // SHT_NOBITS: occupies no bytes of the file

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

// `name_bytes`: how many bytes of names there may be in all. In a real file names do not overlap, so that they are not
// longer than the file; in a hostile one every symbol may have the same long name.
void read_dynamic_symbols(Bytes symbols, Bytes names, std::size_t name_bytes, ModuleFile& file,
                          std::string_view origin) {
  ByteReader reader(symbols);
  while (reader.remaining() >= 24) {  // sizeof(Elf64_Sym)
    const auto name = reader.read<std::uint32_t>();
    const unsigned info = reader.read<std::uint8_t>();
    reader.skip(1);
    const auto section = reader.read<std::uint16_t>();
    reader.skip(8 + 8);  // value, size
    const unsigned binding = info >> 4U;
    const unsigned type = info & 15U;
    const bool is_global = binding == 1;
    const bool is_weak = binding == 2;
    const std::string_view text = text_at(names, name);
    if (text.empty()) continue;
    if (text.size() > name_bytes) fail_damaged(origin);
    name_bytes -= text.size();
    const SymbolKind kind = type == 2 ? SymbolKind::kFunction : SymbolKind::kUnknown;
    if (section == 0 && is_global) file.imports.push_back({{}, std::string(text), kind, false});
    if (section != 0 && (is_global || is_weak)) file.exports.push_back({std::string(text), kind});
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
  reader.seek(40);
  const auto sections_offset = reader.read<std::uint64_t>();
  reader.seek(58);
  const auto section_header_size = reader.read<std::uint16_t>();
  const auto section_count = reader.read<std::uint16_t>();
  const auto names_index = reader.read<std::uint16_t>();
  if (reader.failed()) fail_damaged(origin);
  if (word_size != 2 || byte_order != 1) fail(origin, "is an ELF file, but not a 64-bit little-endian one");
  if (type != 3) fail(origin, "is an ELF file, but not a shared library");
  if (section_header_size != 64) fail_damaged(origin);

  std::vector<Section> sections;
  reader.seek(sections_offset);
  for (std::uint32_t i = 0; i < section_count && !reader.failed(); ++i) sections.push_back(read_section_header(reader));
  if (reader.failed() || names_index >= sections.size()) fail_damaged(origin);

  ModuleFile file;
  file.format = ModuleFormat::kElf;
  const Bytes names = content_of(bytes, sections[names_index], origin);
  bool has_symbols = false;  // a library has one table of them
  for (const Section& section : sections) {
    if (text_at(names, section.name) == kMetadataSection) {
      if (file.metadata) fail(origin, "has two sections \"minitensor.plugin\"");
      const Bytes content = content_of(bytes, section, origin);
      file.metadata.emplace(reinterpret_cast<const char*>(content.data()), content.size());
    } else if (section.type == kDynamicSymbols && section.link < sections.size() && !has_symbols) {
      has_symbols = true;
      read_dynamic_symbols(content_of(bytes, section, origin), content_of(bytes, sections[section.link], origin),
                           bytes.size(), file, origin);
    }
  }
  return file;
}

}  // namespace minitensor
