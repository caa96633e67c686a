#include "minitensor/ops/sort_ops.h"

#include <array>
#include <numeric>
#include <utility>

#include "minitensor/ops/index_loop.h"
#include "minitensor/ops/index_ops.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/ops/sort_loop.h"
#include "minitensor/ops/view_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

constexpr std::array<std::int64_t, 1> kFlat{-1};

// Sorts each row of the last axis of `keys`, and gives where the elements stood.
Tensor sort_rows(Tensor& keys) {
  Tensor order = Tensor::empty(keys.shape(), DType::kInt64);
  if (keys.size() == 0) return order;
  const auto length = static_cast<std::size_t>(keys.shape()[keys.rank() - 1]);
  Tensor scratch = Tensor::empty({2, static_cast<std::int64_t>(length)}, DType::kInt64);
  auto* key = static_cast<std::uint64_t*>(keys.raw_data());
  auto* index = order.data<std::int64_t>();
  const std::span<std::uint64_t> room(static_cast<std::uint64_t*>(scratch.raw_data()), 2 * length);
  for (std::int64_t row = 0; row < keys.size(); row += static_cast<std::int64_t>(length)) {
    std::iota(index + row, index + row + length, std::int64_t{0});
    sort_by_keys({key + row, length}, {index + row, length}, room);
  }
  return order;
}

// `x` with at least one axis, and the one that is meant.
struct Along {
  Along(const Tensor& x, std::int64_t given, const char* operation)
      : tensor(x.rank() == 0 ? reshape(x, kFlat) : x), axis(normalize_axis(given, tensor.rank(), operation)) {}

  Tensor tensor;
  int axis;
};

Tensor order_along(const Along& along, bool descending) {
  const std::array<std::int64_t, 1> axis{along.axis};
  constexpr std::array<std::int64_t, 1> kLast{-1};
  Tensor keys = sort_keys(move_axis(along.tensor, axis, kLast), descending);
  return move_axis(sort_rows(keys), kLast, axis);
}

}  // namespace

Tensor argsort(const Tensor& x, std::int64_t axis, bool descending) {
  return reshape(order_along({x, axis, "argsort"}, descending), x.shape().span());
}

Tensor sort(const Tensor& x, std::int64_t axis, bool descending) {
  const Along along(x, axis, "sort");
  return reshape(gather(along.tensor, order_along(along, descending), along.axis), x.shape().span());
}

namespace {

// The fields of TopK, in order.
std::vector<Tensor> topk_results(const Tensor& x, std::int64_t k, std::int64_t axis, bool largest) {
  const Along along(x, axis, "topk");
  const std::int64_t size = along.tensor.shape()[along.axis];
  if (k < 0 || k > size) {
    throw_error(ErrorCode::kValue, {"topk: k is ", k, ", axis ", along.axis, " has size ", size});
  }
  const Tensor order = order_along(along, largest);
  Shape shape = order.shape();
  shape[along.axis] = k;
  std::vector<Tensor> results(2);
  // A copy, so that the rest can go.
  results[1] = order.view(shape, order.strides()).clone();
  results[0] = gather(along.tensor, results[1], along.axis);
  return results;
}

// The fields of Unique, in order.
std::vector<Tensor> unique_results(const Tensor& x) {
  const Tensor flat = reshape(x, kFlat);
  Tensor keys = sort_keys(flat, false);
  const Tensor order = sort_rows(keys);
  const auto* key = static_cast<const std::uint64_t*>(std::as_const(keys).raw_data());
  const auto* place = order.data<std::int64_t>();
  const auto differs = [&](std::int64_t i) { return i == 0 || key[i] != key[i - 1]; };
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < flat.size(); ++i) count += differs(i) ? 1 : 0;
  std::vector<Tensor> results(4);
  results[1] = Tensor::empty({count}, DType::kInt64);
  results[2] = Tensor::empty(x.shape(), DType::kInt64);
  results[3] = Tensor::zeros({count}, DType::kInt64);
  auto* first = results[1].data<std::int64_t>();
  auto* which = results[2].data<std::int64_t>();
  auto* many = results[3].data<std::int64_t>();
  for (std::int64_t i = 0, found = -1; i < flat.size(); ++i) {
    if (differs(i)) first[++found] = place[i];
    ++many[found];
    which[place[i]] = found;
  }
  results[0] = take(flat, results[1], 0);
  return results;
}

}  // namespace

TopK topk(const Tensor& x, std::int64_t k, std::int64_t axis, bool largest) {
  const std::vector<Tensor> results = topk_results(x, k, axis, largest);
  return {results[0], results[1]};
}

Unique unique(const Tensor& x) {
  const std::vector<Tensor> results = unique_results(x);
  return {results[0], results[1], results[2], results[3]};
}

namespace {

using Backward = const BackwardArguments&;

// What was taken from places along an axis goes back there.
Tensor put_back(const Tensor& gradient, const Tensor& x, const Tensor& indices, std::int64_t given_axis) {
  const Along along(x, given_axis, "sort");
  Shape taken = along.tensor.shape();
  const std::int64_t size = taken[along.axis];
  if (indices.rank() > 0) taken[along.axis] = indices.shape()[along.axis];
  return reshape(spread_to_positions(reshape(gradient, taken.span()), reshape(indices, taken.span()), along.axis, size),
                 x.shape().span());
}

Gradients sort_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const std::int64_t axis = at.attributes.integer(0);
  return {put_back(at.grad_output, x, argsort(x, axis, at.attributes.boolean(1)), axis)};
}

Gradients topk_gradient(Backward at) {
  if (!at.grad_outputs[0].is_defined()) return {Tensor()};
  return {put_back(at.grad_outputs[0], at.inputs[0], at.outputs[1], at.attributes.integer(1))};
}

constexpr OpEntry kOps[] = {
    {"sort(x; axis: integer = -1, descending: boolean = false)", DTypeRule::kAny,
     [](const OpCall& call) { return sort(call[0], call.attributes.integer(0), call.attributes.boolean(1)); },
     sort_gradient, kSaveInputs},
    {"argsort(x; axis: integer = -1, descending: boolean = false)", DTypeRule::kIndices,
     [](const OpCall& call) { return argsort(call[0], call.attributes.integer(0), call.attributes.boolean(1)); }},
    {"topk(x; k: integer, axis: integer = -1, largest: boolean = true) -> values, indices", DTypeRule::kAny, nullptr,
     topk_gradient, kSaveOutputs, nullptr,
     [](const OpCall& call) {
       const Attributes& at = call.attributes;
       return topk_results(call[0], at.integer(0), at.integer(1), at.boolean(2));
     }},
    {"unique(x) -> values, indices, inverse, counts", DTypeRule::kAny, nullptr, nullptr, kSaveNothing, nullptr,
     [](const OpCall& call) { return unique_results(call[0]); }},
};

}  // namespace

std::span<const OpEntry> sort_ops() { return kOps; }

}  // namespace minitensor
