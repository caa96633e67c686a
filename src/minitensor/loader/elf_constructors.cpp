#include "minitensor/loader/elf_constructors.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <cstring>

namespace minitensor {

namespace {

// A tag that means nothing to anybody, for an entry that is not to be seen.
constexpr Elf64_Sxword kIgnoredTag = 0x60000000;

template <typename T>
bool read(std::span<const std::byte> file, std::uint64_t offset, T& value) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return true;
}

bool find_dynamic_section(std::span<const std::byte> file, Elf64_Phdr& found) {
  Elf64_Ehdr header;
  if (!read(file, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > file.size()) return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    if (!read(file, header.e_phoff + i * sizeof(Elf64_Phdr), found)) return false;
    if (found.p_type == PT_DYNAMIC) return found.p_offset <= file.size();
  }
  return false;
}

using Constructor = void (*)(int, char**, char**);

}  // namespace

ElfConstructors ElfConstructors::take_from(std::span<std::byte> file) noexcept {
  ElfConstructors constructors;
  Elf64_Phdr dynamic;
  if (!find_dynamic_section(file, dynamic)) return constructors;
  Elf64_Dyn entry;
  for (std::uint64_t at = dynamic.p_offset; read(file, at, entry) && entry.d_tag != DT_NULL; at += sizeof entry) {
    switch (entry.d_tag) {
      case DT_INIT:
        constructors.init = entry.d_un.d_ptr;
        break;
      case DT_INIT_ARRAY:
        constructors.array = entry.d_un.d_ptr;
        break;
      case DT_INIT_ARRAYSZ:
        constructors.count = entry.d_un.d_val / sizeof(Constructor);
        break;
      default:
        continue;
    }
    entry.d_tag = kIgnoredTag;
    std::memcpy(file.data() + at, &entry, sizeof entry);
  }
  return constructors;
}

void ElfConstructors::run(void* handle) const {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return;
  char* no_arguments[] = {nullptr};
  const auto call = [&](std::uint64_t address) {
    reinterpret_cast<Constructor>(address)(0, no_arguments, environ);  // NOLINT(performance-no-int-to-ptr)
  };
  if (init != 0) call(map->l_addr + init);
  for (std::uint64_t i = 0; array != 0 && i < count; ++i) {
    std::uint64_t address = 0;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where the library is, only the dynamic linker knows
    std::memcpy(&address, reinterpret_cast<const void*>(map->l_addr + array + i * sizeof address), sizeof address);
    call(address);
  }
}

}  // namespace minitensor
