// libFuzzer's entry point. A broken promise ends the process, as a crash does.
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/inspect_anything.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  minitensor::test::inspect_anything(std::as_bytes(std::span(data, size)));
  return 0;
}
