// The program minitensor-inspect: what a plugin's file says of itself, and whether this version of MiniTensor would
// load it. The SDK of the native install checks with it what it has built, .so and .wasm alike. Nothing of the file
// runs.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/inspect_plugin.h"

namespace {

using minitensor::Error;
using minitensor::ErrorCode;
using minitensor::ModuleExport;
using minitensor::ModuleFormat;
using minitensor::PluginInspection;
using minitensor::SymbolKind;

constexpr std::string_view kUsage =
    "minitensor-inspect [--check] FILE...\n"
    "\n"
    "Says what the files, plugins of MiniTensor (.wasm or .so), say of themselves. Nothing of them runs.\n"
    "Ends with 1 when this version of MiniTensor would not load one of them, and says why on stderr.\n"
    "--check prints nothing for those that it would load.\n";

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream) return content;
  throw Error(ErrorCode::kPlugin, "plugin file " + path + " cannot be read",
              {.phase = "read", .plugin = {}, .symbols = {}, .hint = "check the path"});
}

// Beyond what require_loadable checks: the loader finds this when it links the file.
void require_entry_point(const PluginInspection& inspection, std::string_view path) {
  const std::vector<ModuleExport>& exports = inspection.file.exports;
  const bool found = std::any_of(exports.begin(), exports.end(), [](const ModuleExport& entry) {
    return entry.name == "create_plugin" && entry.kind == SymbolKind::kFunction;
  });
  if (found) return;
  throw Error(ErrorCode::kPlugin, "plugin file " + std::string(path) + " does not export create_plugin",
              {.phase = "create",
               .plugin = inspection.metadata.info.name,
               .symbols = {},
               .hint = "define create_plugin as plugin_api.h declares it; in C++, by MINITENSOR_PLUGIN"});
}

PluginInspection inspect(const std::string& path) {
  const std::string content = read_file(path);
  PluginInspection inspection = minitensor::inspect_plugin(std::as_bytes(std::span(content)), path);
  require_entry_point(inspection, path);
  minitensor::require_loadable(inspection, path);
  return inspection;
}

std::string list(const std::vector<std::string>& names) {
  return names.empty() ? "none" : minitensor::join(names, ", ");
}

std::string report(const PluginInspection& inspection, const std::string& path) {
  const minitensor::PluginInfo& info = inspection.metadata.info;
  std::vector<std::string> imports;
  for (const minitensor::ModuleImport& import : inspection.file.imports) imports.push_back(import.name);
  std::string needs = "MiniTensor " + to_string(info.min_minitensor_version) + " or newer";
  if (info.max_minitensor_version) needs += ", at most " + to_string(*info.max_minitensor_version);
  const char* format = inspection.file.format == ModuleFormat::kWasm ? "WebAssembly" : "ELF";
  return path + "\n  " + info.name + " " + to_string(info.version) + ": " + info.description + "\n  author    " +
         info.author + "\n  needs     " + needs + "\n  format    " + format + ", plugin ABI " +
         std::to_string(inspection.metadata.abi_version) + "\n  features  " + list(inspection.metadata.features) +
         "\n  ops       " + list(inspection.metadata.ops) + "\n  layers    " + list(inspection.metadata.layers) +
         "\n  imports   " + list(imports) + "\n";
}

// Whether MiniTensor would load the file.
bool run(const std::string& path, bool is_check) {
  try {
    const PluginInspection inspection = inspect(path);
    if (!is_check) print(stdout, report(inspection, path));
    return true;
  } catch (const Error& error) {
    const std::string& hint = error.details().hint;
    print(stderr, "MiniTensor would not load " + path + ":\n  " + error.message() + "\n" +
                      (hint.empty() ? "" : "  What to do: " + hint + "\n"));
    return false;
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> paths(arguments + 1, arguments + count);
  const bool is_help = paths.size() == 1 && paths[0] == "--help";
  const bool is_check = !paths.empty() && paths[0] == "--check";
  if (is_check) paths.erase(paths.begin());
  if (paths.empty() || is_help) {
    print(is_help ? stdout : stderr, kUsage);
    return is_help ? 0 : 2;
  }
  const auto failed = std::count_if(paths.begin(), paths.end(), [&](const auto& path) { return !run(path, is_check); });
  return failed == 0 ? 0 : 1;
}
