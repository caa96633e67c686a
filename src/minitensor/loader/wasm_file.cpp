#include "minitensor/loader/wasm_file.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "minitensor/base/error.h"
#include "minitensor/loader/byte_reader.h"

namespace minitensor {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::array kMagic = {std::byte{0x00}, std::byte{0x61}, std::byte{0x73}, std::byte{0x6D}};

enum Section : std::uint8_t { kCustomSection = 0, kImportSection = 2, kExportSection = 7 };

enum DylinkSubsection : std::uint8_t { kMemoryInfo = 1, kNeeded = 2, kExportInfo = 3 };

constexpr std::uint64_t kTlsSymbolFlag = 0x100;

// Alignments above this are no real module's, and would only make the placement of data overflow.
constexpr std::uint64_t kMaxAlignmentLog2 = 16;

[[noreturn]] void fail(std::string_view origin, const std::string& what, std::string hint) {
  throw Error(ErrorCode::kPlugin, "plugin file " + std::string(origin) + " " + what,
              {.phase = "read", .plugin = {}, .symbols = {}, .hint = std::move(hint)});
}

[[noreturn]] void fail_damaged(std::string_view origin, std::string_view where) {
  fail(origin, "is a truncated or damaged WebAssembly module: " + std::string(where),
       "check that the file was written or downloaded completely");
}

SymbolKind kind_of(std::uint8_t number) {
  constexpr std::array kKinds = {SymbolKind::kFunction, SymbolKind::kTable, SymbolKind::kMemory, SymbolKind::kGlobal,
                                 SymbolKind::kTag};
  return number < kKinds.size() ? kKinds[number] : SymbolKind::kUnknown;
}

constexpr unsigned kSharedFlag = 2;

// The flags of a memory or table type, which decide whether a maximum follows.
unsigned skip_limits(ByteReader& reader) {
  const auto flags = static_cast<unsigned>(reader.read_leb128());
  reader.read_leb128(64);
  if ((flags & 1U) != 0) reader.read_leb128(64);
  return flags;
}

// A value type is one byte, or two and an index for a typed reference.
void skip_value_type(ByteReader& reader) {
  const auto type = reader.read<std::uint8_t>();
  if (type == 0x63 || type == 0x64) reader.read_leb128(64);
}

ModuleImport read_import(ByteReader& reader) {
  ModuleImport import;
  import.module = reader.read_name();
  import.name = reader.read_name();
  import.kind = kind_of(reader.read<std::uint8_t>());
  switch (import.kind) {
    case SymbolKind::kFunction:
      reader.read_leb128();
      break;
    case SymbolKind::kTable:
      skip_value_type(reader);
      skip_limits(reader);
      break;
    case SymbolKind::kMemory:
      import.shared_memory = (skip_limits(reader) & kSharedFlag) != 0;
      break;
    case SymbolKind::kGlobal:
      skip_value_type(reader);
      reader.read<std::uint8_t>();
      break;
    case SymbolKind::kTag:
      reader.read<std::uint8_t>();
      reader.read_leb128();
      break;
    case SymbolKind::kUnknown:
      break;
  }
  return import;
}

template <typename Item, typename ReadItem>
bool read_list(ByteReader& reader, std::vector<Item>& items, ReadItem read_item) {
  // The count is not trusted: memory grows with the items that are really there.
  for (std::uint64_t count = reader.read_leb128(); count > 0 && !reader.failed(); --count) {
    items.push_back(read_item());
  }
  return !reader.failed();
}

bool read_dylink(ByteReader& reader, DylinkInfo& info) {
  while (!reader.at_end() && !reader.failed()) {
    const auto type = reader.read<std::uint8_t>();
    ByteReader body(reader.take(reader.read_leb128()));
    if (reader.failed()) return false;
    if (type == kMemoryInfo) {
      info.memory_size = static_cast<std::uint32_t>(body.read_leb128());
      const std::uint64_t alignment_log2 = body.read_leb128();
      info.table_size = static_cast<std::uint32_t>(body.read_leb128());
      if (alignment_log2 > kMaxAlignmentLog2) return false;
      info.memory_alignment = 1U << alignment_log2;
    } else if (type == kNeeded) {
      read_list(body, info.needed, [&] { return std::string(body.read_name()); });
    } else if (type == kExportInfo) {
      for (std::uint64_t count = body.read_leb128(); count > 0 && !body.failed(); --count) {
        const std::string_view name = body.read_name();
        if ((body.read_leb128() & kTlsSymbolFlag) != 0) info.tls_exports.emplace_back(name);
      }
    }
    if (body.failed()) return false;
  }
  return !reader.failed();
}

}  // namespace

bool is_wasm(Bytes bytes) noexcept {
  const std::size_t size = std::min(bytes.size(), kMagic.size());
  return size > 0 && std::equal(kMagic.begin(), kMagic.begin() + static_cast<std::ptrdiff_t>(size), bytes.begin());
}

ModuleFile read_wasm_file(Bytes bytes, std::string_view origin) {
  ByteReader reader(bytes);
  reader.skip(kMagic.size());
  const auto version = reader.read<std::uint32_t>();
  if (reader.failed()) fail_damaged(origin, "it ends within the header");
  if (version != 1) {
    fail(origin, "is a WebAssembly binary of version " + std::to_string(version) + ", not a core module of version 1",
         "a WebAssembly component is not a plugin: build a side module");
  }

  ModuleFile file;
  file.format = ModuleFormat::kWasm;
  while (!reader.at_end()) {
    const auto id = reader.read<std::uint8_t>();
    const std::size_t start = reader.position();
    ByteReader body(reader.take(reader.read_leb128()));
    if (reader.failed()) fail_damaged(origin, "the section at byte " + std::to_string(start - 1) + " is cut off");
    bool ok = true;
    if (id == kCustomSection) {
      const std::string_view name = body.read_name();
      if (name == "dylink.0") {
        ok = read_dylink(body, file.dylink.emplace());
      } else if (name == kMetadataSection && !body.failed()) {
        if (file.metadata) fail(origin, "has two sections \"minitensor.plugin\"", "use MT_PLUGIN_METADATA once");
        const auto content = body.take(body.remaining());
        file.metadata.emplace(reinterpret_cast<const char*>(content.data()), content.size());
      }
    } else if (id == kImportSection) {
      ok = read_list(body, file.imports, [&] { return read_import(body); });
    } else if (id == kExportSection) {
      ok = read_list(body, file.exports, [&] {
        ModuleExport entry{std::string(body.read_name()), SymbolKind::kUnknown};
        entry.kind = kind_of(body.read<std::uint8_t>());
        body.read_leb128();
        return entry;
      });
    }
    if (!ok) fail_damaged(origin, "the section at byte " + std::to_string(start - 1) + " is malformed");
  }
  return file;
}

}  // namespace minitensor
