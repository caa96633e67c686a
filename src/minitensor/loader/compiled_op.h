#pragma once

#include <memory>

#include "minitensor/loader/loaded_module.h"
#include "minitensor/ops/op.h"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

/// An op whose functions are the plugin's. It keeps the module loaded. Throws kPlugin, naming the op and the field,
/// when the description is not complete or not valid.
std::shared_ptr<const Op> make_compiled_op(std::shared_ptr<LoadedModule> module, const mt_op* description);

}  // namespace minitensor
