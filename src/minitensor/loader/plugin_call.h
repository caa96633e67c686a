#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace minitensor {

/// Calls `function(argument)`, which runs a plugin's code. Nothing empty comes back when it returned; otherwise what
/// stopped it: a WebAssembly trap, an abort, or an exception that escaped. The stack is as before then, but what the
/// plugin had on its own stack is lost.
std::optional<std::string> run_guarded(void (*function)(void*), void* argument) noexcept;

/// run_guarded for anything callable. It must not throw by itself: only what the plugin throws is to be caught here.
template <typename F>
std::optional<std::string> run_guarded(F&& function) noexcept {
  return run_guarded([](void* argument) { (*static_cast<std::remove_reference_t<F>*>(argument))(); }, &function);
}

/// What every function of the host that plugins call begins with. In WebAssembly it stops the plugin, as a trap does,
/// when so little of the stack is left that the engine's own code might be stopped halfway. Natively it does nothing.
void require_stack();

}  // namespace minitensor
