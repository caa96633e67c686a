#pragma once

#include <optional>
#include <string>

#include "minitensor/loader/module_file.h"
#include "minitensor/loader/plugin_source.h"

namespace minitensor {

/// Code loaded by dlopen. Unloaded on destruction.
class DynamicLibrary {
 public:
  /// Throws kPlugin of phase "link" with what the dynamic linker says. `file` is what read_module_file said of the
  /// bytes. The bytes are not needed afterwards. Static constructors of the library run.
  DynamicLibrary(const PluginSource& source, const ModuleFile& file);
  DynamicLibrary(const DynamicLibrary&) = delete;
  DynamicLibrary& operator=(const DynamicLibrary&) = delete;
  /// Closes it, if that was not done.
  ~DynamicLibrary() { close(); }

  /// Runs the static destructors and what was given to atexit, and unloads the code. Gives what stopped a destructor;
  /// the code is unloaded all the same.
  std::optional<std::string> close() noexcept;

  /// The address of an exported symbol, null when there is none.
  void* symbol(const char* name) const noexcept;

 private:
  void* handle_ = nullptr;
};

}  // namespace minitensor
