#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace minitensor::bindings {

/// Objects that JavaScript refers to by number. A handle is never 0, and one that was released is not soon given out
/// again: its upper bits count how often its place was used.
template <typename T>
class HandleTable {
 public:
  using Handle = std::uint32_t;

  Handle add(T value) {
    if (free_.empty()) {
      free_.reserve(slots_.size() + 1);  // so that release cannot fail
      slots_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t index = free_.back();
    slots_[index].value.emplace(std::move(value));
    free_.pop_back();
    ++live_;
    return (slots_[index].generation << kIndexBits) | (index + 1);
  }

  /// Null for a handle that was released or never given.
  T* find(Handle handle) noexcept {
    const std::uint32_t index = (handle & kIndexMask) - 1;
    if (index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    return slot.value && slot.generation == handle >> kIndexBits ? &*slot.value : nullptr;
  }

  /// Nothing happens for a handle that was released or never given.
  void release(Handle handle) noexcept {
    if (find(handle) == nullptr) return;
    const std::uint32_t index = (handle & kIndexMask) - 1;
    // Moved out first: destroying it may run a plugin's code, which may come back here.
    const std::optional<T> dying = std::exchange(slots_[index].value, std::nullopt);
    slots_[index].generation = (slots_[index].generation + 1) & kGenerationMask;
    free_.push_back(index);
    --live_;
  }

  std::size_t live() const noexcept { return live_; }

 private:
  static constexpr unsigned kIndexBits = 24;
  static constexpr std::uint32_t kIndexMask = (1U << kIndexBits) - 1;
  static constexpr std::uint32_t kGenerationMask = 0xFF;

  struct Slot {
    std::optional<T> value;
    std::uint32_t generation = 0;
  };
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t live_ = 0;
};

}  // namespace minitensor::bindings
