#pragma once

#include <memory>

#include "minitensor/loader/loaded_module.h"
#include "minitensor/nn/layer_registry.h"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

/// A layer type whose functions are the plugin's. It and its layers keep the module loaded. Throws kPlugin, naming the
/// type and the field, when the description is not complete or not valid.
std::shared_ptr<const LayerType> make_compiled_layer_type(std::shared_ptr<LoadedModule> module,
                                                          const mt_layer_type* description);

}  // namespace minitensor
