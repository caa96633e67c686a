#pragma once

#include <string_view>
#include <unordered_set>

#include "minitensor/loader/module_file.h"

namespace minitensor {

using NameSet = std::unordered_set<std::string_view>;

/// Why a WebAssembly plugin probably has this import, which the host does not have, and what to do about it.
/// `exports` and `imports`: what the file exports, and all that it imports.
std::string_view likely_cause(const ModuleImport& import, const NameSet& exports, const NameSet& imports);

}  // namespace minitensor
