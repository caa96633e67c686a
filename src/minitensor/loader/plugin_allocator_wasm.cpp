// The allocator as plugins import it. A plugin that runs out of stack must not do so halfway through a list of free
// blocks, so these begin as all functions of the host do.
#include <cstdlib>

#include "minitensor/loader/plugin_call.h"

extern "C" {

void* mt_plugin_malloc(std::size_t size) {
  minitensor::require_stack();
  return std::malloc(size);
}

void mt_plugin_free(void* memory) {
  minitensor::require_stack();
  std::free(memory);
}

void* mt_plugin_calloc(std::size_t count, std::size_t size) {
  minitensor::require_stack();
  return std::calloc(count, size);
}

void* mt_plugin_realloc(void* memory, std::size_t size) {
  minitensor::require_stack();
  return std::realloc(memory, size);
}

int mt_plugin_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  minitensor::require_stack();
  return posix_memalign(memory, alignment, size);
}

void* mt_plugin_aligned_alloc(std::size_t alignment, std::size_t size) {
  minitensor::require_stack();
  return std::aligned_alloc(alignment, size);
}

}  // extern "C"
