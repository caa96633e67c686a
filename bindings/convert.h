#pragma once

#include "bindings/wire.h"
#include "minitensor/plugin/plugin_info.h"

namespace minitensor::bindings {

// Between C++ and the plain objects that js/ works with. None of these is on the way of an op's execution.

void write(WireWriter& out, const PluginInfo& info);
/// The same, within an object that was begun.
void write_fields(WireWriter& out, const PluginInfo& info);

/// From name, version, description, author, and the versions of MiniTensor from and up to which it works, one after the
/// other; one that is missing is undefined. A version is a list of three numbers. Throws kValue as PluginBuilder does.
PluginInfo read_plugin_info(WireReader& in);

}  // namespace minitensor::bindings
