#include "minitensor/loader/import_check.h"

#include <gtest/gtest.h>

#include "loader/plugin_error.h"

namespace minitensor {
namespace {

using Strings = std::vector<std::string>;

ModuleImport function(std::string name, std::string module = "env") {
  return {std::move(module), std::move(name), SymbolKind::kFunction, false};
}

ModuleFile side_module(std::vector<ModuleImport> imports) {
  ModuleFile file;
  file.format = ModuleFormat::kWasm;
  file.imports = std::move(imports);
  file.dylink.emplace();
  return file;
}

bool provides(const ModuleImport& import) { return host_provides(side_module({}), import); }

std::string hint_of(std::string name) {
  return test::error_of([&] { require_importable(side_module({function(std::move(name))}), "x.wasm", "x"); })
      .details()
      .hint;
}

TEST(ImportCheck, TheBaseOfEverySideModuleIsProvided) {
  EXPECT_TRUE(provides({"env", "memory", SymbolKind::kMemory, false}));
  EXPECT_TRUE(provides({"env", "__indirect_function_table", SymbolKind::kTable, false}));
  EXPECT_TRUE(provides({"env", "__memory_base", SymbolKind::kGlobal, false}));
  EXPECT_TRUE(provides({"env", "__table_base", SymbolKind::kGlobal, false}));
  EXPECT_TRUE(provides({"env", "__stack_pointer", SymbolKind::kGlobal, false}));
  EXPECT_TRUE(provides({"env", "__cpp_exception", SymbolKind::kTag, false}));
}

TEST(ImportCheck, ABaseNameOfAnotherKindIsNot) {
  for (const char* name :
       {"memory", "__indirect_function_table", "__memory_base", "__table_base", "__stack_pointer", "__cpp_exception"}) {
    EXPECT_FALSE(provides(function(name))) << name;
    EXPECT_FALSE(provides({"env", name, SymbolKind::kUnknown, false})) << name;
  }
  EXPECT_FALSE(provides({"env", "memory", SymbolKind::kGlobal, false}));
  EXPECT_FALSE(provides({"env", "malloc", SymbolKind::kGlobal, false}));
}

TEST(ImportCheck, TheAllocatorIsProvidedAndLittleElse) {
  for (const char* name : {"malloc", "free", "calloc", "realloc", "posix_memalign", "aligned_alloc"}) {
    EXPECT_TRUE(provides(function(name))) << name;
  }
  // What the core exports for the JavaScript API, what JavaScript objects have by nature, and what libraries want.
  for (const char* name : {"mt_op_execute", "toString", "constructor", "__proto__", "", "printf", "memcpy", "Malloc"}) {
    EXPECT_FALSE(provides(function(name))) << name;
  }
}

TEST(ImportCheck, OnlyTheModuleEnvIsTheHosts) {
  for (const char* module : {"wasi_snapshot_preview1", "", "ENV", "GOT", "a"}) {
    EXPECT_FALSE(provides(function("malloc", module))) << module;
  }
}

TEST(ImportCheck, ThroughTheGlobalOffsetTableAPluginReachesItsOwnSymbolsOnly) {
  ModuleFile file = side_module({});
  file.exports = {{"own_state", SymbolKind::kGlobal}, {"own_function", SymbolKind::kFunction}};
  EXPECT_TRUE(host_provides(file, {"GOT.mem", "own_state", SymbolKind::kGlobal, false}));
  EXPECT_TRUE(host_provides(file, {"GOT.func", "own_function", SymbolKind::kGlobal, false}));
  EXPECT_FALSE(host_provides(file, {"GOT.mem", "foreign", SymbolKind::kGlobal, false}));
  EXPECT_FALSE(host_provides(file, {"GOT.func", "malloc", SymbolKind::kGlobal, false}))
      << "not even functions that it may import";
}

TEST(ImportCheck, AllMissingSymbolsAreNamedInOneError) {
  const ModuleFile file = side_module(
      {function("malloc"), function("first"), {"GOT.mem", "second", SymbolKind::kGlobal, false}, function("third")});
  const Error error = test::error_of([&] { require_importable(file, "dir/x.wasm", "my plugin"); });
  EXPECT_EQ(error.code(), ErrorCode::kPlugin);
  EXPECT_EQ(
      error.message(),
      "load_plugin: plugin \"my plugin\" (dir/x.wasm) imports symbols that the host does not have: first, second, "
      "third");
  EXPECT_EQ(error.details().phase, "imports");
  EXPECT_EQ(error.details().plugin, "my plugin");
  EXPECT_EQ(error.details().symbols, (Strings{"first", "second", "third"}));
  EXPECT_EQ(error.details().hint,
            "define the missing functions in the plugin, or get what they do from the host's table");
}

TEST(ImportCheck, OneMissingSymbolIsOne) {
  EXPECT_PLUGIN_ERROR(require_importable(side_module({function("only")}), "x", "x"), "imports",
                      "imports a symbol that the host does not have: only");
}

TEST(ImportCheck, NothingIsWrongWithoutImports) { EXPECT_NO_THROW(require_importable(side_module({}), "x", "x")); }

TEST(ImportCheck, TheHintNamesTheLikelyCause) {
  EXPECT_NE(hint_of("invoke_vii").find("JavaScript exceptions"), std::string::npos);
  EXPECT_NE(hint_of("__cxa_find_matching_catch_2").find("JavaScript exceptions"), std::string::npos);
  EXPECT_NE(hint_of("emscripten_asm_const_int").find("EM_ASM"), std::string::npos);
  EXPECT_NE(hint_of("_embind_register_void").find("embind"), std::string::npos);
  EXPECT_NE(hint_of("emscripten_sleep").find("Emscripten function"), std::string::npos);
  EXPECT_NE(hint_of("_ZNSt3__16vectorIiE").find("C++ library"), std::string::npos);
  EXPECT_NE(hint_of("__cxa_throw").find("C++ library"), std::string::npos);
  EXPECT_NE(hint_of("fd_write").find("no output"), std::string::npos);
}

TEST(ImportCheck, SharedMemoryIsSaidBeforeWhatElseIsMissing) {
  const ModuleFile file = side_module({function("pthread_create"), {"env", "memory", SymbolKind::kMemory, true}});
  EXPECT_PLUGIN_ERROR(require_importable(file, "x.wasm", "x"), "imports", "was built for threads");
  const Error error = test::error_of([&] { require_importable(file, "x.wasm", "x"); });
  EXPECT_EQ(error.details().symbols, Strings{"memory"});
  EXPECT_EQ(error.details().hint, "build it without -pthread");
}

TEST(ImportCheck, ThreadLocalVariablesAndOtherModulesAreRefused) {
  ModuleFile tls = side_module({});
  tls.dylink->tls_exports = {"a", "b"};
  EXPECT_PLUGIN_ERROR(require_importable(tls, "x.wasm", "x"), "imports", "has thread-local variables: a, b");
  ModuleFile needed = side_module({});
  needed.dylink->needed = {"libm.so"};
  EXPECT_PLUGIN_ERROR(require_importable(needed, "x.wasm", "x"), "imports", "needs other modules: libm.so");
  EXPECT_EQ(test::error_of([&] { require_importable(needed, "x.wasm", "x"); }).details().symbols, Strings{"libm.so"});
}

TEST(ImportCheck, TheImportsOfALibraryAreTheSystemsBusiness) {
  ModuleFile file = side_module({function("anything", "")});
  file.format = ModuleFormat::kElf;
  file.dylink.reset();
  EXPECT_TRUE(host_provides(file, file.imports[0]));
  EXPECT_NO_THROW(require_importable(file, "x.so", "x"));
}

}  // namespace
}  // namespace minitensor
