#include "minitensor/loader/inspect_plugin.h"

#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/import_check.h"

namespace minitensor {

namespace {

#ifdef __wasm__
constexpr ModuleFormat kLoadableFormat = ModuleFormat::kWasm;
#else
constexpr ModuleFormat kLoadableFormat = ModuleFormat::kElf;
#endif

[[noreturn]] void fail(std::string_view origin, const std::string& what, ErrorDetails details) {
  throw Error(ErrorCode::kPlugin, "plugin file " + std::string(origin) + " " + what, std::move(details));
}

void require_side_module(const ModuleFile& file, std::string_view origin) {
  if (file.format != ModuleFormat::kWasm || file.dylink) return;
  fail(origin, "is a WebAssembly module, but not a side module (it has no section \"dylink.0\")",
       {.phase = "read",
        .plugin = {},
        .symbols = {},
        .hint = "build it with minitensor_add_plugin, or emcc -sSIDE_MODULE=2"});
}

}  // namespace

PluginInspection inspect_plugin(std::span<const std::byte> bytes, std::string_view origin) {
  return inspect_module(read_module_file(bytes, origin), origin);
}

PluginInspection inspect_module(ModuleFile file, std::string_view origin) {
  PluginInspection inspection{std::move(file), {}, {}};
  const ModuleFile& read = inspection.file;
  require_side_module(read, origin);
  if (!read.metadata) {
    fail(origin, "has no MiniTensor metadata (no section \"minitensor.plugin\")",
         {.phase = "metadata",
          .plugin = {},
          .symbols = {},
          .hint = "describe the plugin with MT_PLUGIN_METADATA from minitensor/sdk/plugin_api.h"});
  }
  inspection.metadata = parse_plugin_metadata(*read.metadata, origin);
  for (const ModuleImport& import : read.imports) {
    if (!host_provides(read, import)) inspection.missing_imports.push_back(import.name);
  }
  return inspection;
}

void require_loadable_format(const ModuleFile& file, std::string_view origin) {
  if (file.format == kLoadableFormat) return;
  const ErrorDetails details{.phase = "read",
                             .plugin = {},
                             .symbols = {},
                             .hint = "minitensor_add_plugin builds the same sources for both platforms"};
  if (file.format == ModuleFormat::kElf) {
    fail(origin, "is an ELF shared library; this WebAssembly build loads .wasm plugins", details);
  }
  fail(origin, "is a WebAssembly module; this native build loads .so plugins", details);
}

void require_loadable(const PluginInspection& inspection, std::string_view origin) {
  require_accepted_version(inspection.metadata.info, VersionInfo::current());
  const std::string& plugin = inspection.metadata.info.name;
  if (!inspection.metadata.features.empty()) {  // none exist in this version
    fail(origin, "needs features that this host does not have: " + join(inspection.metadata.features, ", "),
         {.phase = "version",
          .plugin = plugin,
          .symbols = inspection.metadata.features,
          .hint = "use a newer version of MiniTensor"});
  }
  require_importable(inspection.file, origin, plugin);
}

}  // namespace minitensor
