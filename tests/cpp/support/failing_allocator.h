#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <utility>

#include "minitensor/base/error.h"

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

/// Runs `step` with the first, the second, … allocation failing, and all that follow it where `for_good` says so, until
/// it needs no more of them. After each failure `check(has_thrown)` looks at what it left. Gives the number of
/// failures.
template <typename Step, typename Check>
std::size_t fail_everywhere(bool for_good, Step&& step, Check&& check) {
  for (std::size_t at = 1;; ++at) {
    bool has_failed = false;
    bool has_thrown = false;
    {
      const FailingAllocator allocator(at, for_good);
      try {
        step();
      } catch (const std::bad_alloc&) {
        has_thrown = true;
      } catch (const Error&) {
        has_thrown = true;
      }
      has_failed = FailingAllocator::has_failed();
    }
    if (!has_failed) {
      EXPECT_FALSE(has_thrown) << "an error although there was memory";
      return at - 1;
    }
    check(has_thrown);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "when allocation " << at << " failed";
      return at;
    }
  }
}

}  // namespace minitensor::test
