#include <cstring>

#include "minitensor/ops/index_loop.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// Indices in int64, row-major; all of them rows of the weights.
Tensor checked_indices(const Tensor& given, const Tensor& weight) {
  if (weight.rank() != 2) {
    throw_error(ErrorCode::kShape, {"embedding: weight needs the axes rows, features, but is ", weight.shape()});
  }
  Tensor indices = given.cast(DType::kInt64).contiguous();
  const std::int64_t rows = weight.shape()[0];
  const auto* index = static_cast<const Tensor&>(indices).data<std::int64_t>();
  for (std::int64_t i = 0; i < indices.size(); ++i) {
    if (index[i] >= 0 && index[i] < rows) continue;
    throw_error(ErrorCode::kValue, {"embedding: index ", index[i], " is none of the ", rows, " rows of weight"});
  }
  return indices;
}

Tensor embed(const OpCall& call) {
  const Tensor weight = call[1].contiguous();
  const Tensor indices = checked_indices(call[0], weight);
  Shape shape = indices.shape();
  shape.push_back(weight.shape()[1]);
  Tensor result = Tensor::empty(shape, weight.dtype());
  const std::size_t row = static_cast<std::size_t>(weight.shape()[1]) * dtype_size(weight.dtype());
  const auto* index = indices.data<std::int64_t>();
  const auto* from = static_cast<const std::byte*>(weight.raw_data());
  auto* to = static_cast<std::byte*>(result.raw_data());
  for (std::int64_t i = 0; i < indices.size() && row > 0; ++i, to += row) {
    std::memcpy(to, from + static_cast<std::size_t>(index[i]) * row, row);
  }
  return result;
}

Gradients embed_gradient(const BackwardArguments& at) {
  const Tensor& weight = at.inputs[1];
  const Tensor indices = checked_indices(at.inputs[0], weight);
  const Shape shape{indices.size(), weight.shape()[1]};
  const Tensor values = reshape(at.grad_output, shape.span());
  return {Tensor(), spread_to_positions(values, indices.view(shape, {1, 0}), 0, weight.shape()[0])};
}

constexpr OpEntry kOps[] = {
    {"embedding(indices: index, weight)", DTypeRule::kAny, embed, embed_gradient, kSaveInputs},
};

}  // namespace

std::span<const OpEntry> embedding_ops() { return kOps; }

}  // namespace minitensor
