#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "minitensor/base/error.h"
#include "minitensor/loader/staged_file.h"

namespace minitensor {

namespace {

[[noreturn]] void fail(const std::string& origin, const char* operation) {
  throw Error(ErrorCode::kPlugin,
              "load_plugin: " + origin + ": " + operation + " failed: " + std::string(std::strerror(errno)),
              {.phase = "read", .plugin = {}, .symbols = {}, .hint = {}});
}

}  // namespace

StagedFile::StagedFile(const PluginSource& source, const ModuleFile&) {
  // A file in memory has an identity of its own, so the dynamic linker never mistakes it for a library it has.
  descriptor_ = memfd_create("minitensor-plugin", MFD_CLOEXEC);
  if (descriptor_ < 0) fail(source.origin, "memfd_create");
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  std::span<const std::byte> rest = source.bytes;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      close(descriptor_);
      fail(source.origin, "write");
    }
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
}

StagedFile::~StagedFile() { close(descriptor_); }

std::vector<std::string> StagedFile::missing_symbols(const ModuleFile& file) const {
  std::vector<std::string> missing;
  for (const ModuleImport& import : file.imports) {
    if (dlsym(RTLD_DEFAULT, import.name.c_str()) == nullptr) missing.push_back(import.name);
  }
  return missing;
}

}  // namespace minitensor
