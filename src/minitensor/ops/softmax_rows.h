#pragma once

#include <cstdint>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

enum class Softmax : std::uint8_t { kProbabilities, kLogarithms };

/// Replaces each row of the last axis of a row-major floating-point tensor by its softmax, e^x / sum e^x, or by the
/// logarithm of it. From a row's maximum, so that nothing overflows; sums are float64. A row whose elements are all
/// -Infinity gets the probabilities 0. `causal_from`, unless negative: rows of the last but one axis are counted from
/// there, and only the first i + 1 elements of row i take part; the probabilities of the others are 0.
void softmax_rows(Tensor& x, Softmax form, std::int64_t causal_from = -1);

}  // namespace minitensor
