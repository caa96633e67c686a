#include "minitensor/ops/random.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/kernels/wide_product.h"

namespace minitensor {

namespace {

constexpr std::size_t kWords = 4;

// The words of a generator's stream, one after the other, from the next whole block on.
class Words {
 public:
  explicit Words(Generator& generator) : generator_(generator) {}

  std::uint32_t next() noexcept {
    if (used_ == kWords) {
      const std::uint64_t seed = generator_.seed;
      const std::uint64_t counter = generator_.counter++;
      block_ = philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0},
                      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
      used_ = 0;
    }
    return block_[used_++];
  }

  std::uint64_t next64() noexcept {
    const std::uint64_t low = next();
    return low | static_cast<std::uint64_t>(next()) << 32;
  }

 private:
  Generator& generator_;
  std::array<std::uint32_t, kWords> block_{};
  std::size_t used_ = kWords;
};

// Lemire's method: the high word of a product, after those low words are thrown away that would favour some results.
std::uint64_t below(std::uint64_t bound, Words& words) noexcept {
  kernels::WideProduct product = kernels::wide_product(words.next64(), bound);
  if (product.low < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (product.low < threshold) product = kernels::wide_product(words.next64(), bound);
  }
  return product.high;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

void fill_uniform(Generator& generator, float* out, std::size_t n) noexcept {
  Words words(generator);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(words.next() >> 8) * 0x1p-24F;
}

void fill_uniform(Generator& generator, double* out, std::size_t n) noexcept {
  Words words(generator);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<double>(words.next64() >> 11) * 0x1p-53;
}

void fill_normal(Generator& generator, float* out, std::size_t n) noexcept {
  // Blocks, for the functions' vector code.
  constexpr std::size_t kPairs = 64;
  std::array<float, kPairs> radius;
  std::array<float, kPairs> angle;
  std::array<float, kPairs> sine;
  Words words(generator);
  for (std::size_t start = 0; start < n; start += 2 * kPairs) {
    const std::size_t count = std::min(2 * kPairs, n - start);
    const std::size_t pairs = (count + 1) / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
      // In (0, 1], so that the logarithm is finite.
      radius[i] = static_cast<float>(static_cast<double>(words.next()) * 0x1p-32 + 0x1p-32);
      angle[i] = static_cast<float>(static_cast<double>(words.next()) * (6.283185307179586 * 0x1p-32));
    }
    kernels::log(radius.data(), radius.data(), pairs);
    kernels::sin(angle.data(), sine.data(), pairs);
    kernels::cos(angle.data(), angle.data(), pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
      const float length = std::sqrt(-2.0F * radius[i]);
      out[start + 2 * i] = length * angle[i];
      if (2 * i + 1 < count) out[start + 2 * i + 1] = length * sine[i];
    }
  }
}

void fill_normal(Generator& generator, double* out, std::size_t n) noexcept {
  Words words(generator);
  for (std::size_t i = 0; i < n; i += 2) {
    // In (0, 1], so that the logarithm is finite.
    const double radius = static_cast<double>(words.next64() >> 11) * 0x1p-53 + 0x1p-53;
    const double angle = static_cast<double>(words.next64() >> 11) * (6.283185307179586 * 0x1p-53);
    const double length = std::sqrt(-2 * kernels::float64::log(radius));
    out[i] = length * kernels::float64::cos(angle);
    if (i + 1 < n) out[i + 1] = length * kernels::float64::sin(angle);
  }
}

void fill_integers(Generator& generator, std::uint64_t bound, std::int64_t* out, std::size_t n) noexcept {
  Words words(generator);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::int64_t>(below(bound, words));
}

void fill_permutation(Generator& generator, std::int64_t* out, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::int64_t>(i);
  Words words(generator);
  for (std::size_t i = n; i > 1; --i) std::swap(out[i - 1], out[below(i, words)]);
}

}  // namespace minitensor
