#pragma once

#include <string>
#include <vector>

#ifndef __wasm__
#include "minitensor/loader/elf_constructors.h"
#endif
#include "minitensor/loader/module_file.h"
#include "minitensor/loader/plugin_source.h"

namespace minitensor {

/// Bytes made available to dlopen under a name that nothing else has, for as long as this object lives. Loading from
/// a copy means that a file replaced on disk loads as the new code, and that what was checked is what is loaded.
class StagedFile {
 public:
  StagedFile(const PluginSource& source, const ModuleFile& file);
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile();

  const std::string& path() const noexcept { return path_; }
  /// Runs the constructors of the library that dlopen gave this handle for. In WebAssembly dlopen has done so.
  void run_constructors(void* handle) const;
  /// After dlopen failed: those imports of `file` that nothing in the process defines.
  std::vector<std::string> missing_symbols(const ModuleFile& file) const;

 private:
  std::string path_;
#ifndef __wasm__
  int descriptor_ = -1;  // the file in memory
  ElfConstructors constructors_;
#endif
};

}  // namespace minitensor
