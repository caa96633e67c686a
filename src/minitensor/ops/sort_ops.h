#pragma once

#include <cstdint>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Equal elements stay in their order; NaN is larger than every number. Throw kShape for an axis that is out of range.
// Of a 0-D tensor the axis is that of its one element.

/// The elements in order along `axis`.
Tensor sort(const Tensor& x, std::int64_t axis = -1, bool descending = false);
/// Where the elements of the sorted tensor stand in `x`, along `axis`, in int64.
Tensor argsort(const Tensor& x, std::int64_t axis = -1, bool descending = false);

struct TopK {
  Tensor values;
  Tensor indices;
};
/// The `k` largest, or smallest, elements along `axis`, in order, and where they stand in `x`. Throws kValue when there
/// are not as many.
TopK topk(const Tensor& x, std::int64_t k, std::int64_t axis = -1, bool largest = true);

struct Unique {
  Tensor values;   ///< in order; all NaN are one
  Tensor indices;  ///< where each of them stands first in the flattened tensor
  Tensor inverse;  ///< which of them each element of `x` is; of the shape of `x`
  Tensor counts;   ///< how often each of them is there
};
/// The different elements. What is not a value is int64.
Unique unique(const Tensor& x);

}  // namespace minitensor
