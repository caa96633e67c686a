#pragma once

#include <cstddef>

namespace minitensor::test {

/// While one is alive, operator new throws std::bad_alloc in place of the allocation `at` (counted from 1), and of all
/// that follow it where `for_good` says so.
class FailingAllocator {
 public:
  explicit FailingAllocator(std::size_t at, bool for_good = false) noexcept;
  FailingAllocator(const FailingAllocator&) = delete;
  FailingAllocator& operator=(const FailingAllocator&) = delete;
  ~FailingAllocator();

  /// Whether an allocation has failed.
  static bool has_failed() noexcept;
};

}  // namespace minitensor::test
