#include "minitensor/tensor/storage.h"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "minitensor/base/error.h"

namespace minitensor {

namespace {

constexpr std::size_t kAlignment = 64;

#ifdef __EMSCRIPTEN__

// Emscripten's aligned allocation costs several times that of malloc, which is most of a small op's time. So the room
// to align in is asked for, and the address that malloc gave stands before the aligned one.
void* allocate_aligned(std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(std::malloc(bytes + kAlignment));
  if (memory == nullptr) return nullptr;
  std::byte* aligned = memory + kAlignment - reinterpret_cast<std::uintptr_t>(memory) % kAlignment;
  reinterpret_cast<void**>(aligned)[-1] = memory;
  return aligned;
}

void free_aligned(void* memory) { std::free(static_cast<void**>(memory)[-1]); }

#else

void* allocate_aligned(std::size_t bytes) { return ::operator new(bytes, std::align_val_t{kAlignment}, std::nothrow); }

void free_aligned(void* memory) { ::operator delete(memory, std::align_val_t{kAlignment}); }

#endif

// A count for reports only: nothing is decided by it.
std::atomic<std::size_t> live{0};

}  // namespace

StoragePointer Storage::allocate(std::size_t bytes) {
  static_assert(sizeof(Storage) <= kHeaderSize);
  // libstdc++ rounds sizes up to the alignment, and wraps the largest ones around to 0.
  const bool possible =
      bytes <= static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) - kHeaderSize - kAlignment;
  void* memory = possible ? allocate_aligned(kHeaderSize + bytes) : nullptr;
  if (memory == nullptr) {
    throw Error(ErrorCode::kMemory, "out of memory: " + std::to_string(bytes) + " bytes wanted, " +
                                        std::to_string(live_bytes()) + " bytes in use by tensors");
  }
  live += bytes;
  return StoragePointer(new (memory) Storage(bytes));
}

void Storage::free(Storage* storage) noexcept {
  live -= storage->size_;
  storage->~Storage();
  free_aligned(storage);
}

std::size_t Storage::live_bytes() noexcept { return live; }

}  // namespace minitensor
