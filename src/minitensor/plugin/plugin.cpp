#include "minitensor/plugin/plugin.h"

namespace minitensor {

void Plugin::initialize(PluginRegistry&) {}

void Plugin::cleanup(PluginRegistry&) {}

std::vector<std::shared_ptr<const Op>> Plugin::custom_operations() { return {}; }

std::vector<std::shared_ptr<const LayerType>> Plugin::custom_layers() { return {}; }

}  // namespace minitensor
