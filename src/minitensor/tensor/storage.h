#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace minitensor {

class StoragePointer;

/// Bytes that tensors share. Aligned to 64 bytes, freed with the last tensor that refers to it.
class Storage {
 public:
  /// Uninitialised bytes. Throws kMemory, with the bytes wanted and in use.
  static StoragePointer allocate(std::size_t bytes);

  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this) + kHeaderSize; }
  const std::byte* data() const noexcept { return reinterpret_cast<const std::byte*>(this) + kHeaderSize; }
  std::size_t size() const noexcept { return size_; }

  /// How often somebody has asked for the elements to write them.
  std::uint32_t version() const noexcept { return version_; }
  void note_write() noexcept { ++version_; }

  /// Bytes of all storages alive in this process (in wasm: in this instance). For reports and leak tests.
  static std::size_t live_bytes() noexcept;

 private:
  friend class StoragePointer;

  // The elements follow this object in one allocation, since two would be most of a small tensor's cost.
  static constexpr std::size_t kHeaderSize = 64;

  explicit Storage(std::size_t size) : size_(size) {}
  static void free(Storage* storage) noexcept;

  std::size_t size_;
  std::atomic<std::uint32_t> references_{1};
  std::uint32_t version_ = 0;
};

/// A share in a storage, or none.
class StoragePointer {
 public:
  StoragePointer() = default;
  StoragePointer(const StoragePointer& other) noexcept : storage_(other.storage_) {
    if (storage_ != nullptr) storage_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  StoragePointer(StoragePointer&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StoragePointer& operator=(StoragePointer other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StoragePointer() {
    if (storage_ != nullptr && storage_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      Storage::free(storage_);
    }
  }

  void reset() noexcept { *this = StoragePointer(); }
  Storage* get() const noexcept { return storage_; }
  Storage* operator->() const noexcept { return storage_; }
  Storage& operator*() const noexcept { return *storage_; }
  explicit operator bool() const noexcept { return storage_ != nullptr; }
  friend bool operator==(const StoragePointer& a, const StoragePointer& b) { return a.storage_ == b.storage_; }
  friend bool operator==(const StoragePointer& a, std::nullptr_t) { return a.storage_ == nullptr; }

 private:
  friend class Storage;
  explicit StoragePointer(Storage* storage) noexcept : storage_(storage) {}

  Storage* storage_ = nullptr;
};

}  // namespace minitensor
