#pragma once

#include <emscripten/val.h>

#include <string>
#include <vector>

#include "minitensor/loader/inspect_plugin.h"
#include "minitensor/loader/plugin_loader.h"
#include "minitensor/ops/attributes.h"
#include "minitensor/plugin/plugin_info.h"

namespace minitensor::bindings {

// Between C++ and the plain objects that js/ works with. None of these is on the way of an op's execution.

emscripten::val to_javascript(const std::vector<std::string>& texts);
emscripten::val to_javascript(const VersionInfo& version);
emscripten::val to_javascript(const PluginInfo& info);
emscripten::val to_javascript(const std::vector<PluginInfo>& infos);
/// The fields of a PluginInfo, and { origin, ops, layerTypes, fault }.
emscripten::val to_javascript(const LoadedPluginInfo& info);
emscripten::val to_javascript(const std::vector<LoadedPluginInfo>& infos);
emscripten::val to_javascript(const std::vector<AttributeSpec>& specs);
emscripten::val to_javascript(const AttributeSpec& spec);
emscripten::val to_javascript(const PluginInspection& inspection);

/// { name, version, … }: a field that is undefined is missing. Throws kValue as PluginBuilder does.
PluginInfo plugin_info_from_javascript(const emscripten::val& fields);
/// [{ name, type, default? }]. Throws kValue for an unknown type.
std::vector<AttributeSpec> attribute_specs_from_javascript(const emscripten::val& specs);

}  // namespace minitensor::bindings
