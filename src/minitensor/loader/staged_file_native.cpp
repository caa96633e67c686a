#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "minitensor/base/error.h"
#include "minitensor/loader/staged_file.h"

namespace minitensor {

namespace {

[[noreturn]] void fail(const char* operation) {
  throw Error(ErrorCode::kPlugin, std::string(operation) + " failed: " + std::string(std::strerror(errno)),
              {.phase = "read", .plugin = {}, .symbols = {}, .hint = {}});
}

std::string path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

bool is_loaded(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

}  // namespace

FileDescriptor::~FileDescriptor() { reset(-1); }

void FileDescriptor::reset(int number) noexcept {
  if (number_ >= 0) close(number_);
  number_ = number;
}

// A file in memory has an identity of its own, so the dynamic linker never mistakes it for a library it has. But it
// also knows libraries by the paths they were opened under, so a descriptor of such a path is left alone.
StagedFile::StagedFile(const PluginSource& source, const ModuleFile&)
    : descriptor_(memfd_create("minitensor-plugin", MFD_CLOEXEC)) {
  if (descriptor_.number() < 0) fail("memfd_create");
  path_ = path_of(descriptor_.number());
  while (is_loaded(path_)) {
    const int next = fcntl(descriptor_.number(), F_DUPFD_CLOEXEC, descriptor_.number() + 1);
    if (next < 0) fail("fcntl");
    descriptor_.reset(next);
    path_ = path_of(next);
  }
  std::vector<std::byte> file(source.bytes.begin(), source.bytes.end());
  constructors_ = ElfConstructors::take_from(file);
  std::span<const std::byte> rest = file;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor_.number(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
}

void StagedFile::run_constructors(void* handle) const { constructors_.run(handle); }

std::vector<std::string> StagedFile::missing_symbols(const ModuleFile& file) const {
  std::vector<std::string> missing;
  for (const ModuleImport& import : file.imports) {
    if (dlsym(RTLD_DEFAULT, import.name.c_str()) == nullptr) missing.push_back(import.name);
  }
  return missing;
}

}  // namespace minitensor
