#include "minitensor/ops/sort_loop.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "minitensor/ops/index_loop.h"

namespace minitensor {

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
// Beyond that of infinity.
constexpr std::uint64_t kNaN = std::uint64_t{0x7ff8} << 48U | kSign;

// Of the bits of a double, or of an int64.
std::uint64_t key_of(std::uint64_t bits, bool is_double) {
  if (!is_double) return bits + kSign;
  if (std::isnan(std::bit_cast<double>(bits))) return kNaN;
  // By magnitude on both sides of 0, which is one. The low digits of what was a float32 stay 0.
  return bits < kSign ? bits + kSign : kSign - (bits - kSign);
}

// Short rows.
void insertion_sort(std::span<std::uint64_t> keys, std::span<std::int64_t> order) {
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const std::uint64_t key = keys[i];
    const std::int64_t index = order[i];
    std::size_t place = i;
    for (; place > 0 && keys[place - 1] > key; --place) {
      keys[place] = keys[place - 1];
      order[place] = order[place - 1];
    }
    keys[place] = key;
    order[place] = index;
  }
}

constexpr std::size_t kShortRow = 64;
constexpr std::size_t kDigits = 8;  // of 256 values each

}  // namespace

Tensor sort_keys(const Tensor& x, bool descending) {
  const bool is_double = is_floating(x.dtype());
  Tensor result = copy_as(x, is_double ? DType::kFloat64 : DType::kInt64);
  auto* keys = static_cast<std::uint64_t*>(result.raw_data());
  for (std::int64_t i = 0; i < result.size(); ++i) {
    const std::uint64_t key = key_of(keys[i], is_double);
    keys[i] = descending ? ~key : key;
  }
  return result;
}

// By digits from the lowest on (Knuth, The Art of Computer Programming 3, 5.2.5), with those left out in which all keys
// agree.
void sort_by_keys(std::span<std::uint64_t> keys, std::span<std::int64_t> order, std::span<std::uint64_t> scratch) {
  const std::size_t count = keys.size();
  if (count < kShortRow) {
    insertion_sort(keys, order);
    return;
  }
  // Counted from the lowest key on, so that high digits agree where keys are near each other.
  const std::uint64_t lowest = *std::min_element(keys.begin(), keys.end());
  std::array<std::array<std::size_t, 256>, kDigits> starts{};
  for (std::uint64_t& key : keys) {
    key -= lowest;
    for (std::size_t digit = 0; digit < kDigits; ++digit) ++starts[digit][key >> (8 * digit) & 255U];
  }
  std::uint64_t* from_keys = keys.data();
  std::int64_t* from_order = order.data();
  std::uint64_t* to_keys = scratch.data();
  auto* to_order = reinterpret_cast<std::int64_t*>(scratch.data() + count);
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    std::array<std::size_t, 256>& start = starts[digit];
    if (start[from_keys[0] >> (8 * digit) & 255U] == count) continue;
    std::size_t total = 0;
    for (std::size_t& next : start) total += std::exchange(next, total);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = start[from_keys[i] >> (8 * digit) & 255U]++;
      to_keys[place] = from_keys[i];
      to_order[place] = from_order[i];
    }
    std::swap(from_keys, to_keys);
    std::swap(from_order, to_order);
  }
  if (from_keys != keys.data()) {
    std::copy_n(from_keys, count, keys.data());
    std::copy_n(from_order, count, order.data());
  }
}

}  // namespace minitensor
