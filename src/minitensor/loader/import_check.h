#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/loader/module_file.h"

namespace minitensor {

/// What becomes of one import.
struct ImportVerdict {
  bool is_provided = false;
  std::string demangled;   ///< of a mangled C++ name: what it is the name of; otherwise empty
  std::string_view cause;  ///< why a plugin has such an import, and what to do about it; empty when it is provided
};

/// The verdicts on all imports of `file`, in their order. Of a .wasm file: whether a WebAssembly build of this version
/// has it. Of an ELF library: what find_in_process says.
std::vector<ImportVerdict> judge_imports(const ModuleFile& file);

/// One kPlugin error of phase "imports" for each reason why no host takes this file: shared or 64-bit memory, imports
/// that the host does not have (all in one error, with their likely causes), Asyncify, thread-local variables, other
/// modules that it needs.
std::vector<Error> find_import_problems(const ModuleFile& file, const std::vector<ImportVerdict>& verdicts,
                                        std::string_view origin, std::string_view plugin);

}  // namespace minitensor
