#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace minitensor {

/// What stopped a plugin's code: a WebAssembly trap, an abort, or an exception that escaped.
struct Stopped {
  std::string reason;
  int error = 0;  ///< the number under which the embedder keeps its exception; see ErrorDetails::callback_error
};

/// Calls `function(argument)`, which runs a plugin's code. Nothing comes back when it returned. When it was stopped,
/// the stack is as before, but what the plugin had on its own stack is lost.
std::optional<Stopped> run_guarded(void (*function)(void*), void* argument) noexcept;

/// run_guarded for anything callable. It must not throw by itself: only what the plugin throws is to be caught here.
template <typename F>
std::optional<Stopped> run_guarded(F&& function) noexcept {
  return run_guarded([](void* argument) { (*static_cast<std::remove_reference_t<F>*>(argument))(); }, &function);
}

/// What every function of the host that plugins call begins with. In WebAssembly it stops the plugin, as a trap does,
/// when so little of the stack is left that the engine's own code might be stopped halfway. Natively it does nothing.
void require_stack();

}  // namespace minitensor
