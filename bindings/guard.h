#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "bindings/engine.h"

namespace minitensor::bindings {

/// Runs `function`. An exception becomes the engine's noted error, which JavaScript takes and throws as a class of
/// ours, and a default value comes back. No exception passes through WebAssembly frames, so the stack stays right.
template <typename F>
auto guard(F&& function) noexcept -> std::invoke_result_t<F> {
  using Result = std::invoke_result_t<F>;
  try {
    return function();
  } catch (const Error& error) {
    engine().error = error;
  } catch (const std::bad_alloc&) {
    engine().error = Error(ErrorCode::kMemory, "out of memory");
  } catch (const std::exception& error) {
    engine().error = Error(ErrorCode::kInternal, error.what());
  }
  if constexpr (!std::is_void_v<Result>) return Result{};
}

template <auto Function>
struct Guarded;

template <typename Result, typename... Arguments, Result (*Function)(Arguments...)>
struct Guarded<Function> {
  static Result call(Arguments... arguments) {
    return guard([&] { return Function(std::forward<Arguments>(arguments)...); });
  }
};

/// `Function` behind guard, for embind: `function("name", guarded<&f>)`.
template <auto Function>
inline constexpr auto guarded = &Guarded<Function>::call;

}  // namespace minitensor::bindings
