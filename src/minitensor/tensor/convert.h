#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "minitensor/tensor/dtype.h"

namespace minitensor {

/// One element as another type, the same on every machine. To bool: whether it is not 0 (NaN is not). From a
/// floating-point number to an integer: without its fraction; out of range the nearest limit; NaN is 0. From an integer
/// to a smaller one: modulo 2^bits. To a floating-point number: the nearest one.
template <typename To, typename From>
To convert_element(From value) noexcept {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // 2^digits is exact in every floating-point type, unlike the largest integer.
    constexpr From kEnd =
        static_cast<From>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1)) * static_cast<From>(2);
    constexpr From kLowest = static_cast<From>(std::numeric_limits<To>::lowest());
    if (value >= kEnd) return std::numeric_limits<To>::max();
    if (value > kLowest) return static_cast<To>(value);
    return value <= kLowest ? std::numeric_limits<To>::lowest() : To{0};
  } else {
    return static_cast<To>(value);
  }
}

/// Writes `count` elements to `to`, one after the other, each converted by the rules of convert_element. `step` is the
/// distance of the elements of `from`, in elements, and may be 0 or negative. The memory must not overlap.
void convert_elements(const void* from, DType from_dtype, std::int64_t step, void* to, DType to_dtype,
                      std::size_t count);

}  // namespace minitensor
