#include "minitensor/loader/import_check.h"

#include <algorithm>
#include <array>
#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/demangle.h"
#include "minitensor/loader/host_platform.h"
#include "minitensor/loader/host_symbols.h"
#include "minitensor/loader/import_cause.h"

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

// Nobody reads more of them in a message; the error's list has all.
constexpr std::size_t kMostNames = 50;

// For ELF the system's linker decides, and in WebAssembly there is none.
constexpr std::string_view kNoSystemLinker = "the imports of an ELF library are resolved natively only";
constexpr std::string_view kUndefinedNatively =
    "define it in the plugin, or link the library that has it; what the engine does is in the host's table";

bool provides(const ModuleImport& import, const NameSet& exports) {
  // Through the global offset table a plugin may reach its own symbols and nobody else's.
  if (import.module == "GOT.mem" || import.module == "GOT.func") return exports.contains(import.name);
  if (import.module != "env" || import.memory64) return false;
  const bool is_base = std::any_of(kBaseImports.begin(), kBaseImports.end(), [&](const BaseImport& base) {
    return base.name == import.name && base.kind == import.kind;
  });
  if (is_base) return !import.shared_memory;
  return import.kind == SymbolKind::kFunction &&
         std::find(kHostFunctions.begin(), kHostFunctions.end(), import.name) != kHostFunctions.end();
}

template <class Entry>
NameSet names_of(const std::vector<Entry>& entries) {
  NameSet names;
  for (const Entry& entry : entries) names.insert(entry.name);
  return names;
}

// The distinct ones, in order of appearance.
void add_once(std::vector<std::string>& texts, std::string_view text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.emplace_back(text);
}

class ProblemFinder {
 public:
  ProblemFinder(const ModuleFile& file, std::string_view origin, std::string_view plugin)
      : file_(file), prefix_("plugin " + quote(plugin) + " (" + std::string(origin) + ") "), plugin_(plugin) {}

  std::vector<Error> find(const std::vector<ImportVerdict>& verdicts) {
    check_memory();
    check_missing(verdicts);
    check_asyncify();
    if (!file_.dylink) return std::move(problems_);
    if (!file_.dylink->tls_exports.empty()) {
      add("has thread-local variables: " + shown_list(file_.dylink->tls_exports), file_.dylink->tls_exports,
          "plugins run on one thread: use plain static variables, and build without -pthread");
    }
    if (!file_.needed.empty()) {
      add("needs other modules: " + shown_list(file_.needed), file_.needed, "link everything into one file");
    }
    return std::move(problems_);
  }

 private:
  void add(const std::string& what, std::vector<std::string> symbols, std::string hint) {
    problems_.emplace_back(
        ErrorCode::kPlugin, prefix_ + what,
        ErrorDetails{.phase = "imports", .plugin = plugin_, .symbols = std::move(symbols), .hint = std::move(hint)});
  }

  void check_memory() {
    const auto find = [&](bool ModuleImport::* flag) {
      return std::find_if(file_.imports.begin(), file_.imports.end(),
                          [&](const ModuleImport& import) { return import.*flag; });
    };
    const auto shared = find(&ModuleImport::shared_memory);
    if (shared != file_.imports.end()) {
      add("was built for threads (it imports a shared memory), which this build does not have", {shared->name},
          "build it without -pthread");
    }
    const auto wide = find(&ModuleImport::memory64);
    if (wide != file_.imports.end()) {
      add("was built for 64-bit memory (memory64), which this build does not have", {wide->name},
          "build it without -sMEMORY64 or -m64");
    }
  }

  void check_missing(const std::vector<ImportVerdict>& verdicts) {
    std::vector<std::string> missing;
    std::vector<std::string> names;
    std::vector<std::string> causes;
    NameSet seen;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const ModuleImport& import = file_.imports[i];
      const bool is_said_already = import.shared_memory || import.memory64;
      if (verdicts[i].is_provided || is_said_already || !seen.insert(import.name).second) continue;
      missing.push_back(import.name);
      add_once(causes, verdicts[i].cause);
      if (names.size() == kMostNames) continue;
      const std::string& demangled = verdicts[i].demangled;
      names.push_back(shown(import.name) + (demangled.empty() ? "" : " (" + shown(demangled) + ")"));
    }
    if (missing.empty()) return;
    std::string what = missing.size() == 1 ? "imports a symbol" : "imports symbols";
    what += " that the host does not have: " + join(names, ", ");
    if (missing.size() > names.size()) what += " and " + std::to_string(missing.size() - names.size()) + " more";
    add(what, std::move(missing), join(causes, "; "));
  }

  void check_asyncify() {
    const bool has_asyncify = std::any_of(file_.exports.begin(), file_.exports.end(), [](const ModuleExport& entry) {
      return entry.name == "asyncify_start_unwind";
    });
    if (!has_asyncify) return;
    add("was built with Asyncify, which a plugin cannot use", {"asyncify_start_unwind"}, "build it without -sASYNCIFY");
  }

  static std::string shown_list(const std::vector<std::string>& names) {
    std::vector<std::string> texts;
    for (const std::string& name : names) {
      if (texts.size() == kMostNames) break;
      texts.push_back(shown(name));
    }
    const std::size_t more = names.size() - texts.size();
    return join(texts, ", ") + (more == 0 ? "" : " and " + std::to_string(more) + " more");
  }

  const ModuleFile& file_;
  std::string prefix_;
  std::string plugin_;
  std::vector<Error> problems_;
};

}  // namespace

std::vector<ImportVerdict> judge_imports(const ModuleFile& file) {
  const bool is_elf = file.format == ModuleFormat::kElf;
  const NameSet exports = is_elf ? NameSet() : names_of(file.exports);
  const NameSet imports = is_elf ? NameSet() : names_of(file.imports);
  const std::vector<bool> in_process = is_elf ? find_in_process(file) : std::vector<bool>();
  const std::string_view elf_cause = loadable_format() == ModuleFormat::kElf ? kUndefinedNatively : kNoSystemLinker;
  std::vector<ImportVerdict> verdicts;
  for (std::size_t i = 0; i < file.imports.size(); ++i) {
    const ModuleImport& import = file.imports[i];
    ImportVerdict& verdict = verdicts.emplace_back();
    verdict.is_provided = is_elf ? in_process[i] : provides(import, exports);
    verdict.demangled = demangle(import.name);
    if (!verdict.is_provided) verdict.cause = is_elf ? elf_cause : likely_cause(import, exports, imports);
  }
  return verdicts;
}

std::vector<Error> find_import_problems(const ModuleFile& file, const std::vector<ImportVerdict>& verdicts,
                                        std::string_view origin, std::string_view plugin) {
  return ProblemFinder(file, origin, plugin).find(verdicts);
}

}  // namespace minitensor
