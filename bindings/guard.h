#pragma once

#include <optional>
#include <type_traits>

#include "minitensor/base/error.h"

namespace minitensor::bindings {

/// The error of the last call, until JavaScript takes it.
std::optional<Error>& noted_error();

/// Notes the exception that is being handled.
void note_exception() noexcept;

/// Runs `function`. An exception becomes the noted error, which JavaScript takes and throws as a class of ours, and a
/// default value comes back. No exception passes through WebAssembly frames, so the stack stays right.
template <typename F>
auto guard(F&& function) noexcept -> std::invoke_result_t<F> {
  using Result = std::invoke_result_t<F>;
  try {
    return function();
  } catch (...) {
    note_exception();
  }
  if constexpr (!std::is_void_v<Result>) return Result{};
}

}  // namespace minitensor::bindings
