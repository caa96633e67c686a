#include "minitensor/loader/import_check.h"

#include <gtest/gtest.h>

#include "minitensor/loader/host_platform.h"

namespace minitensor {
namespace {

using Strings = std::vector<std::string>;

ModuleImport function(std::string name, std::string module = "env") {
  return {std::move(module), std::move(name), SymbolKind::kFunction};
}

ModuleFile side_module(std::vector<ModuleImport> imports) {
  ModuleFile file;
  file.format = ModuleFormat::kWasm;
  file.imports = std::move(imports);
  file.dylink.emplace();
  return file;
}

ImportVerdict verdict_on(const ModuleImport& import) { return judge_imports(side_module({import})).at(0); }

bool provides(const ModuleImport& import) { return verdict_on(import).is_provided; }

std::vector<Error> problems_of(const ModuleFile& file) {
  return find_import_problems(file, judge_imports(file), "dir/x.wasm", "my plugin");
}

// Of a file that has one.
Error problem_of(const ModuleFile& file) {
  const std::vector<Error> problems = problems_of(file);
  EXPECT_EQ(problems.size(), 1U);
  return problems.empty() ? Error(ErrorCode::kInternal, "there is none") : problems.front();
}

TEST(ImportCheck, TheBaseOfEverySideModuleIsProvided) {
  EXPECT_TRUE(provides({"env", "memory", SymbolKind::kMemory}));
  EXPECT_TRUE(provides({"env", "__indirect_function_table", SymbolKind::kTable}));
  EXPECT_TRUE(provides({"env", "__memory_base", SymbolKind::kGlobal}));
  EXPECT_TRUE(provides({"env", "__table_base", SymbolKind::kGlobal}));
  EXPECT_TRUE(provides({"env", "__stack_pointer", SymbolKind::kGlobal}));
  EXPECT_TRUE(provides({"env", "__cpp_exception", SymbolKind::kTag}));
}

TEST(ImportCheck, ABaseNameOfAnotherKindIsNot) {
  for (const char* name :
       {"memory", "__indirect_function_table", "__memory_base", "__table_base", "__stack_pointer", "__cpp_exception"}) {
    EXPECT_FALSE(provides(function(name))) << name;
    EXPECT_FALSE(provides({"env", name, SymbolKind::kUnknown})) << name;
  }
  EXPECT_FALSE(provides({"env", "memory", SymbolKind::kGlobal}));
  EXPECT_FALSE(provides({"env", "malloc", SymbolKind::kGlobal}));
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
  ModuleFile file = side_module({{"GOT.mem", "own_state", SymbolKind::kGlobal},
                                 {"GOT.func", "own_function", SymbolKind::kGlobal},
                                 {"GOT.mem", "foreign", SymbolKind::kGlobal},
                                 {"GOT.func", "malloc", SymbolKind::kGlobal}});
  file.exports = {{"own_state", SymbolKind::kGlobal}, {"own_function", SymbolKind::kFunction}};
  const std::vector<ImportVerdict> verdicts = judge_imports(file);
  EXPECT_TRUE(verdicts[0].is_provided);
  EXPECT_TRUE(verdicts[1].is_provided);
  EXPECT_FALSE(verdicts[2].is_provided);
  EXPECT_FALSE(verdicts[3].is_provided) << "not even functions that it may import";
}

TEST(ImportCheck, AllMissingSymbolsAreNamedInOneErrorWithTheirMeaning) {
  const ModuleFile file = side_module({function("malloc"),
                                       function("first"),
                                       {"GOT.mem", "_ZTISt9exception", SymbolKind::kGlobal},
                                       function("_ZSt9terminatev"),
                                       function("first", "other")});
  const Error error = problem_of(file);
  EXPECT_EQ(error.code(), ErrorCode::kPlugin);
  EXPECT_EQ(error.message(),
            "plugin \"my plugin\" (dir/x.wasm) imports symbols that the host does not have: first, _ZTISt9exception "
            "(typeinfo for std::exception), _ZSt9terminatev (std::terminate())");
  EXPECT_EQ(error.details().phase, "imports");
  EXPECT_EQ(error.details().plugin, "my plugin");
  EXPECT_EQ(error.details().symbols, (Strings{"first", "_ZTISt9exception", "_ZSt9terminatev"}));
  EXPECT_EQ(error.details().hint,
            "define it in the plugin, link the library that has it (-lc for those of C), or get what it does from the "
            "host's table; it uses C++ library code that was not linked in: build it with minitensor_add_plugin")
      << "each cause once";
}

TEST(ImportCheck, OneMissingSymbolIsOne) {
  EXPECT_EQ(problem_of(side_module({function("only")})).message(),
            "plugin \"my plugin\" (dir/x.wasm) imports a symbol that the host does not have: only");
}

TEST(ImportCheck, AMessageStaysReadable) {
  std::vector<ModuleImport> imports;
  for (int i = 0; i < 60; ++i) imports.push_back(function("f" + std::to_string(i)));
  const Error many = problem_of(side_module(imports));
  EXPECT_TRUE(many.message().ends_with(", f48, f49 and 10 more")) << many.message();
  EXPECT_EQ(many.details().symbols.size(), 60U);
  const Error odd = problem_of(side_module({function("\x1B[31mred"), function(std::string(1000, 'x'))}));
  EXPECT_NE(odd.message().find("have: \"\\x1b[31mred\", \"xxx"), std::string::npos) << odd.message();
  EXPECT_LT(odd.message().size(), 600U);
}

TEST(ImportCheck, NothingIsWrongWithoutImports) { EXPECT_TRUE(problems_of(side_module({})).empty()); }

TEST(ImportCheck, TheCauseIsTheLikelyOne) {
  struct Case {
    const char* name;
    const char* text;
  };
  for (const auto& [name, text] : {
           Case{"invoke_vii", "JavaScript exceptions: build it with minitensor_add_plugin(… EXCEPTIONS)"},
           Case{"__cxa_find_matching_catch_2", "JavaScript exceptions"},
           Case{"__resumeException", "JavaScript exceptions"},
           Case{"__cxa_throw", "C++ exceptions without the library"},
           Case{"_Unwind_CallPersonality", "C++ exceptions without the library"},
           Case{"emscripten_asm_const_int", "EM_ASM"},
           Case{"_embind_register_void", "embind"},
           Case{"_emval_decref", "embind"},
           Case{"emscripten_sleep", "Asyncify"},
           Case{"__asyncify_state", "Asyncify"},
           Case{"pthread_create", "-pthread"},
           Case{"emscripten_longjmp", "setjmp"},
           Case{"_emscripten_throw_longjmp", "setjmp"},
           Case{"emscripten_get_heap_max", "Emscripten function"},
           Case{"emscripten_get_now", "no clock"},
           Case{"emscripten_date_now", "no clock"},
           Case{"time", "no clock"},
           Case{"gettimeofday", "no clock"},
           Case{"timeout", "-lc for those of C"},
           Case{"_ZNSt3__16vectorIiE", "C++ library"},
           Case{"__cxa_guard_acquire", "C++ library"},
           Case{"fd_write", "no output"},
           Case{"__syscall_openat", "no files"},
           Case{"mt_op_execute", "the functions of the host's table"},
           Case{"cosf", "-lc for those of C"},
       }) {
    EXPECT_NE(verdict_on(function(name)).cause.find(text), std::string::npos) << name;
  }
  EXPECT_NE(verdict_on(function("clock_time_get", "wasi_snapshot_preview1")).cause.find("no clock"), std::string::npos);
  EXPECT_NE(verdict_on(function("x", "elsewhere")).cause.find("from \"env\" alone"), std::string::npos);
  EXPECT_NE(verdict_on({"GOT.func", "malloc", SymbolKind::kGlobal}).cause.find("address"), std::string::npos);
  EXPECT_NE(verdict_on({"env", "malloc", SymbolKind::kGlobal}).cause.find("of that kind"), std::string::npos);
  EXPECT_EQ(verdict_on(function("malloc")).cause, "");
}

// Names as Clang 21 mangles them.
TEST(ImportCheck, OnlyWhatIsOfTheCppLibraryIsSaidToBe) {
  for (const char* name : {
           "_ZSt9terminatev",                                // std::terminate()
           "_ZNSt3__212basic_stringIcNS_11char_traitsIcEE",  // std::string::…
           "_ZNKSt3__26locale4nameEv",                       // std::locale::name() const
           "_ZTVSt9exception",                               // vtable for std::exception
           "_ZTINSt3__28ios_baseE",                          // typeinfo for std::ios_base
           "_ZTVN10__cxxabiv117__class_type_infoE",          // vtable for __cxxabiv1::__class_type_info
           "_ZTIi",                                          // typeinfo for int
           "_ZTIPKc",                                        // typeinfo for char const*
           "_Znwm",                                          // operator new(unsigned long)
           "_ZdaPv",                                         // operator delete[](void*)
       }) {
    EXPECT_NE(verdict_on(function(name)).cause.find("C++ library"), std::string::npos) << name;
  }
  for (const char* name : {
           "_ZN5other6helperEi",             // other::helper(int)
           "_Z6helperRKNSt3__26vectorIiEE",  // helper(std::vector<int> const&)
           "_ZNK5other3Set4sizeEv",          // other::Set::size() const
           "_ZTV3Set",                       // vtable for Set
           "_ZTIN5other3SetE",               // typeinfo for other::Set
           "_ZN5other5levelE",               // other::level
       }) {
    const std::string_view cause = verdict_on(function(name)).cause;
    EXPECT_NE(cause.find("declared, but defined in none of the plugin's sources"), std::string::npos) << name;
  }
}

TEST(ImportCheck, InvokeIsOfSetjmpWhereLongjmpIsThereAndNoCatch) {
  const ModuleFile jumps = side_module({function("invoke_vii"), function("_emscripten_throw_longjmp")});
  EXPECT_EQ(problem_of(jumps).details().hint,
            "it uses setjmp and longjmp, which plugins do not have: return a status instead");
  const ModuleFile both =
      side_module({function("invoke_vii"), function("__resumeException"), function("_emscripten_throw_longjmp")});
  EXPECT_NE(problem_of(both).details().hint.find("JavaScript exceptions"), std::string_view::npos);
}

TEST(ImportCheck, AFunctionOfEmJsIsKnownByWhatEmscriptenExportsForIt) {
  ModuleFile file = side_module({function("of_javascript")});
  file.exports = {{"__em_js__of_javascript", SymbolKind::kGlobal}};
  EXPECT_NE(problem_of(file).details().hint.find("EM_JS"), std::string_view::npos);
}

TEST(ImportCheck, AMemoryOfAnotherKindIsNamedAsSuch) {
  ModuleImport memory{"env", "memory", SymbolKind::kMemory};
  memory.shared_memory = true;
  const Error threads = problem_of(side_module({memory}));
  EXPECT_EQ(threads.message(),
            "plugin \"my plugin\" (dir/x.wasm) was built for threads (it imports a shared memory), which this build "
            "does not have");
  EXPECT_EQ(threads.details().symbols, Strings{"memory"});
  EXPECT_EQ(threads.details().hint, "build it without -pthread");
  EXPECT_FALSE(provides(memory));

  memory.shared_memory = false;
  memory.memory64 = true;
  const Error wide = problem_of(side_module({memory}));
  EXPECT_NE(wide.message().find("was built for 64-bit memory (memory64)"), std::string::npos);
  EXPECT_EQ(wide.details().hint, "build it without -sMEMORY64 or -m64");
  EXPECT_FALSE(provides(memory));
}

TEST(ImportCheck, SharedMemoryIsSaidBeforeWhatElseIsMissing) {
  ModuleImport memory{"env", "memory", SymbolKind::kMemory};
  memory.shared_memory = true;
  const std::vector<Error> problems = problems_of(side_module({function("pthread_create"), memory}));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_NE(problems[0].message().find("was built for threads"), std::string::npos);
  EXPECT_EQ(problems[1].details().symbols, Strings{"pthread_create"});
}

TEST(ImportCheck, ThreadLocalVariablesOtherModulesAndAsyncifyAreRefused) {
  ModuleFile tls = side_module({});
  tls.dylink->tls_exports = {"a", "b"};
  EXPECT_NE(problem_of(tls).message().find("has thread-local variables: a, b"), std::string::npos);
  EXPECT_EQ(problem_of(tls).details().symbols, (Strings{"a", "b"}));
  ModuleFile needed = side_module({});
  needed.needed = {"libm.so"};
  EXPECT_NE(problem_of(needed).message().find("needs other modules: libm.so"), std::string::npos);
  EXPECT_EQ(problem_of(needed).details().symbols, Strings{"libm.so"});
  EXPECT_EQ(problem_of(needed).details().hint, "link everything into one file");
  ModuleFile asyncify = side_module({});
  asyncify.exports = {{"asyncify_start_unwind", SymbolKind::kFunction}};
  EXPECT_NE(problem_of(asyncify).message().find("was built with Asyncify"), std::string::npos);
}

TEST(ImportCheck, AHundredThousandHostileImportsTakeNoTime) {
  std::vector<ModuleImport> imports;
  ModuleFile file = side_module({});
  for (int i = 0; i < 100'000; ++i) {
    file.imports.push_back({"GOT.mem", "i" + std::to_string(i), SymbolKind::kGlobal});
    file.exports.push_back({"e" + std::to_string(i), SymbolKind::kGlobal});
  }
  EXPECT_EQ(problem_of(file).details().symbols.size(), 100'000U) << "comparing all with all would take minutes";
}

ModuleFile library(std::vector<ModuleImport> imports) {
  ModuleFile file;
  file.format = ModuleFormat::kElf;
  file.imports = std::move(imports);
  return file;
}

TEST(ImportCheck, TheImportsOfALibraryAreLookedForInTheProcess) {
  const ModuleFile file = library({function("malloc", ""), function("nobody_has_this", "")});
  const std::vector<ImportVerdict> verdicts = judge_imports(file);
#ifdef __wasm__
  EXPECT_FALSE(verdicts[0].is_provided);
  EXPECT_EQ(verdicts[0].cause, "the imports of an ELF library are resolved natively only");
#else
  EXPECT_TRUE(verdicts[0].is_provided);
  EXPECT_EQ(verdicts[0].cause, "");
  EXPECT_FALSE(verdicts[1].is_provided);
  const bool is_loading = loadable_format().has_value();
  EXPECT_NE(verdicts[1].cause.find(is_loading ? "define it in the plugin" : "natively only"), std::string::npos);
  EXPECT_EQ(problem_of(file).details().symbols, Strings{"nobody_has_this"});
#endif
}

#ifndef __wasm__
TEST(ImportCheck, WhatOnlyTheSystemsLinkerKnowsIsLeftToIt) {
  ModuleFile file = library({function("nobody_has_this", "")});
  file.needed = {"libc.so.6"};
  EXPECT_FALSE(judge_imports(file)[0].is_provided);
  // Not in the process; a path is not even looked at, since it could be a pipe.
  for (const char* name : {"libnobody_has_this.so.1", "/dev/stdin", ""}) {
    file.needed = {name};
    EXPECT_TRUE(judge_imports(file)[0].is_provided) << name;
  }
  file.needed.clear();
  file.imports[0].is_versioned = true;
  EXPECT_TRUE(judge_imports(file)[0].is_provided);
}
#endif

}  // namespace
}  // namespace minitensor
