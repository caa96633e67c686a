#pragma once

#include <cstdint>
#include <vector>

#include "minitensor/tensor/tensor.h"

namespace minitensor::test {

/// A row-major tensor of these elements, converted to `dtype`.
Tensor make_tensor(const std::vector<double>& values, const Shape& shape, DType dtype = DType::kFloat32);

/// The elements 0, 1, 2, … in row-major order.
Tensor iota(const Shape& shape, DType dtype = DType::kFloat32);

/// Small multiples of 1/8 in [-4, 4], the same ones for the same seed: their sums and products are exact in float32.
Tensor pseudo_random(const Shape& shape, DType dtype = DType::kFloat32, std::uint32_t seed = 1);

/// A tensor with the shape and elements of `x` that is not row-major: its last axis has step 2, and what lies between
/// is NaN. A 0-D tensor gets an offset only.
Tensor with_gaps(const Tensor& x);

/// A tensor with the shape and elements of `x` whose axes lie in memory in reverse order.
Tensor with_reversed_axes(const Tensor& x);

}  // namespace minitensor::test
