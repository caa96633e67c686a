#pragma once

#include <string>
#include <vector>

#ifndef __wasm__
#include "minitensor/loader/elf_constructors.h"
#endif
#include "minitensor/loader/module_file.h"
#include "minitensor/loader/plugin_source.h"

namespace minitensor {

#ifndef __wasm__
/// An open file, closed at the end. -1 for none.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  int number() const noexcept { return number_; }
  /// Closes the file, and takes over another.
  void reset(int number) noexcept;

 private:
  int number_;
};
#endif

/// Bytes made available to dlopen under a name that nothing else has, for as long as this object lives. Loading from
/// a copy means that a file replaced on disk loads as the new code, and that what was checked is what is loaded.
class StagedFile {
 public:
  StagedFile(const PluginSource& source, const ModuleFile& file);
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
#ifdef __wasm__
  ~StagedFile();
#endif

  const std::string& path() const noexcept { return path_; }
  /// Runs the constructors of the library that dlopen gave this handle for. In WebAssembly dlopen has done so.
  void run_constructors(void* handle) const;
  /// After dlopen failed: those imports of `file` that nothing in the process defines.
  std::vector<std::string> missing_symbols(const ModuleFile& file) const;

 private:
  std::string path_;
#ifndef __wasm__
  FileDescriptor descriptor_;  // of the file in memory
  ElfConstructors constructors_;
#endif
};

}  // namespace minitensor
