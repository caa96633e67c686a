#include "minitensor/plugin/custom_plugin.h"

namespace minitensor {

// Each calls a copy, because a callback may set another in its place.

void CustomPlugin::initialize(PluginRegistry& registry) {
  if (const LifecycleFn function = initialize_) function(registry);
}

void CustomPlugin::cleanup(PluginRegistry& registry) {
  if (const LifecycleFn function = cleanup_) function(registry);
}

std::vector<std::shared_ptr<const Op>> CustomPlugin::custom_operations() {
  const CustomOperationsFn function = custom_operations_;
  return function ? function() : std::vector<std::shared_ptr<const Op>>();
}

}  // namespace minitensor
