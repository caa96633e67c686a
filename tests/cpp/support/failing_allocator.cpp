#include "support/failing_allocator.h"

#include <cstdlib>
#include <new>

namespace {

// 0: none is to fail.
std::size_t allocations_left = 0;
bool goes_on = false;
bool failed = false;

bool fails_now() noexcept {
  if (failed) return goes_on;
  if (allocations_left == 0 || --allocations_left > 0) return false;
  failed = true;
  return true;
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (fails_now()) throw std::bad_alloc();
  // aligned_alloc takes multiples of the alignment.
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* const memory =
      alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size) : std::aligned_alloc(alignment, whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The program's own, in place of the library's and the sanitizers', which do not call each other: so all that the
// program uses.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept try {
  return operator new(size, alignment);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace minitensor::test {

FailingAllocator::FailingAllocator(std::size_t at, bool for_good) noexcept {
  failed = false;
  goes_on = for_good;
  allocations_left = at;
}

FailingAllocator::~FailingAllocator() {
  allocations_left = 0;
  failed = false;
  goes_on = false;
}

bool FailingAllocator::has_failed() noexcept { return failed; }

}  // namespace minitensor::test
