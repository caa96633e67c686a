/// \file
/// The boundary of a plugin: no exception leaves it.
#ifndef MINITENSOR_SDK_PLUGIN_GUARD_HPP
#define MINITENSOR_SDK_PLUGIN_GUARD_HPP

#include <type_traits>
#if defined(__cpp_exceptions)
#include <exception>
#include <new>
#endif

#include "minitensor/sdk/plugin/call.hpp"
#include "minitensor/sdk/plugin/values.hpp"

namespace minitensor::sdk::detail {

/// The Status of `function`, which returns a Status or nothing.
template <class Function>
Status status_of(const Function& function) {
  if constexpr (std::is_void_v<decltype(function())>) {
    function();
    return Status();
  } else {
    return function();
  }
}

/// The same, where an exception becomes an error too.
template <class Function>
Status guard([[maybe_unused]] const Host& host, const Function& function) {
#if defined(__cpp_exceptions)
  try {
    return status_of(function);
  } catch (const std::bad_alloc&) {
    return host.error(ErrorCode::kMemory, "out of memory");
  } catch (const std::exception& exception) {
    return host.error(ErrorCode::kPlugin, exception.what());
  } catch (...) {
    return host.error(ErrorCode::kPlugin, "an exception that is not a std::exception");
  }
#else
  return status_of(function);
#endif
}

}  // namespace minitensor::sdk::detail

#endif  // MINITENSOR_SDK_PLUGIN_GUARD_HPP
