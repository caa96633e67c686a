#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "minitensor/ops/elementary.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/matmul.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/softmax_rows.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

constexpr const char* kName = "scaledDotProductAttention";

// The most weights that are in memory at a time, unless one row of them is more.
constexpr std::int64_t kScratch = std::int64_t{1} << 20;

std::int64_t size_from_end(const Tensor& x, int axis) { return x.shape()[x.rank() - axis]; }

// Of x[..., rows, columns]: x[..., first : first + count, columns].
Tensor rows_of(const Tensor& x, std::int64_t first, std::int64_t count) {
  Shape shape = x.shape();
  shape[x.rank() - 2] = count;
  return x.view(shape, x.strides(), first * x.strides()[x.rank() - 2]);
}

Tensor swapped(const Tensor& x) {
  Shape shape = x.shape();
  Strides strides = x.strides();
  std::swap(shape[x.rank() - 2], shape[x.rank() - 1]);
  std::swap(strides[x.rank() - 2], strides[x.rank() - 1]);
  return x.view(shape, strides);
}

// softmax(scale Q K^T + mask) V (A. Vaswani et al., Attention is all you need, 2017), for some rows of Q at a time, so
// that the weights, of as many rows as Q and as many columns as K has rows, need not all be in memory.
class Attention {
 public:
  Attention(std::span<const Tensor> inputs, const Attributes& attributes, DType dtype);
  Tensor forward() const;
  Gradients backward(const BackwardArguments& at) const;

 private:
  Tensor broadcast_batch(const Tensor& x) const {
    Shape shape = batch_;
    shape.push_back(size_from_end(x, 2));
    shape.push_back(size_from_end(x, 1));
    return x.broadcast_to(shape);
  }
  Shape batched(std::int64_t rows, std::int64_t columns) const {
    Shape shape = batch_;
    shape.push_back(rows);
    shape.push_back(columns);
    return shape;
  }
  Tensor weights(std::int64_t first, std::int64_t count) const;
  template <typename F>
  void for_each_block(F&& f) const;

  Shape batch_;
  Tensor query_;
  Tensor key_;
  Tensor value_;
  Tensor mask_;  // what is added to the scores; may be undefined
  bool is_causal_;
  double scale_;
};

Attention::Attention(std::span<const Tensor> inputs, const Attributes& attributes, DType dtype)
    : query_(inputs[0].cast(dtype)),
      key_(inputs[1].cast(dtype)),
      value_(inputs[2].cast(dtype)),
      is_causal_(attributes.boolean(0)) {
  const char* rule = nullptr;
  if (query_.rank() < 2 || key_.rank() < 2 || value_.rank() < 2) {
    rule = "all need two axes or more";
  } else if (size_from_end(query_, 1) != size_from_end(key_, 1)) {
    rule = "query and key differ in the last size";
  } else if (size_from_end(key_, 2) != size_from_end(value_, 2)) {
    rule = "key and value differ in the number of rows";
  }
  if (rule != nullptr) {
    throw_error(ErrorCode::kShape,
                {kName, ": ", rule, ": query ", query_.shape(), ", key ", key_.shape(), ", value ", value_.shape()});
  }
  for (const Tensor& x : {query_, key_, value_}) {
    const Shape axes(x.shape().span().first(static_cast<std::size_t>(x.rank() - 2)));
    batch_ = broadcast_shapes(batch_, axes, kName);
  }
  query_ = broadcast_batch(query_);
  key_ = broadcast_batch(key_);
  value_ = broadcast_batch(value_);
  const auto features = static_cast<double>(std::max<std::int64_t>(size_from_end(query_, 1), 1));
  scale_ = attributes.has(1) ? attributes.number(1) : 1 / std::sqrt(features);
  if (inputs.size() < 4 || !inputs[3].is_defined()) return;
  const Shape scores = batched(size_from_end(query_, 2), size_from_end(key_, 2));
  if (broadcast_shapes(inputs[3].shape(), scores, kName) != scores) {
    throw_error(ErrorCode::kShape,
                {kName, ": the mask ", inputs[3].shape(), " does not broadcast to the scores ", scores});
  }
  mask_ = inputs[3].cast(dtype);
  // 0 where it is true, else -Infinity.
  if (inputs[3].dtype() == DType::kBool) mask_ = log(mask_);
  mask_ = mask_.broadcast_to(scores);
}

Tensor Attention::weights(std::int64_t first, std::int64_t count) const {
  Tensor scores = mul(matmul(rows_of(query_, first, count), swapped(key_)), Tensor::full({}, scale_, query_.dtype()));
  if (mask_.is_defined()) scores = add(scores, rows_of(mask_, first, count));
  softmax_rows(scores, Softmax::kProbabilities, is_causal_ ? first : -1);
  return scores;
}

template <typename F>
void Attention::for_each_block(F&& f) const {
  const std::int64_t rows = size_from_end(query_, 2);
  const std::int64_t row_size = element_count(batched(1, size_from_end(key_, 2)), kName);
  const std::int64_t most = std::max<std::int64_t>(kScratch / std::max<std::int64_t>(row_size, 1), 1);
  for (std::int64_t row = 0; row < rows; row += most) f(row, std::min(most, rows - row));
}

Tensor Attention::forward() const {
  const Tensor result = Tensor::empty(batched(size_from_end(query_, 2), size_from_end(value_, 1)), query_.dtype());
  for_each_block([&](std::int64_t first, std::int64_t count) {
    rows_of(result, first, count).assign(matmul(weights(first, count), value_));
  });
  return result;
}

Gradients Attention::backward(const BackwardArguments& at) const {
  const DType dtype = query_.dtype();
  const Tensor scale = Tensor::full({}, scale_, dtype);
  const Tensor query = Tensor::zeros(query_.shape(), dtype);
  Tensor key = Tensor::zeros(key_.shape(), dtype);
  Tensor value = Tensor::zeros(value_.shape(), dtype);
  Tensor mask;
  if (mask_.is_defined() && at.wants(3)) mask = Tensor::zeros(mask_.shape(), dtype);
  for_each_block([&](std::int64_t first, std::int64_t count) {
    const Tensor weight = weights(first, count);
    const Tensor g = rows_of(at.grad_output, first, count);
    value = add(value, matmul(swapped(weight), g));
    const Tensor along = mul(weight, matmul(g, swapped(value_)));
    constexpr std::int64_t kLast[] = {-1};
    const Tensor scores = sub(along, mul(weight, sum(along, kLast, true)));
    if (mask.is_defined()) rows_of(mask, first, count).assign(scores);
    rows_of(query, first, count).assign(mul(matmul(scores, key_), scale));
    key = add(key, mul(matmul(swapped(scores), rows_of(query_, first, count)), scale));
  });
  Gradients gradients{query, key, value, mask};
  gradients.resize(at.inputs.size());
  return gradients;
}

constexpr OpEntry kOps[] = {
    {"scaledDotProductAttention(query, key, value, mask?; causal: boolean = false, scale: number?)", DTypeRule::kFloat,
     [](const OpCall& call) { return Attention(call.inputs, call.attributes, call.dtype).forward(); },
     [](const BackwardArguments& at) {
       return Attention(at.inputs, at.attributes, at.grad_output.dtype()).backward(at);
     },
     kSaveInputs},
};

}  // namespace

std::span<const OpEntry> attention_ops() { return kOps; }

}  // namespace minitensor
