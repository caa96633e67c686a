#include "minitensor/loader/module_file.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/elf_file.h"
#include "minitensor/loader/wasm_file.h"

namespace minitensor {

namespace {

using Bytes = std::span<const std::byte>;

bool starts_with(Bytes bytes, std::string_view prefix) {
  return bytes.size() >= prefix.size() && std::memcmp(bytes.data(), prefix.data(), prefix.size()) == 0;
}

struct KnownKind {
  std::string_view prefix;
  std::string_view what;
};

// Files that people hand to a plugin loader by mistake.
constexpr std::array kKnownKinds = {
    KnownKind{"\x1F\x8B", "a gzip file"},
    KnownKind{"PK\x03\x04", "a zip archive"},
    KnownKind{"\x28\xB5\x2F\xFD", "a zstd file"},
    KnownKind{"\xFD"
              "7zXZ",
              "an xz file"},
    KnownKind{"MZ", "a Windows program or DLL"},
    KnownKind{"\xCF\xFA\xED\xFE", "a macOS library"},
    KnownKind{"\xCA\xFE\xBA\xBE", "a macOS universal library or a Java class"},
    KnownKind{"!<arch>", "a static library"},
    KnownKind{"BC\xC0\xDE", "LLVM bitcode"},
};

std::string hex_of_start(Bytes bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string result;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 8))) {
    const auto value = std::to_integer<unsigned>(byte);
    if (!result.empty()) result += ' ';
    result += {kHex[value >> 4U], kHex[value & 15U]};
  }
  return result;
}

// The first characters of what looks like markup, lower-case, without a byte order mark and white space before it.
std::string start_of_text(Bytes bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 256));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  text = start == std::string_view::npos ? std::string_view() : text.substr(start, 24);
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

[[noreturn]] void throw_unknown_kind(Bytes bytes, std::string_view origin) {
  const std::string prefix = "plugin file " + std::string(origin) + " is ";
  const auto fail = [&](std::string_view what, std::string hint) {
    throw Error(ErrorCode::kPlugin, prefix + std::string(what) + ", not a plugin",
                {.phase = "read", .plugin = {}, .symbols = {}, .hint = std::move(hint)});
  };
  if (bytes.empty()) fail("empty", "check that the file was written or downloaded completely");
  const std::string text = start_of_text(bytes);
  if (text.starts_with("<!doctype html") || text.starts_with("<html") || text.starts_with("<!--")) {
    fail("an HTML page", "the server answered with a page, often for a file it does not have: check the address");
  }
  if (text.starts_with("<")) fail("an XML or HTML document", "check the address");
  if (text.starts_with("{") || text.starts_with("[")) {
    fail("a JSON text", "the server answered with a message, or the address is that of another file: look at it");
  }
  if (text.starts_with("version https://git-lfs")) fail("a Git LFS pointer", "fetch the file itself: git lfs pull");
  for (const KnownKind& kind : kKnownKinds) {
    if (starts_with(bytes, kind.prefix)) fail(kind.what, "give the plugin's .wasm or .so file itself");
  }
  fail("of an unknown kind (it begins with " + hex_of_start(bytes) + ")", "give the plugin's .wasm or .so file");
  throw Error(ErrorCode::kInternal, "unreachable");
}

}  // namespace

std::string_view symbol_kind_name(SymbolKind kind) noexcept {
  switch (kind) {
    case SymbolKind::kFunction:
      return "function";
    case SymbolKind::kTable:
      return "table";
    case SymbolKind::kMemory:
      return "memory";
    case SymbolKind::kGlobal:
      return "global";
    case SymbolKind::kTag:
      return "tag";
    case SymbolKind::kUnknown:
      break;
  }
  return "unknown";
}

ModuleFile read_module_file(Bytes bytes, std::string_view origin) {
  const bool is_known = is_wasm(bytes) || is_elf(bytes);
  if (!is_known) throw_unknown_kind(bytes, origin);
  ModuleFile file = is_wasm(bytes) ? read_wasm_file(bytes, origin) : read_elf_file(bytes, origin);
  file.sizes.file = bytes.size();
  return file;
}

}  // namespace minitensor
