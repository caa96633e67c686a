#include <cstdlib>

#include "minitensor/loader/plugin_call.h"

// In dynamic_linker.js: calls mt_linker_run, and returns NULL, or the reason as text from malloc.
extern "C" char* mt_linker_guard(void (*function)(void*), void* argument);

// A trap can only be caught in JavaScript, so a guarded call goes there and back.
extern "C" void mt_linker_run(void (*function)(void*), void* argument) { function(argument); }

namespace minitensor {

std::optional<std::string> run_guarded(void (*function)(void*), void* argument) noexcept {
  char* reason = mt_linker_guard(function, argument);
  if (reason == nullptr) return std::nullopt;
  std::string text = reason;
  std::free(reason);
  return text;
}

}  // namespace minitensor
