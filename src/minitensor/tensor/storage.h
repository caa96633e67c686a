#pragma once

#include <cstddef>
#include <memory>

namespace minitensor {

/// Bytes that tensors share. Aligned to 64 bytes, freed with the last tensor that refers to it.
class Storage {
 public:
  /// Uninitialised bytes. Throws kMemory, with the bytes wanted and in use.
  static std::shared_ptr<Storage> allocate(std::size_t bytes);

  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage();

  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

  /// Bytes of all storages alive in this process (in wasm: in this instance). For reports and leak tests.
  static std::size_t live_bytes() noexcept;

 private:
  Storage(std::byte* data, std::size_t size) : data_(data), size_(size) {}

  std::byte* data_;
  std::size_t size_;
};

}  // namespace minitensor
