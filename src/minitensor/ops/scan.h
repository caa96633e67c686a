#pragma once

#include <cstdint>
#include <optional>

#include "minitensor/ops/reduce_loop.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// The gradient of a product over axes with respect to its factors, given the one with respect to the product, with or
/// without the axes: right where factors are 0, too. In float64.
Tensor product_gradient(const Tensor& x, const Tensor& grad_output, const AxisSet& axes);

}  // namespace minitensor
