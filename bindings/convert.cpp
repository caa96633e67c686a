#include "bindings/convert.h"

#include <optional>

#include "bindings/attribute_codec.h"
#include "minitensor/plugin/plugin_builder.h"

namespace minitensor::bindings {

namespace {

VersionInfo read_version(WireReader& in) {
  VersionInfo version{};
  in.list();
  version.major = in.handle();
  version.minor = in.handle();
  version.patch = in.handle();
  in.more();
  return version;
}

void write(WireWriter& out, const VersionInfo& version) {
  out.object();
  out.field("major").number(version.major);
  out.field("minor").number(version.minor);
  out.field("patch").number(version.patch);
  out.end();
}

void write_fields(WireWriter& out, const PluginInfo& info) {
  out.field("name").text(info.name);
  write(out.field("version"), info.version);
  out.field("description").text(info.description);
  out.field("author").text(info.author);
  write(out.field("minMinitensorVersion"), info.min_minitensor_version);
  if (info.max_minitensor_version) write(out.field("maxMinitensorVersion"), *info.max_minitensor_version);
}

std::string with_hint(const Error& error) {
  const std::string& hint = error.details().hint;
  return hint.empty() ? error.message() : error.message() + "; " + hint;
}

void write(WireWriter& out, const ModuleSizes& sizes) {
  out.object();
  out.field("file").number(static_cast<double>(sizes.file));
  out.field("code").number(static_cast<double>(sizes.code));
  out.field("data").number(static_cast<double>(sizes.data));
  out.field("memory").number(static_cast<double>(sizes.memory));
  out.field("table").number(static_cast<double>(sizes.table));
  out.end();
}

void write(WireWriter& out, const ModuleImport& import, const ImportVerdict& verdict) {
  out.object();
  out.field("module").text(import.module);
  out.field("name").text(import.name);
  out.field("kind").text(symbol_kind_name(import.kind));
  out.field("provided").boolean(verdict.is_provided);
  if (!verdict.demangled.empty()) out.field("demangled").text(verdict.demangled);
  if (!verdict.is_provided) out.field("cause").text(verdict.cause);
  out.end();
}

void write(WireWriter& out, const AttributeSpec& spec) {
  out.object();
  out.field("name").text(spec.name);
  out.field("type").text(attribute_type_name(spec.type));
  if (spec.default_value) write(out.field("default"), *spec.default_value);
  if (spec.is_optional) out.field("optional").boolean(true);
  out.end();
}

}  // namespace

void write(WireWriter& out, const PluginInfo& info) {
  out.object();
  write_fields(out, info);
  out.end();
}

void write(WireWriter& out, const LoadedPluginInfo& info) {
  out.object();
  write_fields(out, info);
  out.field("origin").text(info.origin);
  out.field("ops").texts(info.ops);
  out.field("layerTypes").texts(info.layer_types);
  out.field("fault").text(info.fault);
  out.end();
}

void write(WireWriter& out, const std::vector<AttributeSpec>& specs) {
  out.list();
  for (const AttributeSpec& spec : specs) write(out, spec);
  out.end();
}

void write(WireWriter& out, const PluginInspection& inspection) {
  const ModuleFile& file = inspection.file;
  out.object();
  out.field("format").text(file.format == ModuleFormat::kWasm ? "wasm" : "elf");
  write(out.field("info"), inspection.metadata.info);
  out.field("abiVersion").number(inspection.metadata.abi_version);
  out.field("features").texts(inspection.metadata.features);
  out.field("ops").texts(inspection.metadata.ops);
  out.field("layers").texts(inspection.metadata.layers);
  write(out.field("sizes"), file.sizes);
  out.field("imports").list();
  for (std::size_t i = 0; i < file.imports.size(); ++i) write(out, file.imports[i], inspection.imports[i]);
  out.end();
  out.field("exports").list();
  for (const ModuleExport& entry : file.exports) {
    out.object();
    out.field("name").text(entry.name);
    out.field("kind").text(symbol_kind_name(entry.kind));
    out.end();
  }
  out.end();
  out.field("missingImports").texts(inspection.missing_imports);
  out.field("loadable").boolean(inspection.is_loadable());
  out.field("problems").list();
  if (inspection.format_problem) out.text(with_hint(*inspection.format_problem));
  for (const Error& problem : inspection.problems) out.text(with_hint(problem));
  out.end();
  out.end();
}

PluginInfo read_plugin_info(WireReader& in) {
  PluginBuilder builder;
  if (!in.is_undefined()) builder.name(in.text());
  if (!in.is_undefined()) builder.version(read_version(in));
  if (!in.is_undefined()) builder.description(in.text());
  if (!in.is_undefined()) builder.author(in.text());
  if (!in.is_undefined()) builder.min_minitensor_version(read_version(in));
  if (!in.is_undefined()) builder.max_minitensor_version(read_version(in));
  return builder.build_info();
}

std::vector<AttributeSpec> read_attribute_specs(WireReader& in) {
  std::vector<AttributeSpec> specs;
  for (in.list(); in.more();) {
    AttributeSpec& added = specs.emplace_back();
    in.list();
    added.name = in.text();
    added.type = attribute_type_from_name(in.text());
    if (!in.is_undefined()) added.default_value = read_attribute_value(in);
    in.more();
  }
  return specs;
}

}  // namespace minitensor::bindings
