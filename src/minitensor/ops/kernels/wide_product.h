#pragma once

#include <cstdint>

namespace minitensor::kernels {

struct WideProduct {
  std::uint64_t high;
  std::uint64_t low;
};

/// The 128 bits of a b.
inline WideProduct wide_product(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t kLow = 0xffffffff;
  const std::uint64_t low = (a & kLow) * (b & kLow);
  const std::uint64_t middle = (a >> 32) * (b & kLow) + (low >> 32);
  const std::uint64_t other = (a & kLow) * (b >> 32) + (middle & kLow);
  return {(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), (other << 32) | (low & kLow)};
}

}  // namespace minitensor::kernels
