#pragma once

#include "minitensor/loader/module_file.h"

namespace minitensor {

bool is_elf(std::span<const std::byte> bytes) noexcept;

/// Reads imports, exports and the metadata of a 64-bit little-endian ELF shared library.
/// Throws kPlugin of phase "read" for another kind of ELF file or a damaged one. elf(5) describes the format.
ModuleFile read_elf_file(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace minitensor
