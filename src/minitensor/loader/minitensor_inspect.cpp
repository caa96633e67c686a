// The program minitensor-inspect: what a plugin's file says of itself, and whether this version of MiniTensor would
// load it. The SDK of the native install checks with it what it has built, .so and .wasm alike. Nothing of the file
// runs.

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/inspect_plugin.h"
#include "minitensor/loader/plugin_file.h"

namespace {

using minitensor::Error;
using minitensor::ModuleFormat;
using minitensor::PluginInspection;

constexpr std::string_view kUsage =
    "minitensor-inspect [--check | --check-built] FILE...\n"
    "\n"
    "Says what the files, plugins of MiniTensor (.wasm or .so), say of themselves. Nothing of them runs.\n"
    "Ends with 1 when this version of MiniTensor would not load one of them, and says why on stderr.\n"
    "--check prints nothing for those that it would load. --check-built removes the others besides, for builds.\n";

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

PluginInspection inspect(const std::string& path) {
  PluginInspection inspection = minitensor::inspect_plugin(minitensor::read_plugin_file(path), path);
  minitensor::require_loadable(inspection);
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
  const bool is_built = !paths.empty() && paths[0] == "--check-built";
  const bool is_check = is_built || (!paths.empty() && paths[0] == "--check");
  if (is_check) paths.erase(paths.begin());
  if (paths.empty() || is_help) {
    print(is_help ? stdout : stderr, kUsage);
    return is_help ? 0 : 2;
  }
  const auto failed = std::count_if(paths.begin(), paths.end(), [&](const auto& path) {
    if (run(path, is_check)) return false;
    // Not every build tool takes away what a step that failed has made.
    if (is_built) std::remove(path.c_str());
    return true;
  });
  return failed == 0 ? 0 : 1;
}
