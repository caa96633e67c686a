#include "minitensor/loader/dynamic_library.h"

#include <dlfcn.h>

#include <memory>
#include <string_view>
#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/plugin_call.h"
#include "minitensor/loader/staged_file.h"

namespace minitensor {

namespace {

// How the linker's message begins when there is no memory for the library's data.
constexpr std::string_view kOutOfMemory = "out of memory: ";

}  // namespace

DynamicLibrary::DynamicLibrary(const PluginSource& source, const ModuleFile& file) {
  const StagedFile staged(source, file);
  // Constructors of the plugin run here, and may throw.
  const std::optional<Stopped> stopped = run_guarded([&] {
    handle_ = dlopen(staged.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) staged.run_constructors(handle_);
  });
  if (handle_ != nullptr && !stopped) return;
  close();
  ErrorDetails details;
  details.phase = "link";
  std::string message = "cannot be linked: ";
  if (stopped) {
    message = "a constructor of a global object stopped: " + stopped->reason;
    details.hint = "this is a fault in the plugin's code";
    details.callback_error = stopped->error;
  } else {
    // A copy: looking for symbols frees the text.
    const char* linker_reason = dlerror();
    const std::string reason = linker_reason == nullptr ? "unknown reason" : linker_reason;
    if (reason.starts_with(kOutOfMemory)) {
      details.hint = "dispose what is not needed, or give the instance more memory";
      details.cause = std::make_shared<const Error>(ErrorCode::kMemory, reason);
    } else {
      details.hint = "build the plugin with minitensor_add_plugin of this MiniTensor's SDK";
      details.symbols = staged.missing_symbols(file);
      // What is missing may be a consequence only, as of another library that is not there.
      if (!details.symbols.empty()) {
        message += "it imports symbols that the host does not have: " + join(details.symbols, ", ") + ": ";
      }
    }
    message += reason;
  }
  throw Error(ErrorCode::kPlugin, std::move(message), std::move(details));
}

std::optional<std::string> DynamicLibrary::close() noexcept {
  void* handle = std::exchange(handle_, nullptr);
  if (handle == nullptr || dlclose(handle) == 0) return std::nullopt;
  const char* reason = dlerror();
  return reason == nullptr ? "unknown reason" : reason;
}

void* DynamicLibrary::symbol(const char* name) const noexcept { return dlsym(handle_, name); }

}  // namespace minitensor
