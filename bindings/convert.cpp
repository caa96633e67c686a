#include "bindings/convert.h"

#include <optional>

#include "minitensor/plugin/plugin_builder.h"

namespace minitensor::bindings {

namespace {

using emscripten::val;

std::optional<VersionInfo> version_from_javascript(const val& version) {
  if (version.isUndefined()) return std::nullopt;
  return VersionInfo{version["major"].as<std::uint32_t>(), version["minor"].as<std::uint32_t>(),
                     version["patch"].as<std::uint32_t>()};
}

val to_javascript(const AttributeValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return val(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return val(*text);
  if (const auto* boolean = std::get_if<bool>(&value)) return val(*boolean);
  val list = val::array();
  for (const std::int64_t integer : std::get<std::vector<std::int64_t>>(value)) {
    list.call<void>("push", static_cast<double>(integer));
  }
  return list;
}

std::string with_hint(const Error& error) {
  const std::string& hint = error.details().hint;
  return hint.empty() ? error.message() : error.message() + "; " + hint;
}

val to_javascript(const ModuleSizes& sizes) {
  val object = val::object();
  object.set("file", static_cast<double>(sizes.file));
  object.set("code", static_cast<double>(sizes.code));
  object.set("data", static_cast<double>(sizes.data));
  object.set("memory", static_cast<double>(sizes.memory));
  object.set("table", static_cast<double>(sizes.table));
  return object;
}

val to_javascript(const ModuleImport& import, const ImportVerdict& verdict) {
  val object = val::object();
  object.set("module", import.module);
  object.set("name", import.name);
  object.set("kind", std::string(symbol_kind_name(import.kind)));
  object.set("provided", verdict.is_provided);
  if (!verdict.demangled.empty()) object.set("demangled", verdict.demangled);
  if (!verdict.is_provided) object.set("cause", std::string(verdict.cause));
  return object;
}

AttributeValue attribute_value_from_javascript(AttributeType type, const val& value) {
  switch (type) {
    case AttributeType::kNumber:
    case AttributeType::kInteger:
      return value.as<double>();
    case AttributeType::kString:
    case AttributeType::kDType:
      return value.as<std::string>();
    case AttributeType::kBoolean:
      return value.as<bool>();
    case AttributeType::kIntegers:
      break;
  }
  std::vector<std::int64_t> integers;
  for (const double integer : emscripten::vecFromJSArray<double>(value)) {
    integers.push_back(static_cast<std::int64_t>(integer));
  }
  return integers;
}

template <typename T>
val list_of(const std::vector<T>& items) {
  val list = val::array();
  for (const T& item : items) list.call<void>("push", minitensor::bindings::to_javascript(item));
  return list;
}

}  // namespace

val to_javascript(const std::vector<std::string>& texts) {
  val list = val::array();
  for (const std::string& text : texts) list.call<void>("push", text);
  return list;
}

val to_javascript(const VersionInfo& version) {
  val object = val::object();
  object.set("major", version.major);
  object.set("minor", version.minor);
  object.set("patch", version.patch);
  return object;
}

val to_javascript(const PluginInfo& info) {
  val object = val::object();
  object.set("name", info.name);
  object.set("version", to_javascript(info.version));
  object.set("description", info.description);
  object.set("author", info.author);
  object.set("minMinitensorVersion", to_javascript(info.min_minitensor_version));
  if (info.max_minitensor_version) object.set("maxMinitensorVersion", to_javascript(*info.max_minitensor_version));
  return object;
}

val to_javascript(const std::vector<PluginInfo>& infos) { return list_of(infos); }

val to_javascript(const LoadedPluginInfo& info) {
  val object = to_javascript(static_cast<const PluginInfo&>(info));
  object.set("origin", info.origin);
  object.set("ops", to_javascript(info.ops));
  object.set("layerTypes", to_javascript(info.layer_types));
  object.set("fault", info.fault);
  return object;
}

val to_javascript(const std::vector<LoadedPluginInfo>& infos) { return list_of(infos); }

val to_javascript(const std::vector<AttributeSpec>& specs) { return list_of(specs); }

val to_javascript(const AttributeSpec& spec) {
  val object = val::object();
  object.set("name", spec.name);
  object.set("type", std::string(attribute_type_name(spec.type)));
  if (spec.default_value) object.set("default", to_javascript(*spec.default_value));
  if (spec.is_optional) object.set("optional", true);
  return object;
}

val to_javascript(const PluginInspection& inspection) {
  const ModuleFile& file = inspection.file;
  val object = val::object();
  object.set("format", std::string(file.format == ModuleFormat::kWasm ? "wasm" : "elf"));
  object.set("info", to_javascript(inspection.metadata.info));
  object.set("abiVersion", inspection.metadata.abi_version);
  object.set("features", to_javascript(inspection.metadata.features));
  object.set("ops", to_javascript(inspection.metadata.ops));
  object.set("layers", to_javascript(inspection.metadata.layers));
  object.set("sizes", to_javascript(file.sizes));
  val imports = val::array();
  for (std::size_t i = 0; i < file.imports.size(); ++i) {
    imports.call<void>("push", to_javascript(file.imports[i], inspection.imports[i]));
  }
  object.set("imports", imports);
  val exports = val::array();
  for (const ModuleExport& entry : file.exports) {
    val item = val::object();
    item.set("name", entry.name);
    item.set("kind", std::string(symbol_kind_name(entry.kind)));
    exports.call<void>("push", item);
  }
  object.set("exports", exports);
  object.set("missingImports", to_javascript(inspection.missing_imports));
  object.set("loadable", inspection.is_loadable());
  std::vector<std::string> problems;
  if (inspection.format_problem) problems.push_back(with_hint(*inspection.format_problem));
  for (const Error& problem : inspection.problems) problems.push_back(with_hint(problem));
  object.set("problems", to_javascript(problems));
  return object;
}

PluginInfo plugin_info_from_javascript(const val& fields) {
  PluginBuilder builder;
  const auto has = [&](const char* field) { return !fields[field].isUndefined(); };
  if (has("name")) builder.name(fields["name"].as<std::string>());
  if (has("description")) builder.description(fields["description"].as<std::string>());
  if (has("author")) builder.author(fields["author"].as<std::string>());
  if (const auto version = version_from_javascript(fields["version"])) builder.version(*version);
  if (const auto version = version_from_javascript(fields["minMinitensorVersion"])) {
    builder.min_minitensor_version(*version);
  }
  if (const auto version = version_from_javascript(fields["maxMinitensorVersion"])) {
    builder.max_minitensor_version(*version);
  }
  return builder.build_info();
}

std::vector<AttributeSpec> attribute_specs_from_javascript(const val& specs) {
  std::vector<AttributeSpec> result;
  for (const val& spec : emscripten::vecFromJSArray<val>(specs)) {
    AttributeSpec& added = result.emplace_back();
    added.name = spec["name"].as<std::string>();
    added.type = attribute_type_from_name(spec["type"].as<std::string>());
    const val default_value = spec["default"];
    if (!default_value.isUndefined()) {
      added.default_value = attribute_value_from_javascript(added.type, default_value);
    }
  }
  return result;
}

}  // namespace minitensor::bindings
