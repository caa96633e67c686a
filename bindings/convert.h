#pragma once

#include <vector>

#include "bindings/wire.h"
#include "minitensor/loader/inspect_plugin.h"
#include "minitensor/loader/plugin_loader.h"
#include "minitensor/ops/attributes.h"
#include "minitensor/plugin/plugin_info.h"

namespace minitensor::bindings {

// Between C++ and the plain objects that js/ works with. None of these is on the way of an op's execution.

void write(WireWriter& out, const PluginInfo& info);
/// The fields of a PluginInfo, and { origin, ops, layerTypes, fault }.
void write(WireWriter& out, const LoadedPluginInfo& info);
void write(WireWriter& out, const std::vector<AttributeSpec>& specs);
void write(WireWriter& out, const PluginInspection& inspection);

/// From name, version, description, author, and the versions of MiniTensor from and up to which it works, one after the
/// other; one that is missing is undefined. A version is a list of three numbers. Throws kValue as PluginBuilder does.
PluginInfo read_plugin_info(WireReader& in);
/// From a list of lists of name, type, and default or undefined. Throws kValue for an unknown type.
std::vector<AttributeSpec> read_attribute_specs(WireReader& in);

}  // namespace minitensor::bindings
