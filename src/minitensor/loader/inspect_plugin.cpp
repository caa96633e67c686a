#include "minitensor/loader/inspect_plugin.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/host_platform.h"

namespace minitensor {

namespace {

// What engines give a table at most, by the JavaScript API's limits.
constexpr std::uint64_t kMaxTable = 10'000'000;

[[noreturn]] void fail(std::string_view origin, const std::string& what, ErrorDetails details) {
  throw Error(ErrorCode::kPlugin, "plugin file " + std::string(origin) + " " + what, std::move(details));
}

[[noreturn]] void fail_read(std::string_view origin, const std::string& what, std::string hint) {
  fail(origin, what, {.phase = "read", .plugin = {}, .symbols = {}, .hint = std::move(hint)});
}

void require_side_module(const ModuleFile& file, std::string_view origin) {
  if (file.format != ModuleFormat::kWasm) return;
  if (file.is_core) fail_read(origin, "is MiniTensor's own core, not a plugin", "give the plugin's .wasm file");
  if (!file.dylink) {
    fail_read(origin, "is a WebAssembly module, but not a side module (it has no section \"dylink.0\")",
              "build it with minitensor_add_plugin, or emcc -sSIDE_MODULE=2");
  }
  if (file.data_extent.is_elsewhere || file.table_extent.is_elsewhere) {
    fail_read(origin, "is a WebAssembly module with places of its own in memory, as a program has, not a side module",
              "build it with minitensor_add_plugin, or emcc -sSIDE_MODULE=2");
  }
}

// A file that takes more than it says would overwrite what is not its own.
void require_honest_sizes(const ModuleFile& file, std::string_view origin) {
  if (!file.dylink) return;
  const auto require = [&](std::uint64_t taken, std::uint32_t stated, const std::string& unit) {
    if (taken <= stated) return;
    fail_read(origin,
              "is a damaged WebAssembly module: its segments reach to " + unit + " " + std::to_string(taken) +
                  ", and its section \"dylink.0\" says that it has " + std::to_string(stated),
              "build it with minitensor_add_plugin");
  };
  require(file.data_extent.end, file.dylink->memory_size, "byte");
  require(file.table_extent.end, file.dylink->table_size, "table slot");
}

std::string machine_name(std::uint16_t machine) {
  constexpr std::array kNames = {std::pair{3, "x86"}, std::pair{40, "ARM"}, std::pair{62, "x86-64"},
                                 std::pair{183, "AArch64"}, std::pair{243, "RISC-V"}};
  for (const auto& [number, name] : kNames) {
    if (number == machine) return name;
  }
  return "number " + std::to_string(machine);
}

// What `check` throws.
template <typename Check>
std::optional<Error> problem_of(Check check) {
  try {
    check();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

void require_known_features(const PluginMetadata& metadata, std::string_view origin) {
  if (metadata.features.empty()) return;  // none exist in this version
  fail(origin, "needs features that this host does not have: " + join(metadata.features, ", "),
       {.phase = "version",
        .plugin = metadata.info.name,
        .symbols = metadata.features,
        .hint = "use a newer version of MiniTensor"});
}

void require_create_plugin(const PluginInspection& inspection, std::string_view origin) {
  const std::vector<ModuleExport>& exports = inspection.file.exports;
  const auto found = std::find_if(exports.begin(), exports.end(),
                                  [](const ModuleExport& entry) { return entry.name == "create_plugin"; });
  if (found != exports.end() && found->kind == SymbolKind::kFunction) return;
  fail(origin,
       found == exports.end() ? "does not export create_plugin" : "exports create_plugin, but it is no function",
       {.phase = "create",
        .plugin = inspection.metadata.info.name,
        .symbols = {"create_plugin"},
        .hint = "define create_plugin as plugin_api.h declares it, and build with minitensor_add_plugin"});
}

void require_possible_sizes(const PluginInspection& inspection, std::string_view origin) {
  const ModuleSizes& sizes = inspection.file.sizes;
  const auto require = [&](std::uint64_t wanted, std::uint64_t limit, const std::string& unit) {
    if (wanted <= limit) return;
    fail(origin, "asks for " + std::to_string(wanted) + " " + unit + ", the most is " + std::to_string(limit),
         {.phase = "imports",
          .plugin = inspection.metadata.info.name,
          .symbols = {},
          .hint = "the file is damaged, or its variables are too large: allocate memory when it is needed"});
  };
  require(sizes.memory, memory_limit(), "bytes of memory");
  require(sizes.table, kMaxTable, "slots of the function table");
}

std::vector<std::string> find_missing(const PluginInspection& inspection) {
  std::vector<std::string> missing;
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < inspection.imports.size(); ++i) {
    const std::string& name = inspection.file.imports[i].name;
    if (!inspection.imports[i].is_provided && seen.insert(name).second) missing.push_back(name);
  }
  return missing;
}

// In the order in which loading asks.
std::vector<Error> find_problems(const PluginInspection& inspection, std::string_view origin) {
  const ModuleFile& file = inspection.file;
  const PluginMetadata& metadata = inspection.metadata;
  std::vector<Error> problems;
  const auto add = [&](auto check) {
    if (std::optional<Error> problem = problem_of(check)) problems.push_back(*problem);
  };
  add([&] { require_known_abi(metadata, origin); });
  add([&] { require_accepted_version(metadata.info, VersionInfo::current(), origin); });
  add([&] { require_known_features(metadata, origin); });
  add([&] { require_create_plugin(inspection, origin); });
  // Of an ELF library, only its own platform's linker knows.
  const bool is_judged = file.format == ModuleFormat::kWasm || loadable_format() == ModuleFormat::kElf;
  if (is_judged) {
    const std::vector<Error> found = find_import_problems(file, inspection.imports, origin, metadata.info.name);
    problems.insert(problems.end(), found.begin(), found.end());
  }
  add([&] { require_possible_sizes(inspection, origin); });
  return problems;
}

}  // namespace

PluginInspection inspect_plugin(std::span<const std::byte> bytes, std::string_view origin) {
  return inspect_module(read_module_file(bytes, origin), origin);
}

PluginInspection inspect_module(ModuleFile file, std::string_view origin) {
  PluginInspection inspection;
  inspection.file = std::move(file);
  const ModuleFile& read = inspection.file;
  require_side_module(read, origin);
  require_honest_sizes(read, origin);
  if (!read.metadata) {
    fail(origin, "has no MiniTensor metadata (no section \"minitensor.plugin\")",
         {.phase = "metadata",
          .plugin = {},
          .symbols = {},
          .hint = "describe the plugin with MT_PLUGIN_METADATA from minitensor/sdk/plugin_api.h"});
  }
  inspection.metadata = parse_plugin_metadata(*read.metadata, origin);
  inspection.imports = judge_imports(read);
  inspection.missing_imports = find_missing(inspection);
  inspection.format_problem = problem_of([&] { require_loadable_format(read, origin); });
  inspection.problems = find_problems(inspection, origin);
  return inspection;
}

PluginInspection check_plugin(std::span<const std::byte> bytes, std::string_view origin) {
  ModuleFile file = read_module_file(bytes, origin);
  require_loadable_format(file, origin);
  PluginInspection inspection = inspect_module(std::move(file), origin);
  require_loadable(inspection);
  return inspection;
}

void require_loadable_format(const ModuleFile& file, std::string_view origin) {
  const std::optional<ModuleFormat> loadable = loadable_format();
  const std::string hint = "minitensor_add_plugin builds the same sources for both platforms";
  if (!loadable) {
    fail_read(origin, "cannot be loaded: this build has no dynamic loading (MINITENSOR_DYNAMIC_LOADING=OFF)",
              "use the build with dynamic loading");
  }
  if (file.format != *loadable) {
    if (file.format == ModuleFormat::kElf) {
      fail_read(origin, "is an ELF shared library; this WebAssembly build loads .wasm plugins", hint);
    }
    fail_read(origin, "is a WebAssembly module; this native build loads .so plugins", hint);
  }
  if (file.format == ModuleFormat::kElf && elf_machine() != 0 && file.machine != elf_machine()) {
    fail_read(origin,
              "is a library for " + machine_name(file.machine) + " processors; this is " + machine_name(elf_machine()),
              "build the plugin on this platform");
  }
}

void require_loadable(const PluginInspection& inspection) {
  if (!inspection.problems.empty()) throw Error(inspection.problems.front());
}

}  // namespace minitensor
