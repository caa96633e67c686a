#include "minitensor/tensor/storage.h"

#include <atomic>
#include <cstddef>
#include <limits>
#include <new>
#include <string>

#include "minitensor/base/error.h"

namespace minitensor {

namespace {

constexpr std::align_val_t kAlignment{64};

// A count for reports only: nothing is decided by it.
std::atomic<std::size_t> live{0};

}  // namespace

std::shared_ptr<Storage> Storage::allocate(std::size_t bytes) {
  // libstdc++ rounds sizes up to the alignment, and wraps the largest ones around to 0.
  const bool possible = bytes <= static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  void* data = possible ? ::operator new(bytes, kAlignment, std::nothrow) : nullptr;
  if (data == nullptr) {
    throw Error(ErrorCode::kMemory, "out of memory: " + std::to_string(bytes) + " bytes wanted, " +
                                        std::to_string(live_bytes()) + " bytes in use by tensors");
  }
  std::unique_ptr<Storage> storage;
  try {
    storage.reset(new Storage(static_cast<std::byte*>(data), bytes));
  } catch (...) {
    ::operator delete(data, kAlignment);
    throw;
  }
  live += bytes;
  return storage;
}

Storage::~Storage() {
  ::operator delete(data_, kAlignment);
  live -= size_;
}

std::size_t Storage::live_bytes() noexcept { return live; }

}  // namespace minitensor
