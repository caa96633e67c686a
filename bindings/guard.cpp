#include "bindings/guard.h"

#include <new>

namespace minitensor::bindings {

std::optional<Error>& noted_error() {
  static std::optional<Error>& error = *new std::optional<Error>;
  return error;
}

void note_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    noted_error() = error;
  } catch (const std::bad_alloc&) {
    noted_error() = Error(ErrorCode::kMemory, "out of memory");
  } catch (const std::exception& error) {
    noted_error() = Error(ErrorCode::kInternal, error.what());
  }
}

}  // namespace minitensor::bindings
