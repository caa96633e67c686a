// A program of its own, beside the core: what reads plugins' files. It is fetched once a file is to be read, and has a
// memory of its own, so that a page without compiled plugins is spared of it, and a file cannot do anything to the
// core.

#include "bindings/calls.h"
#include "bindings/convert.h"
#include "minitensor/loader/inspect_plugin.h"

namespace minitensor::bindings {

namespace {

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

// (address, size, origin)
struct GivenFile {
  explicit GivenFile(WireReader& in) {
    const auto* address = reinterpret_cast<const std::byte*>(static_cast<std::size_t>(in.number()));
    bytes = {address, static_cast<std::size_t>(in.number())};
    origin = in.text();
  }
  std::span<const std::byte> bytes;
  std::string origin;
};

/// What the file says of itself, whether or not the core would load it.
void inspect_file(WireReader& in, WireWriter& out) {
  const GivenFile file(in);
  write(out, inspect_plugin(file.bytes, file.origin));
}

/// The same, after every check that does not depend on what is loaded already.
void check_file(WireReader& in, WireWriter& out) {
  const GivenFile file(in);
  write(out, check_plugin(file.bytes, file.origin));
}

constexpr Call kCalls[] = {{"inspectFile", inspect_file}, {"checkFile", check_file}};

}  // namespace

std::span<const std::span<const Call>> all_calls() {
  static const std::span<const Call> tables[] = {kCalls};
  return tables;
}

}  // namespace minitensor::bindings
