#include "minitensor/tensor/strided_loop.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace minitensor {
namespace {

// The offsets visited for one tensor, in order.
std::vector<std::int64_t> visited(const Shape& shape, const Strides& strides) {
  std::vector<std::int64_t> offsets;
  for_each_row<1>(shape, {&strides}, [&](const auto& starts, const auto& steps, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) offsets.push_back(starts[0] + i * steps[0]);
  });
  return offsets;
}

using Offsets = std::vector<std::int64_t>;

TEST(ForEachRow, VisitsElementsInRowMajorOrder) {
  EXPECT_EQ(visited({2, 3}, {3, 1}), (Offsets{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(visited({2, 3}, {1, 2}), (Offsets{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(visited({2, 2, 2}, {4, 2, 1}), (Offsets{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(visited({2, 2, 2}, {1, 2, 4}), (Offsets{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(ForEachRow, VisitsTheOneElementOfAZeroDimensionalShape) { EXPECT_EQ(visited({}, {}), (Offsets{0})); }

TEST(ForEachRow, VisitsNothingOfAnEmptyShape) {
  EXPECT_EQ(visited({0}, {1}), Offsets{});
  EXPECT_EQ(visited({2, 0}, {1, 1}), Offsets{});
  EXPECT_EQ(visited({0, 2}, {2, 1}), Offsets{});
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(visited({most, 0, most}, {most, most, 1}), Offsets{});
}

TEST(ForEachRow, TakesZeroAndNegativeStrides) {
  EXPECT_EQ(visited({2, 3}, {0, 1}), (Offsets{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(visited({2, 3}, {1, 0}), (Offsets{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(visited({2, 3}, {-3, -1}), (Offsets{0, -1, -2, -3, -4, -5}));
}

TEST(ForEachRow, TakesEightAxes) {
  const Shape shape{2, 1, 2, 1, 2, 1, 2, 1};
  Offsets expected;
  for (std::int64_t i = 0; i < 16; ++i) expected.push_back(i);
  EXPECT_EQ(visited(shape, {8, 8, 4, 4, 2, 2, 1, 1}), expected);
}

TEST(ForEachRow, MovesThroughSeveralTensorsTogether) {
  Offsets pairs;
  const Strides first{2, 1};
  const Strides second{10, 0};
  for_each_row<2>({2, 2}, {&first, &second}, [&](const auto& starts, const auto& steps, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) {
      pairs.push_back(starts[0] + i * steps[0]);
      pairs.push_back(starts[1] + i * steps[1]);
    }
  });
  EXPECT_EQ(pairs, (Offsets{0, 0, 1, 0, 2, 10, 3, 10}));
}

}  // namespace
}  // namespace minitensor
