#include "minitensor/loader/wasm_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/byte_reader.h"
#include "minitensor/loader/wasm_segments.h"

namespace minitensor {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::array kMagic = {std::byte{0x00}, std::byte{0x61}, std::byte{0x73}, std::byte{0x6D}};

enum Section : std::uint8_t {
  kCustomSection = 0,
  kImportSection = 2,
  kExportSection = 7,
  kElementSection = 9,
  kCodeSection = 10,
  kDataSection = 11,
};

// The place of each kind of section in a module, by its number. Those of WebAssembly's later additions stand between
// the first ones.
constexpr std::array<std::uint8_t, 14> kOrder = {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 11, 6};

enum DylinkSubsection : std::uint8_t { kMemoryInfo = 1, kNeeded = 2, kExportInfo = 3 };

constexpr std::uint64_t kTlsSymbolFlag = 0x100;

// A plugin has a few of each. Engines take ten times as many.
constexpr std::uint64_t kMaxEntries = 100'000;

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
constexpr unsigned kWideFlag = 4;

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

std::string read_text(ByteReader& reader) {
  const std::string_view text = reader.read_name();
  if (!is_valid_utf8(text)) reader.fail();
  return std::string(text);
}

ModuleImport read_import(ByteReader& reader) {
  ModuleImport import;
  import.module = read_text(reader);
  import.name = read_text(reader);
  import.kind = kind_of(reader.read<std::uint8_t>());
  switch (import.kind) {
    case SymbolKind::kFunction:
      reader.read_leb128();
      break;
    case SymbolKind::kTable:
      skip_value_type(reader);
      import.memory64 = (skip_limits(reader) & kWideFlag) != 0;
      break;
    case SymbolKind::kMemory: {
      const unsigned flags = skip_limits(reader);
      import.shared_memory = (flags & kSharedFlag) != 0;
      import.memory64 = (flags & kWideFlag) != 0;
      break;
    }
    case SymbolKind::kGlobal:
      skip_value_type(reader);
      reader.read<std::uint8_t>();
      break;
    case SymbolKind::kTag:
      reader.read<std::uint8_t>();
      reader.read_leb128();
      break;
    case SymbolKind::kUnknown:
      reader.fail();  // what follows cannot be told
      break;
  }
  return import;
}

ModuleExport read_export(ByteReader& reader) {
  ModuleExport entry{read_text(reader), SymbolKind::kUnknown};
  entry.kind = kind_of(reader.read<std::uint8_t>());
  reader.read_leb128();
  return entry;
}

template <typename Item, typename ReadItem>
bool read_list(ByteReader& reader, std::vector<Item>& items, ReadItem read_item) {
  // The count is not trusted: memory grows with the items that are really there.
  std::uint64_t count = reader.read_leb128();
  if (count > kMaxEntries) return false;
  for (; count > 0 && !reader.failed(); --count) items.push_back(read_item(reader));
  return !reader.failed();
}

BaseGlobals find_base_globals(const std::vector<ModuleImport>& imports) {
  BaseGlobals globals;
  std::uint32_t index = 0;
  for (const ModuleImport& import : imports) {
    if (import.kind != SymbolKind::kGlobal) continue;
    if (import.module == "env" && import.name == "__memory_base") globals.memory = index;
    if (import.module == "env" && import.name == "__table_base") globals.table = index;
    ++index;
  }
  return globals;
}

bool read_dylink(ByteReader& reader, DylinkInfo& info, std::vector<std::string>& needed) {
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
      if (!read_list(body, needed, read_text)) return false;
    } else if (type == kExportInfo) {
      for (std::uint64_t count = body.read_leb128(); count > 0 && !body.failed(); --count) {
        std::string name = read_text(body);
        if ((body.read_leb128() & kTlsSymbolFlag) != 0) info.tls_exports.push_back(std::move(name));
      }
    }
    if (body.failed()) return false;
  }
  return !reader.failed();
}

