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
  bool memory64 = false;       ///< a memory or table whose addresses have 64 bits
  bool is_versioned = false;   ///< an ELF symbol that a certain library had when the file was linked
};

struct ModuleExport {
  std::string name;
  SymbolKind kind = SymbolKind::kUnknown;
};

/// Where a WebAssembly side module wants its data and its functions: the dylink.0 section.
struct DylinkInfo {
  std::uint32_t memory_size = 0;
  std::uint32_t memory_alignment = 1;  ///< in bytes
  std::uint32_t table_size = 0;
  std::vector<std::string> tls_exports;  ///< thread-local variables
};

/// How far the segments of a WebAssembly module reach, as far as the file itself shows it.
struct SegmentExtent {
  std::uint64_t end = 0;      ///< bytes of memory, or slots of the table, beyond the base that the host gives
  bool is_elsewhere = false;  ///< one of them has another place than the base and a constant
};

/// What a file takes, in bytes but for `table`.
struct ModuleSizes {
  std::uint64_t file = 0;
  std::uint64_t code = 0;    ///< the code section; for ELF, what is loaded as executable
  std::uint64_t data = 0;    ///< initial values of variables, as they stand in the file
  std::uint64_t memory = 0;  ///< of the host's memory, for all variables; for ELF, for all that is loaded
  std::uint64_t table = 0;   ///< slots of the function table; 0 for ELF
};

/// What a compiled file says of itself, read without running any of it.
struct ModuleFile {
  ModuleFormat format = ModuleFormat::kWasm;
  std::uint16_t machine = 0;  ///< whose instructions an ELF file holds, by ELF's numbers
  ModuleSizes sizes;
  std::vector<ModuleImport> imports;
  std::vector<ModuleExport> exports;
  std::vector<std::string> needed;  ///< other modules or libraries that it wants loaded first
  SegmentExtent data_extent;
  SegmentExtent table_extent;
  std::optional<DylinkInfo> dylink;     ///< only in a WebAssembly side module
  std::optional<std::string> metadata;  ///< the section "minitensor.plugin"
  bool is_core = false;                 ///< whether it has the section "minitensor.core"
};

/// The name of the section that carries a plugin's metadata.
inline constexpr std::string_view kMetadataSection = "minitensor.plugin";
/// The name of the section that the engine's own core has, as WebAssembly.
inline constexpr std::string_view kCoreSection = "minitensor.core";

/// Parses `bytes`. They may be anything: a file that is no WebAssembly module and no ELF shared library, or a damaged
/// one, is a kPlugin error of phase "read" that names what it is. Time and memory are linear in the size of the input.
/// `origin` (a path or URL) is for the messages.
ModuleFile read_module_file(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace minitensor
