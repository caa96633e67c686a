#include <emscripten/heap.h>

#include "minitensor/loader/host_platform.h"

namespace minitensor {

std::optional<ModuleFormat> loadable_format() noexcept {
#ifdef MINITENSOR_HAS_DYNAMIC_LOADING
  return ModuleFormat::kWasm;
#else
  return std::nullopt;
#endif
}

std::uint64_t memory_limit() noexcept { return emscripten_get_heap_max(); }

std::vector<bool> find_in_process(const ModuleFile& file) { return std::vector<bool>(file.imports.size(), false); }

std::uint16_t elf_machine() noexcept { return 0; }

}  // namespace minitensor
