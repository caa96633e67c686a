#include <gtest/gtest.h>

#include <cstddef>

#include "minitensor/tensor/storage.h"

namespace {

// Fails any test that leaves storage behind, or frees what it did not allocate.
class StorageLeakListener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { before_ = minitensor::Storage::live_bytes(); }

  void OnTestEnd(const testing::TestInfo&) override {
    EXPECT_EQ(minitensor::Storage::live_bytes(), before_) << "the test leaks tensor storage";
  }

  std::size_t before_ = 0;
};

}  // namespace

// AddressSanitizer calls this. Allocations that are too large fail as they do without it, rather than end the process:
// there are tests of what happens then.
extern "C" const char* __asan_default_options();  // NOLINT
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new StorageLeakListener);
  return RUN_ALL_TESTS();
}
