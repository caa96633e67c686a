#include <exception>

#include "minitensor/loader/plugin_call.h"

namespace minitensor {

// A native fault, such as a bad pointer, ends the process, as it does in any library.
std::optional<Stopped> run_guarded(void (*function)(void*), void* argument) noexcept {
  try {
    function(argument);
    return std::nullopt;
  } catch (const std::exception& error) {
    return Stopped{std::string("an exception escaped: ") + error.what()};
  } catch (...) {
    return Stopped{"an exception escaped"};
  }
}

void require_stack() {}

}  // namespace minitensor
