#include "minitensor/loader/dynamic_library.h"

#include <dlfcn.h>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/staged_file.h"

namespace minitensor {

DynamicLibrary::DynamicLibrary(const PluginSource& source, const ModuleFile& file) {
  const StagedFile staged(source, file);
  handle_ = dlopen(staged.path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) return;
  const char* reason = dlerror();
  std::vector<std::string> symbols = staged.missing_symbols(file);
  std::string message = "load_plugin: " + source.origin + " cannot be linked: ";
  message += symbols.empty() ? std::string(reason == nullptr ? "unknown reason" : reason)
                             : "it imports symbols that the host does not have: " + join(symbols, ", ");
  throw Error(ErrorCode::kPlugin, std::move(message),
              {.phase = "link",
               .plugin = {},
               .symbols = std::move(symbols),
               .hint = "build the plugin with minitensor_add_plugin of this MiniTensor's SDK"});
}

DynamicLibrary::~DynamicLibrary() { dlclose(handle_); }

void* DynamicLibrary::symbol(const char* name) const noexcept { return dlsym(handle_, name); }

}  // namespace minitensor
