#include <emscripten/stack.h>

#include <cstdint>
#include <cstdlib>

#include "minitensor/base/engine_stack.h"
#include "minitensor/loader/plugin_call.h"

// In dynamic_linker.js: calls mt_linker_run, and returns whether it was stopped; then `reason` is a text from malloc,
// or NULL when there is no memory for it, and the stack ends at `stack` again.
extern "C" bool mt_linker_guard(void (*function)(void*), void* argument, char** reason, std::uintptr_t stack);

// In dynamic_linker.js: throws.
extern "C" void mt_linker_stack_ended();

// A trap can only be caught in JavaScript, so a guarded call goes there and back.
extern "C" void mt_linker_run(void (*function)(void*), void* argument) { function(argument); }

namespace minitensor {

std::optional<std::string> run_guarded(void (*function)(void*), void* argument) noexcept {
  char* reason = nullptr;
  if (!mt_linker_guard(function, argument, &reason, emscripten_stack_get_current())) return std::nullopt;
  std::string text = reason == nullptr ? "out of memory" : reason;
  std::free(reason);
  return text;
}

void require_stack() {
  constexpr std::size_t kNeeded = 0x10000;
  if (emscripten_stack_get_free() < kNeeded) mt_linker_stack_ended();
  mt_require_engine_stack();
}

}  // namespace minitensor
