// What the fuzzer does at random, done the same way each time, wherever the C++ tests run.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "fuzz/inspect_anything.h"
#include "fuzz/seeds.h"

namespace minitensor {
namespace {

using test::ByteVector;

::testing::AssertionResult keeps_promises(const ByteVector& bytes) {
  try {
    test::inspect_anything(bytes);
  } catch (const std::logic_error& broken) {
    return ::testing::AssertionFailure() << "this promise is broken: " << broken.what();
  }
  return ::testing::AssertionSuccess();
}

// Numbers that look like chance and are the same everywhere (Marsaglia's xorshift).
class Chance {
 public:
  std::size_t below(std::size_t limit) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 17U;
    state_ ^= state_ << 5U;
    return state_ % limit;
  }

 private:
  std::uint32_t state_ = 2463534242U;
};

TEST(HostileFiles, AreReadOrRefusedWhereverTheyAreCut) {
  for (const auto& [name, bytes] : test::seeds()) {
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      // A buffer of just that size, so that a read past its end is seen.
      const ByteVector cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      ASSERT_TRUE(keeps_promises(cut)) << name << ", " << size << " bytes of it";
    }
  }
}

TEST(HostileFiles, AreReadOrRefusedWhateverIsChangedInThem) {
  Chance chance;
  const auto seeds = test::seeds();
  for (int round = 0; round < 20'000; ++round) {
    const auto& [name, seed] = seeds[static_cast<std::size_t>(round) % seeds.size()];
    ByteVector bytes = seed;
    for (std::size_t changes = 1 + chance.below(4); changes > 0; --changes) {
      const std::byte values[] = {std::byte{0}, std::byte{0xFF}, std::byte{0x80},
                                  static_cast<std::byte>(chance.below(256))};
      bytes[chance.below(bytes.size())] = values[chance.below(std::size(values))];
    }
    ASSERT_TRUE(keeps_promises(bytes)) << name << ", round " << round;
  }
}

}  // namespace
}  // namespace minitensor
