#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// The tensors one behind the other along `axis`, in their promoted dtype. Throws kShape when there is none, and when
/// shapes differ beside that axis.
Tensor concat(std::span<const Tensor> tensors, std::int64_t axis = 0);
/// The tensors, all of one shape, along a new axis that has this place in the result. Throws as concat.
Tensor stack(std::span<const Tensor> tensors, std::int64_t axis = 0);
/// Parts of these sizes along `axis`, as views. Throws kValue unless the sizes sum up to that of the axis.
std::vector<Tensor> split(const Tensor& x, std::span<const std::int64_t> sizes, std::int64_t axis = 0);

}  // namespace minitensor
