#include "minitensor/loader/dynamic_library.h"

#include <dlfcn.h>

#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/plugin_call.h"
#include "minitensor/loader/staged_file.h"

namespace minitensor {

DynamicLibrary::DynamicLibrary(const PluginSource& source, const ModuleFile& file) {
  const StagedFile staged(source, file);
  // Constructors of the plugin run here, and may throw.
  const std::optional<std::string> stopped = run_guarded([&] {
    handle_ = dlopen(staged.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) staged.run_constructors(handle_);
  });
  if (handle_ != nullptr && !stopped) return;
  close();
  // A copy: looking for symbols frees the text.
  const char* linker_reason = dlerror();
  const std::string reason = stopped ? *stopped : linker_reason == nullptr ? "unknown reason" : linker_reason;
  std::vector<std::string> symbols;
  if (!stopped) symbols = staged.missing_symbols(file);
  std::string message = "cannot be linked: ";
  // What is missing may be a consequence only, as of another library that is not there.
  if (!symbols.empty()) message += "it imports symbols that the host does not have: " + join(symbols, ", ") + ": ";
  message += reason;
  throw Error(ErrorCode::kPlugin, std::move(message),
              {.phase = "link",
               .plugin = {},
               .symbols = std::move(symbols),
               .hint = "build the plugin with minitensor_add_plugin of this MiniTensor's SDK"});
}

std::optional<std::string> DynamicLibrary::close() noexcept {
  void* handle = std::exchange(handle_, nullptr);
  if (handle == nullptr || dlclose(handle) == 0) return std::nullopt;
  const char* reason = dlerror();
  return reason == nullptr ? "unknown reason" : reason;
}

void* DynamicLibrary::symbol(const char* name) const noexcept { return dlsym(handle_, name); }

}  // namespace minitensor
