#pragma once

#include <cstdint>

#include "minitensor/ops/random.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// What the ops draw from that are given no seed, on this thread. It begins with seed 0; assign Generator{seed} to it
/// to begin another stream.
Generator& default_generator() noexcept;

// Tensors of random numbers. The numbers depend on the generator, the shape and the dtype only, and are the same on
// every machine.

/// Uniform in [0, 1). Throws kShape, and kDType for a dtype that is not floating-point.
Tensor rand(const Shape& shape, DType dtype, Generator& generator = default_generator());
/// Of the normal distribution with mean 0 and variance 1. Throws kShape, and kDType for a dtype that is not
/// floating-point.
Tensor randn(const Shape& shape, DType dtype, Generator& generator = default_generator());
/// Integers from `low` up to, but not including, `high`. Throws kShape, kDType for a dtype that is no integer's, and
/// kValue when there are no such numbers, or the dtype does not hold them.
Tensor randint(std::int64_t low, std::int64_t high, const Shape& shape, DType dtype = DType::kInt64,
               Generator& generator = default_generator());
/// The numbers 0, 1, …, n - 1 in any order. Throws kValue for a negative n, and kDType as randint does.
Tensor permutation(std::int64_t n, DType dtype = DType::kInt64, Generator& generator = default_generator());

}  // namespace minitensor
