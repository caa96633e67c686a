#include "minitensor/loader/import_cause.h"

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
constexpr std::string_view kThreads = "it was built for threads: build it without -pthread";
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
    "plugins have no files, no output and no clock: remove printf and the like, or use host->log";
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
    Cause{"emscripten_builtin_memalign", kThreads},
    Cause{"_emscripten_thread", kThreads},
    Cause{"__c_longjmp", kLongJump},
    Cause{"__wasm_longjmp", kLongJump},
    Cause{"__wasm_setjmp", kLongJump},
    Cause{"emscripten_longjmp", kLongJump},
    Cause{"setjmp", kLongJump},
    Cause{"longjmp", kLongJump},
    Cause{"emscripten_", kEmscripten},
    Cause{"_emscripten_", kEmscripten},
    Cause{"__syscall_", kSystem},
    Cause{"fd_", kSystem},
    Cause{"mt_", kCore},
    Cause{"_Z", kCppLibrary},
    Cause{"__cxa_", kCppLibrary},
    Cause{"__dynamic_cast", kCppLibrary},
    Cause{"__gxx_personality", kCppLibrary},
};

}  // namespace

std::string_view likely_cause(const ModuleImport& import, const NameSet& exports) {
  // Emscripten keeps the text of an EM_JS function under such a name.
  if (exports.contains("__em_js__" + import.name)) return kEmJs;
  for (const Cause& cause : kCauses) {
    if (import.name.starts_with(cause.prefix)) return cause.text;
  }
  if (import.module == "wasi_snapshot_preview1") return kSystem;
  if (import.module == "GOT.mem" || import.module == "GOT.func") return kAddress;
  if (import.module != "env") return kOtherModule;
  return import.kind == SymbolKind::kFunction ? kUndefined : kOtherKind;
}

}  // namespace minitensor
