#include "minitensor/loader/import_cause.h"

#include <algorithm>
#include <array>
#include <string>

namespace minitensor {

namespace {

constexpr std::string_view kJavaScriptExceptions =
    "it was built with JavaScript exceptions: build it with minitensor_add_plugin(… EXCEPTIONS), which is "
    "-fwasm-exceptions";
constexpr std::string_view kExceptionLibrary =
    "it uses C++ exceptions without the library for them: build it with minitensor_add_plugin(… EXCEPTIONS)";
constexpr std::string_view kCppLibrary =
    "it uses C++ library code that was not linked in: build it with minitensor_add_plugin";
constexpr std::string_view kOwnCpp =
    "a C++ name that is declared, but defined in none of the plugin's sources: add the source or the library that "
    "defines it";
constexpr std::string_view kThreads =
    "it uses threads, which plugins do not have: remove them, and build it without -pthread";
constexpr std::string_view kAlignedPages =
    "it was built for threads, or uses mmap: build it without -pthread, and allocate with malloc";
constexpr std::string_view kStreams =
    "it uses C++ streams, locales or regular expressions, which bring an allocator of their own: use snprintf or "
    "std::to_string instead";
constexpr std::string_view kExit = "a plugin cannot end the program: return a status instead";
constexpr std::string_view kAsyncify =
    "it was built with Asyncify, and a plugin's functions cannot wait: build it without -sASYNCIFY";
constexpr std::string_view kLongJump = "it uses setjmp and longjmp, which plugins do not have: return a status instead";
constexpr std::string_view kEmAsm =
    "EM_ASM needs JavaScript of its own, which a plugin cannot bring: do that part in the application";
constexpr std::string_view kEmJs =
    "EM_JS needs JavaScript of its own, which a plugin cannot bring: do that part in the application";
constexpr std::string_view kEmbind =
    "embind needs JavaScript of its own, which a plugin cannot bring: a plugin exports create_plugin alone";
constexpr std::string_view kEmscripten = "it uses an Emscripten function that is not part of the plugin interface";
constexpr std::string_view kSystem =
    "plugins have no files, no output, no clock, no environment and no random numbers: remove printf and the like, or "
    "use host->log";
constexpr std::string_view kCore = "it calls the engine directly: use the functions of the host's table instead";
constexpr std::string_view kAddress =
    "it wants the address of something outside of itself: define it in the plugin, or call the function directly";
constexpr std::string_view kOtherModule = "a plugin imports from \"env\" alone: build it with minitensor_add_plugin";
constexpr std::string_view kOtherKind = "the host has nothing of that kind: build it with minitensor_add_plugin";
constexpr std::string_view kUndefined =
    "define it in the plugin, link the library that has it (-lc for those of C), or get what it does from the host's "
    "table";

struct Cause {
  std::string_view prefix;
  std::string_view text;
};

// The functions of the C library that Emscripten leaves for others to replace, so that they are imported themselves.
constexpr std::array<std::string_view, 5> kClocks = {"clock", "clock_getres", "clock_gettime", "gettimeofday", "time"};

// Of setjmp and longjmp as Emscripten has them without WebAssembly's exceptions. They come with invoke_….
constexpr std::array<std::string_view, 2> kLongJumps = {"_emscripten_throw_longjmp", "emscripten_longjmp"};

// The first that fits. Names as Emscripten 6 gives them.
constexpr std::array kCauses = {
    Cause{"invoke_", kJavaScriptExceptions},
    Cause{"__cxa_find_matching_catch", kJavaScriptExceptions},
    Cause{"__resumeException", kJavaScriptExceptions},
    Cause{"llvm_eh_typeid_for", kJavaScriptExceptions},
    Cause{"__THREW__", kJavaScriptExceptions},
    Cause{"__threwValue", kJavaScriptExceptions},
    Cause{"getTempRet0", kJavaScriptExceptions},
    Cause{"setTempRet0", kJavaScriptExceptions},
    Cause{"_Unwind_", kExceptionLibrary},
    Cause{"__wasm_lpad_context", kExceptionLibrary},
    Cause{"__cxa_throw", kExceptionLibrary},
    Cause{"__cxa_rethrow", kExceptionLibrary},
    Cause{"__cxa_begin_catch", kExceptionLibrary},
    Cause{"__cxa_end_catch", kExceptionLibrary},
    Cause{"__cxa_allocate_exception", kExceptionLibrary},
    Cause{"__cxa_free_exception", kExceptionLibrary},
    Cause{"emscripten_asm_const", kEmAsm},
    Cause{"_embind_", kEmbind},
    Cause{"_emval_", kEmbind},
    Cause{"__asyncify_", kAsyncify},
    Cause{"emscripten_sleep", kAsyncify},
    Cause{"emscripten_fiber_", kAsyncify},
    Cause{"pthread_", kThreads},
    Cause{"__pthread_", kThreads},
    Cause{"__tls_base", kThreads},
    Cause{"emscripten_builtin_memalign", kAlignedPages},
    Cause{"_emscripten_thread", kThreads},
    Cause{"__c_longjmp", kLongJump},
    Cause{"__wasm_longjmp", kLongJump},
    Cause{"__wasm_setjmp", kLongJump},
    Cause{"emscripten_longjmp", kLongJump},
    Cause{"_emscripten_throw_longjmp", kLongJump},
    Cause{"setjmp", kLongJump},
    Cause{"longjmp", kLongJump},
    Cause{"emscripten_builtin_", kStreams},
    Cause{"__libc_", kStreams},
    Cause{"proc_exit", kExit},
    Cause{"emscripten_date_now", kSystem},
    Cause{"emscripten_get_now", kSystem},
    Cause{"_emscripten_get_now", kSystem},
    Cause{"emscripten_", kEmscripten},
    Cause{"_emscripten_", kEmscripten},
    Cause{"__syscall_", kSystem},
    Cause{"_tzset_js", kSystem},
    Cause{"fd_", kSystem},
    Cause{"mt_", kCore},
    Cause{"__cxa_", kCppLibrary},
    Cause{"__dynamic_cast", kCppLibrary},
    Cause{"__gxx_personality", kCppLibrary},
};

bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Whether the mangled name (after _Z) is of the C++ library: of std or __cxxabiv1, or operator new or delete, or the
// typeinfo of a type of the language.
bool is_of_cpp_library(std::string_view name) {
  for (const std::string_view allocation : {"nw", "na", "dl", "da"}) {
    if (name.starts_with(allocation)) return true;
  }
  if (skip(name, "TI") || skip(name, "TS")) {
    std::string_view type = name;
    while (skip(type, "P") || skip(type, "K")) {
    }
    if (type.size() == 1 && type[0] >= 'a' && type[0] <= 'z') return true;
  } else if (!skip(name, "TV") && !skip(name, "TT")) {
    skip(name, "GV");
  }
  skip(name, "N");
  while (skip(name, "K") || skip(name, "V") || skip(name, "R") || skip(name, "O")) {
  }
  // At the beginning of a name, S stands for std or one of its classes.
  return name.starts_with("S") || name.starts_with("10__cxxabiv1");
}

bool has_long_jump(const NameSet& imports) {
  return std::any_of(kLongJumps.begin(), kLongJumps.end(), [&](auto name) { return imports.contains(name); });
}

}  // namespace

std::string_view likely_cause(const ModuleImport& import, const NameSet& exports, const NameSet& imports) {
  std::string_view name = import.name;
  // Emscripten keeps the text of an EM_JS function under such a name.
  if (exports.contains("__em_js__" + import.name)) return kEmJs;
  if (std::find(kClocks.begin(), kClocks.end(), name) != kClocks.end()) return kSystem;
  for (const Cause& cause : kCauses) {
    if (!name.starts_with(cause.prefix)) continue;
    const bool may_be_long_jump = cause.text == kJavaScriptExceptions && !imports.contains("__resumeException");
    return may_be_long_jump && has_long_jump(imports) ? kLongJump : cause.text;
  }
  if (skip(name, "_Z")) return is_of_cpp_library(name) ? kCppLibrary : kOwnCpp;
  if (import.module == "wasi_snapshot_preview1") return kSystem;
  if (import.module == "GOT.mem" || import.module == "GOT.func") return kAddress;
  if (import.module != "env") return kOtherModule;
  return import.kind == SymbolKind::kFunction ? kUndefined : kOtherKind;
}

}  // namespace minitensor
