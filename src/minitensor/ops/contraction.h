#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// A sum of products of tensors, as einsum writes it: each axis of an input has a label, a number below 64; axes with
/// one label run together, and labels that the output has not are summed over.
struct Contraction {
  std::vector<Dims> inputs;  ///< the labels of each input's axes; one given twice is a diagonal
  Dims output;               ///< labels of the inputs, none twice
};

/// Computes it from left to right, two tensors at a time, by matmul where there is something to sum. Axes of size 1 are
/// broadcast. Throws kShape, in the name of `operation`, for sizes that differ, and when a result on the way would have
/// more than kMaxRank axes. Requires that the labels fit the tensors' ranks.
Tensor contract(const Contraction& contraction, std::span<const Tensor> inputs, DType dtype,
                std::string_view operation);

/// Its gradients, given the one of the output.
Gradients contraction_gradients(const Contraction& contraction, const BackwardArguments& at,
                                std::string_view operation);

}  // namespace minitensor
