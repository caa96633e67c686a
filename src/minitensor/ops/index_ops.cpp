#include "minitensor/ops/index_ops.h"

#include <array>
#include <cstddef>

#include "minitensor/ops/index_loop.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"
#include "minitensor/tensor/strided_loop.h"

namespace minitensor {

namespace {

[[noreturn]] void throw_shapes(const char* operation, const char* rule, const Shape& a, const Shape& b) {
  throw_error(ErrorCode::kShape, {operation, ": ", rule, ": ", a, " and ", b});
}

// What take looks at: the flattened tensor when no axis is given, and the indices as a view that has the other axes of
// the tensor, too.
struct TakePlan {
  TakePlan(const Tensor& x, const Tensor& indices, std::optional<std::int64_t> given_axis)
      : source(given_axis ? x : reshape(x, std::array<std::int64_t, 1>{-1})),
        axis(normalize_axis(given_axis.value_or(0), source.rank(), "take")),
        positions(positions_of(indices, source.shape()[axis], axis, "take")) {
    Shape sizes = source.shape();
    sizes[axis] = positions.size();
    Strides strides = Strides::filled(sizes.rank(), 0);
    strides[axis] = 1;
    positions = positions.view(sizes, strides);
  }

  Tensor source;
  int axis;
  Tensor positions;
};

// The shape of `indices` when they are broadcast to `x` along all axes but one.
Shape shape_along(const Tensor& x, const Shape& indices, int axis, const char* operation) {
  if (x.rank() != indices.rank()) throw_shapes(operation, "x and indices differ in rank", x.shape(), indices);
  Shape others = x.shape();
  others[axis] = indices[axis];
  return broadcast_shapes(others, indices, operation);
}

// As an operand of this dtype, seen under this shape.
Tensor operand(const Tensor& x, DType dtype, const Shape& shape) { return x.cast(dtype).broadcast_to(shape); }

}  // namespace

Tensor take(const Tensor& x, const Tensor& indices, std::optional<std::int64_t> axis) {
  const TakePlan plan(x, indices, axis);
  Shape shape;
  for (int i = 0; i < plan.source.rank(); ++i) {
    if (i != plan.axis) {
      shape.push_back(plan.source.shape()[i]);
    } else {
      for (const std::int64_t size : indices.shape()) shape.push_back(size);
    }
  }
  return reshape(gather_positions(plan.source, plan.positions, plan.axis), shape.span());
}

Tensor gather(const Tensor& x, const Tensor& indices, std::int64_t given_axis) {
  const int axis = normalize_axis(given_axis, x.rank(), "gather");
  const Shape shape = shape_along(x, indices.shape(), axis, "gather");
  return gather_positions(x, positions_of(indices, x.shape()[axis], axis, "gather").broadcast_to(shape), axis);
}

Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& updates, std::int64_t given_axis) {
  const int axis = normalize_axis(given_axis, x.rank(), "scatterAdd");
  const DType dtype = promote_types(x.dtype(), updates.dtype());
  const DType summed = is_floating(dtype) ? dtype : DType::kInt64;
  const Shape given = broadcast_shapes(indices.shape(), updates.shape(), "scatterAdd");
  const Shape shape = shape_along(x, given, axis, "scatterAdd");
  for (int other = 0; other < x.rank(); ++other) {
    if (other != axis && shape[other] != x.shape()[other]) {
      throw_shapes("scatterAdd", "indices and updates do not broadcast to x", given, x.shape());
    }
  }
  Tensor totals = copy_as(x, summed);
  const Tensor positions = positions_of(indices, x.shape()[axis], axis, "scatterAdd");
  add_at_positions(totals, positions.broadcast_to(shape), operand(updates, summed, shape), axis);
  return totals.cast(dtype);
}

namespace {

template <typename T>
void select(const bool* condition, const std::byte* a, const std::byte* b, std::byte* out, const std::int64_t* steps,
            std::int64_t length) {
  const T* x = reinterpret_cast<const T*>(a);
  const T* y = reinterpret_cast<const T*>(b);
  T* result = reinterpret_cast<T*>(out);
  for (std::int64_t i = 0; i < length; ++i) {
    result[i] = condition[i * steps[0]] ? x[i * steps[1]] : y[i * steps[2]];
  }
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  const DType dtype = promote_types(a.dtype(), b.dtype());
  const Shape shape = broadcast_shapes(condition.shape(), broadcast_shapes(a.shape(), b.shape(), "where"), "where");
  const Tensor x = operand(a, dtype, shape);
  const Tensor y = operand(b, dtype, shape);
  const Tensor chosen = condition.broadcast_to(shape);
  Tensor result = Tensor::empty(shape, dtype);
  const auto* conditions = chosen.data<bool>();
  const auto* first = static_cast<const std::byte*>(x.raw_data());
  const auto* second = static_cast<const std::byte*>(y.raw_data());
  auto* out = static_cast<std::byte*>(result.raw_data());
  const auto size = static_cast<std::int64_t>(dtype_size(dtype));
  const auto select_row = size == 8 ? select<std::uint64_t> : size == 4 ? select<std::uint32_t> : select<std::uint8_t>;
  for_each_row<4>(shape, {&chosen.strides(), &x.strides(), &y.strides(), &result.strides()},
                  [&](const auto& offsets, const auto& steps, std::int64_t length) {
                    select_row(conditions + offsets[0], first + offsets[1] * size, second + offsets[2] * size,
                               out + offsets[3] * size, steps, length);
                  });
  return result;
}

std::vector<Tensor> nonzero(const Tensor& x) {
  if (x.rank() == 0) {
    throw_error(ErrorCode::kShape, {"nonzero: a tensor without axes has no positions; give it one with reshape"});
  }
  const Tensor flags = x.cast(DType::kBool).contiguous();
  const bool* flag = flags.data<bool>();
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < flags.size(); ++i) count += flag[i] ? 1 : 0;
  std::vector<Tensor> results;
  std::int64_t* positions[kMaxRank] = {};
  for (int axis = 0; axis < x.rank(); ++axis) {
    results.push_back(Tensor::empty({count}, DType::kInt64));
    positions[axis] = results.back().data<std::int64_t>();
  }
  for (std::int64_t i = 0, found = 0; i < flags.size(); ++i) {
    if (!flag[i]) continue;
    std::int64_t rest = i;
    for (int axis = x.rank() - 1; axis >= 0; --axis) {
      positions[axis][found] = rest % x.shape()[axis];
      rest /= x.shape()[axis];
    }
    ++found;
  }
  return results;
}

