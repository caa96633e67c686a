#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// How windows lie along one axis. The first begins `padding` elements before the axis does.
struct WindowAxis {
  std::int64_t size;      ///< of the axis itself
  std::int64_t kernel;    ///< elements of a window
  std::int64_t stride;    ///< from one window to the next
  std::int64_t padding;   ///< elements added on both sides
  std::int64_t dilation;  ///< from one element of a window to the next
  std::int64_t count;     ///< windows: all that lie inside the padded axis

  std::int64_t padded() const noexcept { return size + 2 * padding; }
};

/// Windows over the last two axes of a tensor, by the rules of PyTorch's convolutions and pools.
using Windows = std::array<WindowAxis, 2>;

/// What a caller gives: for both axes, or one number for both. `is_flat`: the first of the two axes only stands for one
/// that is not there, and what is given is for the second.
struct WindowOptions {
  std::span<const std::int64_t> stride;
  std::span<const std::int64_t> padding;
  std::span<const std::int64_t> dilation;
  bool is_flat = false;
};

/// Throws kValue for options out of range, and kShape when not one window fits, in the name of `operation`.
Windows make_windows(const Shape& shape, std::array<std::int64_t, 2> kernel, const WindowOptions& options,
                     std::string_view operation);

/// What is given for the axes of windows, a number for each. Throws kValue unless there are 1 or 2 numbers (for a flat
/// one: 1) of at least `least`.
std::array<std::int64_t, 2> window_values(std::span<const std::int64_t> given, std::int64_t least,
                                          std::string_view operation, std::string_view name, bool is_flat = false,
                                          std::int64_t flat_value = 1);

/// `x` with `value` around it, to the windows' padding; `x` itself without any.
Tensor padded(const Tensor& x, const Windows& windows, double value);

/// The part of a padded tensor that is not padding. A view.
Tensor unpadded(const Tensor& x, const Windows& windows);

/// All windows of a padded tensor: [..., kernel, kernel, count, count]. A view.
Tensor window_view(const Tensor& x, const Windows& windows);

/// Of each window of a padded tensor the one element at `row` and `column`: [..., count, count]. A view.
Tensor window_elements(const Tensor& x, const Windows& windows, std::int64_t row, std::int64_t column);

}  // namespace minitensor
