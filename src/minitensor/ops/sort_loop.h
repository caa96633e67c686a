#pragma once

#include <cstdint>
#include <span>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// Numbers in whose order elements are: equal for equal elements (-0 and 0, and all NaN), and NaN last. Row-major.
/// `descending` reverses the order. Takes any dtype; the result's says nothing.
Tensor sort_keys(const Tensor& x, bool descending);

/// Sorts `keys` as unsigned numbers, and moves `order` along; equal ones stay in their order. `scratch` has room for
/// twice as many.
void sort_by_keys(std::span<std::uint64_t> keys, std::span<std::int64_t> order, std::span<std::uint64_t> scratch);

}  // namespace minitensor
