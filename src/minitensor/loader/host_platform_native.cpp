#include <dlfcn.h>

#include <algorithm>
#include <memory>

#include "minitensor/loader/host_platform.h"

namespace minitensor {

namespace {

// As many libraries as a real file needs; each is looked for in the file system.
constexpr std::size_t kMaxLibraries = 64;

struct CloseLibrary {
  void operator()(void* handle) const noexcept { dlclose(handle); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

// Null when it is not in the process. A name with a slash is a path, which would be opened: it could be anything.
Library find_loaded(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos) return nullptr;
  return Library(dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD));
}

}  // namespace

std::optional<ModuleFormat> loadable_format() noexcept {
#ifdef MINITENSOR_HAS_DYNAMIC_LOADING
  return ModuleFormat::kElf;
#else
  return std::nullopt;
#endif
}

// What user space has of the address space on 64-bit machines.
std::uint64_t memory_limit() noexcept { return std::uint64_t{1} << 47U; }

std::vector<bool> find_in_process(const ModuleFile& file) {
  std::vector<Library> libraries;
  bool are_all_loaded = file.needed.size() <= kMaxLibraries;
  for (std::size_t i = 0; i < std::min(file.needed.size(), kMaxLibraries); ++i) {
    Library library = find_loaded(file.needed[i]);
    if (library)
      libraries.push_back(std::move(library));
    else
      are_all_loaded = false;
  }
  std::vector<bool> found;
  for (const ModuleImport& import : file.imports) {
    const char* name = import.name.c_str();
    found.push_back(!are_all_loaded || import.is_versioned || dlsym(RTLD_DEFAULT, name) != nullptr ||
                    std::any_of(libraries.begin(), libraries.end(),
                                [&](const Library& library) { return dlsym(library.get(), name) != nullptr; }));
  }
  return found;
}

std::uint16_t elf_machine() noexcept {
#if defined(__x86_64__)
  return 62;
#elif defined(__aarch64__)
  return 183;
#elif defined(__riscv)
  return 243;
#else
  return 0;
#endif
}

}  // namespace minitensor
