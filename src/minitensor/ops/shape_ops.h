#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// The same elements in row-major order under another shape; one size may be -1 and is inferred. A view where the
/// strides allow it, else a copy. Throws kShape.
Tensor reshape(const Tensor& x, std::span<const std::int64_t> shape);

/// The axes in the order of `axes` (none given: reversed), as a view. Throws kShape unless `axes` is a permutation.
Tensor transpose(const Tensor& x, std::span<const std::int64_t> axes = {});

/// The same of exactly as many `axes` as there are, in the name of `operation`; or, to undo it, back from that order.
Tensor permuted(const Tensor& x, std::span<const std::int64_t> axes, const char* operation, bool undo = false);

/// The elements from `start` to `stop` (not included) in steps of `step`, along each of `axes`, as a view: Python's
/// slices, clamped alike, with negative positions counted from the end. A step left out is 1; `stop` may be left out,
/// too: to the end, or for a negative step to the beginning. No axes given: the first ones. Throws kShape, and kValue
/// for a step of 0.
struct Slice {
  std::span<const std::int64_t> start;
  std::optional<std::span<const std::int64_t>> stop;
  std::optional<std::span<const std::int64_t>> step;
  std::optional<std::span<const std::int64_t>> axes;
};
Tensor slice(const Tensor& x, const Slice& given);

// Gradients of ops with one input.

/// The gradient in the shape of the input.
Gradients reshaped_back(const BackwardArguments& at);
/// The gradient as it is.
Gradients passed_back(const BackwardArguments& at);

}  // namespace minitensor