class WasmReader {
 public:
  WasmReader(Bytes bytes, std::string_view origin) : reader_(bytes), origin_(origin) {}

  ModuleFile read() {
    file_.format = ModuleFormat::kWasm;
    read_header();
    while (!reader_.at_end()) read_section();
    return std::move(file_);
  }

 private:
  void read_header() {
    reader_.skip(kMagic.size());
    const auto version = reader_.read<std::uint16_t>();
    const auto layer = reader_.read<std::uint16_t>();
    if (reader_.failed()) fail_damaged(origin_, "it ends within the header");
    if (layer == 1) {
      fail(origin_, "is a WebAssembly component, not a core module",
           "a plugin is a side module: build it with minitensor_add_plugin");
    }
    if (version != 1 || layer != 0) {
      fail(origin_, "is a WebAssembly binary of version " + std::to_string(version | layer << 16U) + ", not 1",
           "build it with minitensor_add_plugin");
    }
  }

  void read_section() {
    const std::string start = std::to_string(reader_.position());
    const auto id = reader_.read<std::uint8_t>();
    ByteReader body(reader_.take(reader_.read_leb128()));
    if (reader_.failed()) fail_damaged(origin_, "the section at byte " + start + " is cut off");
    if (id >= kOrder.size()) fail_damaged(origin_, "the section at byte " + start + " is of an unknown kind");
    if (id != kCustomSection) {
      if (kOrder[id] <= last_) fail_damaged(origin_, "the section at byte " + start + " is there twice or misplaced");
      last_ = kOrder[id];
    }
    if (!read_content(id, body)) fail_damaged(origin_, "the section at byte " + start + " is malformed");
  }

  bool read_content(std::uint8_t id, ByteReader& body) {
    switch (id) {
      case kCustomSection:
        return read_custom(body);
      case kImportSection:
        return read_list(body, file_.imports, read_import) && body.at_end();
      case kExportSection:
        return read_list(body, file_.exports, read_export) && body.at_end();
      case kElementSection:
        return read_element_segments(body, find_base_globals(file_.imports), file_.table_extent);
      case kCodeSection:
        file_.sizes.code = body.remaining();
        return true;
      case kDataSection:
        return read_data_segments(body, find_base_globals(file_.imports), file_.data_extent, file_.sizes.data);
      default:
        return true;  // of no concern here: an engine checks it
    }
  }

  bool read_custom(ByteReader& body) {
    const std::string name = read_text(body);
    if (body.failed()) return false;
    if (name == "dylink.0") {
      if (file_.dylink) fail(origin_, "has two sections \"dylink.0\"", "build it with minitensor_add_plugin");
      if (!read_dylink(body, file_.dylink.emplace(), file_.needed)) return false;
      file_.sizes.memory = file_.dylink->memory_size;
      file_.sizes.table = file_.dylink->table_size;
    } else if (name == kMetadataSection) {
      if (file_.metadata) fail(origin_, "has two sections \"minitensor.plugin\"", "use MT_PLUGIN_METADATA once");
      const auto content = body.take(body.remaining());
      file_.metadata.emplace(reinterpret_cast<const char*>(content.data()), content.size());
    } else if (name == kCoreSection) {
      file_.is_core = true;
    }
    return true;
  }

  ByteReader reader_;
  std::string_view origin_;
  ModuleFile file_;
  std::uint8_t last_ = 0;  // the place of the last section but custom ones
};

}  // namespace

bool is_wasm(Bytes bytes) noexcept {
  const std::size_t size = std::min(bytes.size(), kMagic.size());
  return size > 0 && std::equal(kMagic.begin(), kMagic.begin() + static_cast<std::ptrdiff_t>(size), bytes.begin());
}

ModuleFile read_wasm_file(Bytes bytes, std::string_view origin) { return WasmReader(bytes, origin).read(); }

}  // namespace minitensor
