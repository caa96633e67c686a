#include "minitensor/tensor/storage.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "support/expect_error.h"

namespace minitensor {
namespace {

TEST(Storage, HasTheSizeAskedFor) {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{1000}}) {
    const auto storage = Storage::allocate(bytes);
    EXPECT_EQ(storage->size(), bytes);
    std::memset(storage->data(), 0x5A, bytes);  // AddressSanitizer sees whether all of it is ours
    EXPECT_EQ(storage->data()[bytes - 1], std::byte{0x5A});
  }
}

TEST(Storage, IsAlignedTo64Bytes) {
  for (std::size_t bytes = 1; bytes < 300; bytes += 7) {
    const auto storage = Storage::allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage->data()) % 64, 0U) << bytes;
  }
}

TEST(Storage, CanBeEmpty) {
  const auto before = Storage::live_bytes();
  const auto storage = Storage::allocate(0);
  ASSERT_NE(storage, nullptr);
  EXPECT_EQ(storage->size(), 0U);
  EXPECT_EQ(Storage::live_bytes(), before);
}

TEST(Storage, CountsLiveBytes) {
  const auto before = Storage::live_bytes();
  auto a = Storage::allocate(100);
  auto b = Storage::allocate(28);
  EXPECT_EQ(Storage::live_bytes(), before + 128);
  const auto shared = a;
  a.reset();
  EXPECT_EQ(Storage::live_bytes(), before + 128);
  b.reset();
  EXPECT_EQ(Storage::live_bytes(), before + 100);
}

TEST(Storage, RefusesSizesThatMemoryCannotHold) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  const auto before = Storage::live_bytes();
  for (const std::size_t bytes :
       {kMost, kMost - 1, kMost - 31, kMost - 62, kMost - 63, kMost - 64, kMost - 200, kMost / 2 + 1, kMost / 2}) {
    EXPECT_MT_ERROR(Storage::allocate(bytes), ErrorCode::kMemory, std::to_string(bytes));
  }
  EXPECT_EQ(Storage::live_bytes(), before);
}

TEST(Storage, SaysHowManyBytesAreInUseWhenItFails) {
  const auto storage = Storage::allocate(1000);
  EXPECT_MT_ERROR(Storage::allocate(std::numeric_limits<std::size_t>::max() / 2), ErrorCode::kMemory,
                  std::to_string(Storage::live_bytes()));
}

}  // namespace
}  // namespace minitensor
