#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "minitensor/loader/module_file.h"

namespace minitensor {

/// Whether this host can give `file` what `import` asks for. For ELF the dynamic linker knows, so the answer there
/// is about symbols that are in the process already.
bool host_provides(const ModuleFile& file, const ModuleImport& import);

/// Throws kPlugin of phase "imports" that names every import the host does not have, with the likely cause; also for
/// what no plugin may need: shared memory, thread-local variables, other modules.
void require_importable(const ModuleFile& file, std::string_view origin, std::string_view plugin);

}  // namespace minitensor
