#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// `x` repeated along each axis; where there are more numbers than axes, axes of size 1 are added in front, and where
/// there are fewer, they are for the last axes. Throws kValue for a negative number.
Tensor tile(const Tensor& x, std::span<const std::int64_t> repeats);
/// The elements moved on by `shift` along each of `axes`, those that leave at the end coming back at the beginning. One
/// shift is for all axes. No axes: along the flattened tensor, in the same shape.
Tensor roll(const Tensor& x, std::span<const std::int64_t> shift,
            const std::optional<std::span<const std::int64_t>>& axes = std::nullopt);
/// Elements added at both ends of each axis; one number is for all axes. Modes are NumPy's: constant (`value`), edge,
/// reflect, symmetric, wrap. Throws kValue for another mode, a negative number, or an axis without elements to repeat.
Tensor pad(const Tensor& x, std::span<const std::int64_t> before, std::span<const std::int64_t> after,
           std::string_view mode = "constant", double value = 0);

}  // namespace minitensor
