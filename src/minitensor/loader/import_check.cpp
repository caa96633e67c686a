#include "minitensor/loader/import_check.h"

#include <algorithm>
#include <array>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/host_symbols.h"

namespace minitensor {

namespace {

struct BaseImport {
  std::string_view name;
  SymbolKind kind;
};

// What every side module may ask for, whatever it does.
constexpr std::array kBaseImports = {
    BaseImport{"memory", SymbolKind::kMemory},          BaseImport{"__indirect_function_table", SymbolKind::kTable},
    BaseImport{"__memory_base", SymbolKind::kGlobal},   BaseImport{"__table_base", SymbolKind::kGlobal},
    BaseImport{"__stack_pointer", SymbolKind::kGlobal}, BaseImport{"__cpp_exception", SymbolKind::kTag},
};

struct Cause {
  std::string_view prefix;
  std::string_view hint;
};

constexpr std::array kCauses = {
    Cause{"invoke_", "it was built with JavaScript exceptions: build with EXCEPTIONS (-fwasm-exceptions)"},
    Cause{"__cxa_find_matching_catch", "it was built with JavaScript exceptions: build with EXCEPTIONS"},
    Cause{"emscripten_asm_const", "EM_ASM needs JavaScript of its own, which a plugin cannot bring"},
    Cause{"_embind_", "embind needs JavaScript of its own, which a plugin cannot bring"},
    Cause{"emscripten_", "it uses an Emscripten function that is not part of the plugin interface"},
    Cause{"_Z", "it uses C++ library code that was not linked in: build it with minitensor_add_plugin"},
    Cause{"__cxa_", "it uses C++ library code that was not linked in: build it with minitensor_add_plugin"},
    Cause{"fd_", "plugins have no files and no output: remove printf and the like, or use host->log"},
};

constexpr std::string_view kDefaultHint =
    "define the missing functions in the plugin, or get what they do from the host's table";

std::string_view hint_for(const std::vector<std::string>& missing) {
  for (const Cause& cause : kCauses) {
    const bool applies = std::any_of(missing.begin(), missing.end(),
                                     [&](const std::string& name) { return name.starts_with(cause.prefix); });
    if (applies) return cause.hint;
  }
  return kDefaultHint;
}

bool exports(const ModuleFile& file, std::string_view name) {
  return std::any_of(file.exports.begin(), file.exports.end(),
                     [&](const ModuleExport& entry) { return entry.name == name; });
}

[[noreturn]] void fail(std::string_view origin, std::string_view plugin, const std::string& what,
                       std::vector<std::string> symbols, std::string_view hint) {
  throw Error(
      ErrorCode::kPlugin, "load_plugin: plugin " + quote(plugin) + " (" + std::string(origin) + ") " + what,
      {.phase = "imports", .plugin = std::string(plugin), .symbols = std::move(symbols), .hint = std::string(hint)});
}

}  // namespace

bool host_provides(const ModuleFile& file, const ModuleImport& import) {
  // An ELF library's symbols are resolved by the system's dynamic linker, which fails before any code runs.
  if (file.format == ModuleFormat::kElf) return true;
  // Through the global offset table a plugin may reach its own symbols and nobody else's.
  if (import.module == "GOT.mem" || import.module == "GOT.func") return exports(file, import.name);
  if (import.module != "env") return false;
  const bool is_base = std::any_of(kBaseImports.begin(), kBaseImports.end(), [&](const BaseImport& base) {
    return base.name == import.name && base.kind == import.kind;
  });
  if (is_base) return true;
  return import.kind == SymbolKind::kFunction &&
         std::find(kHostFunctions.begin(), kHostFunctions.end(), import.name) != kHostFunctions.end();
}

void require_importable(const ModuleFile& file, std::string_view origin, std::string_view plugin) {
  std::vector<std::string> missing;
  for (const ModuleImport& import : file.imports) {
    if (import.shared_memory) {
      fail(origin, plugin, "was built for threads (it imports a shared memory), which this build does not have",
           {import.name}, "build it without -pthread");
    }
    if (!host_provides(file, import)) missing.push_back(import.name);
  }
  if (!missing.empty()) {
    const std::string what = missing.size() == 1 ? "imports a symbol" : "imports symbols";
    const std::string_view hint = hint_for(missing);
    fail(origin, plugin, what + " that the host does not have: " + join(missing, ", "), missing, hint);
  }
  if (!file.dylink) return;
  if (!file.dylink->tls_exports.empty()) {
    fail(origin, plugin, "has thread-local variables: " + join(file.dylink->tls_exports, ", "),
         file.dylink->tls_exports, "plugins run on one thread: use plain static variables");
  }
  if (!file.dylink->needed.empty()) {
    fail(origin, plugin, "needs other modules: " + join(file.dylink->needed, ", "), file.dylink->needed,
         "link everything into one file");
  }
}

}  // namespace minitensor
