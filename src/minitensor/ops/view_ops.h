#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// The same elements under other axes, as views (flatten: where the strides allow it, else a copy). Axes count from the
// end where they are negative. All throw kShape for one that is out of range or given twice.

/// The axes from `first` to `last`, both included, as one. Of a 0-D tensor: one axis of size 1.
Tensor flatten(const Tensor& x, std::int64_t first = 0, std::int64_t last = -1);
/// Without the axes given, which must have size 1; none given: without all of size 1.
Tensor squeeze(const Tensor& x, const std::optional<std::span<const std::int64_t>>& axes = std::nullopt);
/// With axes of size 1 that have these places in the result.
Tensor expand_dims(const Tensor& x, std::span<const std::int64_t> axes);
/// The axes in the order of `axes`, which names each once.
Tensor permute_dims(const Tensor& x, std::span<const std::int64_t> axes);
/// The axes of `source` at the places of `destination`; the others stay in their order.
Tensor move_axis(const Tensor& x, std::span<const std::int64_t> source, std::span<const std::int64_t> destination);
/// The elements in reverse order along the axes; none given: along all.
Tensor flip(const Tensor& x, const std::optional<std::span<const std::int64_t>>& axes = std::nullopt);

}  // namespace minitensor
