#pragma once

#include "minitensor/loader/module_file.h"

namespace minitensor {

/// Whether `bytes` begin like WebAssembly. A file cut off within the first four bytes counts.
bool is_wasm(std::span<const std::byte> bytes) noexcept;

/// Reads imports, exports, the dylink.0 section and the metadata of a WebAssembly module.
/// Throws kPlugin of phase "read" for a damaged file. https://webassembly.github.io/spec/core/binary/modules.html and
/// https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md describe the format.
ModuleFile read_wasm_file(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace minitensor