namespace {

using Backward = const BackwardArguments&;

std::optional<std::int64_t> optional_axis(const Attributes& attributes, std::size_t index) {
  return attributes.has(index) ? std::optional(attributes.integer(index)) : std::nullopt;
}

Gradients take_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const TakePlan plan(x, at.inputs[1], optional_axis(at.attributes, 0));
  const Tensor rows = reshape(at.grad_output, plan.positions.shape().span());
  Gradients gradients(2);
  gradients[0] =
      reshape(spread_to_positions(rows, plan.positions, plan.axis, plan.source.shape()[plan.axis]), x.shape().span());
  return gradients;
}

Gradients gather_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const int axis = normalize_axis(at.attributes.integer(0), x.rank(), "gather");
  const std::int64_t size = x.shape()[axis];
  const Tensor positions = positions_of(at.inputs[1], size, axis, "gather").broadcast_to(at.grad_output.shape());
  Gradients gradients(2);
  gradients[0] = spread_to_positions(at.grad_output, positions, axis, size);
  return gradients;
}

// Of an op that takes `chosen` where `condition` is true, and `other` elsewhere, by the places of its three inputs.
Gradients choice_gradient(Backward at, std::size_t condition, std::size_t chosen, std::size_t other) {
  const Tensor zero = Tensor::zeros({}, at.grad_output.dtype());
  Gradients gradients(3);
  if (at.wants(chosen)) gradients[chosen] = where(at.inputs[condition], at.grad_output, zero);
  if (at.wants(other)) gradients[other] = where(at.inputs[condition], zero, at.grad_output);
  return gradients;
}

Tensor masked_fill(const OpCall& call) {
  const Shape& shape = call[0].shape();
  const Shape given = broadcast_shapes(call[1].shape(), call[2].shape(), "maskedFill");
  if (broadcast_shapes(shape, given, "maskedFill") != shape) {
    throw_shapes("maskedFill", "mask and value do not broadcast to x", given, shape);
  }
  return where(call[1], call[2], call[0]);
}

constexpr OpEntry kOps[] = {
    {"take(x, indices: index; axis: integer?)", DTypeRule::kAny,
     [](const OpCall& call) { return take(call[0], call[1], optional_axis(call.attributes, 0)); }, take_gradient,
     kSaveInputs},
    {"gather(x, indices: index; axis: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return gather(call[0], call[1], call.attributes.integer(0)); }, gather_gradient,
     kSaveInputs},
    {"scatterAdd(x, indices: index, updates; axis: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return scatter_add(call[0], call[1], call[2], call.attributes.integer(0)); },
     [](Backward at) -> Gradients {
       const Tensor& indices = at.inputs[1];
       const Shape shape = broadcast_shapes(indices.shape(), at.inputs[2].shape(), "scatterAdd");
       Gradients gradients(3);
       gradients[0] = at.grad_output;
       gradients[2] = gather(at.grad_output, indices.broadcast_to(shape), at.attributes.integer(0));
       return gradients;
     },
     kSaveInputs},
    {"where(condition: condition, a, b)", DTypeRule::kAny,
     [](const OpCall& call) { return where(call[0], call[1], call[2]); },
     [](Backward at) { return choice_gradient(at, 0, 1, 2); }, kSaveInputs},
    {"maskedFill(x, mask: condition, value)", DTypeRule::kAny, masked_fill,
     [](Backward at) { return choice_gradient(at, 1, 2, 0); }, kSaveInputs},
    {"nonzero(x) -> ...positions", DTypeRule::kIndices, nullptr, nullptr, kSaveNothing, nullptr,
     [](const OpCall& call) { return nonzero(call[0]); }},
};

}  // namespace

std::span<const OpEntry> index_ops() { return kOps; }

}  // namespace minitensor
