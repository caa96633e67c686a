#include "minitensor/ops/view_ops.h"

#include <algorithm>

#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce_loop.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

Tensor flatten(const Tensor& x, std::int64_t first, std::int64_t last) {
  const Shape sizes = x.rank() == 0 ? Shape{1} : x.shape();
  const int begin = normalize_axis(first, sizes.rank(), "flatten");
  const int end = normalize_axis(last, sizes.rank(), "flatten");
  if (begin > end) {
    throw_error(ErrorCode::kShape,
                {"flatten: startAxis ", begin, " comes after endAxis ", end, " in shape ", x.shape()});
  }
  Shape shape;
  Shape joined;
  for (int axis = 0; axis < sizes.rank(); ++axis) {
    (axis < begin || axis > end ? shape : joined).push_back(sizes[axis]);
    if (axis == end) shape.push_back(element_count(joined, "flatten"));
  }
  return reshape(x, shape.span());
}

Tensor squeeze(const Tensor& x, const std::optional<std::span<const std::int64_t>>& axes) {
  const AxisSet given = axis_set(axes, x.rank(), "squeeze");
  Shape shape;
  for (int axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t size = x.shape()[axis];
    if (given[static_cast<std::size_t>(axis)] && size == 1) continue;
    if (given[static_cast<std::size_t>(axis)] && axes) {
      throw_error(ErrorCode::kShape, {"squeeze: axis ", axis, " of shape ", x.shape(), " has size ", size, ", not 1"});
    }
    shape.push_back(size);
  }
  return reshape(x, shape.span());
}

Tensor expand_dims(const Tensor& x, std::span<const std::int64_t> axes) {
  Shape shape = Shape::filled(x.rank() + static_cast<int>(std::min<std::size_t>(axes.size(), kMaxRank)), 1);
  const AxisSet added = axis_set(axes, shape.rank(), "expandDims");
  int source = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!added[static_cast<std::size_t>(axis)]) shape[axis] = x.shape()[source++];
  }
  return reshape(x, shape.span());
}

Tensor permute_dims(const Tensor& x, std::span<const std::int64_t> axes) { return permuted(x, axes, "permuteDims"); }

Tensor move_axis(const Tensor& x, std::span<const std::int64_t> source, std::span<const std::int64_t> destination) {
  if (source.size() != destination.size()) {
    throw_error(ErrorCode::kShape, {"moveAxis: ", static_cast<std::int64_t>(source.size()), " axes of source for ",
                                    static_cast<std::int64_t>(destination.size()), " of destination"});
  }
  const AxisSet moved = axis_set(source, x.rank(), "moveAxis");
  const AxisSet taken = axis_set(destination, x.rank(), "moveAxis");
  Dims order = Dims::filled(x.rank(), 0);
  for (std::size_t i = 0; i < source.size(); ++i) {
    order[normalize_axis(destination[i], x.rank(), "")] = normalize_axis(source[i], x.rank(), "");
  }
  std::size_t next = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (taken[static_cast<std::size_t>(axis)]) continue;
    while (moved[next]) ++next;
    order[axis] = static_cast<std::int64_t>(next++);
  }
  return permuted(x, order.span(), "moveAxis");
}

Tensor flip(const Tensor& x, const std::optional<std::span<const std::int64_t>>& axes) {
  const AxisSet flipped = axis_set(axes, x.rank(), "flip");
  // Without elements there is no last one to begin at, and sizes may be of any magnitude.
  if (x.size() == 0) return x.view(x.shape(), x.strides());
  Strides strides = x.strides();
  std::int64_t offset = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!flipped[static_cast<std::size_t>(axis)]) continue;
    offset += strides[axis] * (x.shape()[axis] - 1);
    strides[axis] = -strides[axis];
  }
  return x.view(x.shape(), strides, offset);
}

namespace {

using Backward = const BackwardArguments&;

constexpr OpEntry kOps[] = {
    {"flatten(x; startAxis: integer = 0, endAxis: integer = -1)", DTypeRule::kAny,
     [](const OpCall& call) { return flatten(call[0], call.attributes.integer(0), call.attributes.integer(1)); },
     reshaped_back, kSaveNothing},
    {"squeeze(x; axis: integers?)", DTypeRule::kAny,
     [](const OpCall& call) { return squeeze(call[0], optional_axes(call.attributes, 0)); }, reshaped_back,
     kSaveNothing},
    {"expandDims(x; axis: integers)", DTypeRule::kAny,
     [](const OpCall& call) { return expand_dims(call[0], call.attributes.integers(0)); }, reshaped_back, kSaveNothing},
    {"permuteDims(x; axes: integers)", DTypeRule::kAny,
     [](const OpCall& call) { return permute_dims(call[0], call.attributes.integers(0)); },
     [](Backward at) -> Gradients {
       return {permuted(at.grad_output, at.attributes.integers(0), "permuteDims", true)};
     },
     kSaveNothing},
    {"moveAxis(x; source: integers, destination: integers)", DTypeRule::kAny,
     [](const OpCall& call) { return move_axis(call[0], call.attributes.integers(0), call.attributes.integers(1)); },
     [](Backward at) -> Gradients {
       return {move_axis(at.grad_output, at.attributes.integers(1), at.attributes.integers(0))};
     },
     kSaveNothing},
    {"flip(x; axis: integers?)", DTypeRule::kAny,
     [](const OpCall& call) { return flip(call[0], optional_axes(call.attributes, 0)); },
     [](Backward at) -> Gradients { return {flip(at.grad_output, optional_axes(at.attributes, 0))}; }, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> view_ops() { return kOps; }

}  // namespace minitensor
