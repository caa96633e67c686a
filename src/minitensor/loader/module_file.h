#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minitensor {

enum class ModuleFormat { kWasm, kElf };

enum class SymbolKind { kFunction, kTable, kMemory, kGlobal, kTag, kUnknown };

/// "function", "table", …
std::string_view symbol_kind_name(SymbolKind kind) noexcept;

/// What a module needs of its host. `module` is empty for ELF.
struct ModuleImport {
  std::string module;
  std::string name;
  SymbolKind kind = SymbolKind::kUnknown;
  bool shared_memory = false;  ///< a memory that threads share
};

struct ModuleExport {
  std::string name;
  SymbolKind kind = SymbolKind::kUnknown;
};

/// Where a WebAssembly side module wants its data and its functions: the dylink.0 section.
struct DylinkInfo {
  std::uint32_t memory_size = 0;
  std::uint32_t memory_alignment = 0;  ///< in bytes
  std::uint32_t table_size = 0;
  std::vector<std::string> needed;       ///< other modules it wants loaded first
  std::vector<std::string> tls_exports;  ///< thread-local variables
};

/// What a compiled file says of itself, read without running any of it.
struct ModuleFile {
  ModuleFormat format = ModuleFormat::kWasm;
  std::vector<ModuleImport> imports;
  std::vector<ModuleExport> exports;
  std::optional<DylinkInfo> dylink;     ///< only in a WebAssembly side module
  std::optional<std::string> metadata;  ///< the section "minitensor.plugin"
};

/// The name of the section that carries a plugin's metadata.
inline constexpr std::string_view kMetadataSection = "minitensor.plugin";

/// Parses `bytes`. They may be anything: a file that is no WebAssembly module and no ELF shared library, or a damaged
/// one, is a kPlugin error of phase "read" that names what it is. Memory is bounded by the size of the input.
/// `origin` (a path or URL) is for the messages.
ModuleFile read_module_file(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace minitensor
