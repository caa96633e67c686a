#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "minitensor/loader/module_file.h"

namespace minitensor {

// What this build can give to a plugin's file, on the platform that it runs on.

/// The kind of file that it loads; none in a build without dynamic loading.
std::optional<ModuleFormat> loadable_format() noexcept;

/// How many bytes of memory there can be at most, with what is in use.
std::uint64_t memory_limit() noexcept;

/// For each import of an ELF file, whether the process has it: in its global scope or in one of the libraries that the
/// file needs. Only the system's linker can tell of libraries that are not in the process yet, and of versions of
/// symbols; an import that may be one of those counts as found. Nothing is loaded for the answer.
std::vector<bool> find_in_process(const ModuleFile& file);

/// The number by which ELF knows the processor that this runs on, 0 where it is not known.
std::uint16_t elf_machine() noexcept;

}  // namespace minitensor
