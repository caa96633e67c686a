#include <emscripten/stack.h>

#include <cstdint>
#include <cstdlib>

#include "minitensor/base/engine_stack.h"
#include "minitensor/loader/host_table.h"
#include "minitensor/loader/plugin_call.h"

// In dynamic_linker.js: calls mt_linker_run, and gives NULL. When that was stopped, the stack ends at `stack` again,
// and what comes back is a text from malloc that says why, or kNoReason when there is no memory for it.
extern "C" char* mt_linker_guard(void (*function)(void*), void* argument, std::uintptr_t stack);

// The number under which JavaScript keeps the error that it was stopped by, 0 when it keeps none.
extern "C" int mt_linker_kept();

// In dynamic_linker.js: throws.
extern "C" void mt_linker_stack_ended();

// A trap can only be caught in JavaScript, so a guarded call goes there and back.
extern "C" void mt_linker_run(void (*function)(void*), void* argument) { function(argument); }

// The functions in it are those of the core that a plugin may call by address.
extern "C" const mt_host* mt_linker_host() { return &minitensor::host_table(); }

namespace minitensor {

constexpr std::uintptr_t kNoReason = 1;

namespace {

// Apart from what follows, which is so short that it is compiled into its callers.
[[gnu::noinline]] Stopped stopped_by(char* reason) {
  if (reinterpret_cast<std::uintptr_t>(reason) == kNoReason) return {"out of memory", mt_linker_kept()};
  Stopped stopped{reason, mt_linker_kept()};
  std::free(reason);
  return stopped;
}

}  // namespace

std::optional<Stopped> run_guarded(void (*function)(void*), void* argument) noexcept {
  char* const reason = mt_linker_guard(function, argument, emscripten_stack_get_current());
  if (reason == nullptr) return std::nullopt;
  return stopped_by(reason);
}

void require_stack() {
  constexpr std::size_t kNeeded = 0x10000;
  if (emscripten_stack_get_free() < kNeeded) mt_linker_stack_ended();
  mt_require_engine_stack();
}

}  // namespace minitensor
