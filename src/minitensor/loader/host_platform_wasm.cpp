#include "minitensor/loader/host_platform.h"

namespace minitensor {

std::optional<ModuleFormat> loadable_format() noexcept {
#ifdef MINITENSOR_HAS_DYNAMIC_LOADING
  return ModuleFormat::kWasm;
#else
  return std::nullopt;
#endif
}

// What a memory may grow to, by Emscripten's setting MAXIMUM_MEMORY.
std::uint64_t memory_limit() noexcept { return std::uint64_t{1} << 31U; }

std::vector<bool> find_in_process(const ModuleFile& file) { return std::vector<bool>(file.imports.size(), false); }

std::uint16_t elf_machine() noexcept { return 0; }

}  // namespace minitensor
