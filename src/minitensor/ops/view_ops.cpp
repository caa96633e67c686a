#include "minitensor/ops/view_ops.h"

#include <string>
#include <vector>

#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce_loop.h"
#include "minitensor/ops/shape_ops.h"

namespace minitensor {

Tensor flatten(const Tensor& x, std::int64_t first, std::int64_t last) {
  const int rank = x.rank() == 0 ? 1 : x.rank();
  const int begin = normalize_axis(first, rank, "flatten");
  const int end = normalize_axis(last, rank, "flatten");
  if (begin > end) {
    throw Error(ErrorCode::kShape, "flatten: startAxis " + std::to_string(begin) + " comes after endAxis " +
                                       std::to_string(end) + " in shape " + to_string(x.shape()));
  }
  Shape shape;
  Shape joined;
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t size = x.rank() == 0 ? 1 : x.shape()[axis];
    (axis < begin || axis > end ? shape : joined).push_back(size);
    if (axis == end) shape.push_back(element_count(joined, "flatten"));
  }
  return reshape(x, shape.span());
}

Tensor squeeze(const Tensor& x, const std::optional<std::span<const std::int64_t>>& axes) {
  AxisSet removed;
  if (axes) removed = axis_set(axes, x.rank(), "squeeze");
  Shape shape;
  Strides strides;
  for (int axis = 0; axis < x.rank(); ++axis) {
    const bool is_given = removed[static_cast<std::size_t>(axis)];
    if (is_given && x.shape()[axis] != 1) {
      throw Error(ErrorCode::kShape, "squeeze: axis " + std::to_string(axis) + " of shape " + to_string(x.shape()) +
                                         " has size " + std::to_string(x.shape()[axis]) + ", not 1");
    }
    if (is_given || (!axes && x.shape()[axis] == 1)) continue;
    shape.push_back(x.shape()[axis]);
    strides.push_back(x.strides()[axis]);
  }
  return x.view(shape, strides);
}

Tensor expand_dims(const Tensor& x, std::span<const std::int64_t> axes) {
  const int rank = Shape::filled(x.rank() + static_cast<int>(std::min<std::size_t>(axes.size(), kMaxRank)), 1).rank();
  const AxisSet added = axis_set(axes, rank, "expandDims");
  Shape shape;
  Strides strides;
  int source = 0;
  for (int axis = 0; axis < rank; ++axis) {
    const bool is_added = added[static_cast<std::size_t>(axis)];
    shape.push_back(is_added ? 1 : x.shape()[source]);
    strides.push_back(is_added ? 1 : x.strides()[source]);
    if (!is_added) ++source;
  }
  return x.view(shape, strides);
}

Tensor permute_dims(const Tensor& x, std::span<const std::int64_t> axes) {
  const AxisSet used = axis_set(axes, x.rank(), "permuteDims");
  if (used.count() != static_cast<std::size_t>(x.rank())) {
    throw Error(ErrorCode::kShape, "permuteDims: " + std::to_string(axes.size()) + " axes given for shape " +
                                       to_string(x.shape()) + "; give each axis once");
  }
  return transpose(x, axes);
}

Tensor move_axis(const Tensor& x, std::span<const std::int64_t> source, std::span<const std::int64_t> destination) {
  if (source.size() != destination.size()) {
    throw Error(ErrorCode::kShape, "moveAxis: " + std::to_string(source.size()) + " axes of source for " +
                                       std::to_string(destination.size()) + " of destination");
  }
  const AxisSet moved = axis_set(source, x.rank(), "moveAxis");
  axis_set(destination, x.rank(), "moveAxis");
  std::vector<std::int64_t> order(static_cast<std::size_t>(x.rank()), -1);
  for (std::size_t i = 0; i < source.size(); ++i) {
    order[static_cast<std::size_t>(normalize_axis(destination[i], x.rank(), ""))] =
        normalize_axis(source[i], x.rank(), "");
  }
  std::size_t next = 0;
  for (std::int64_t& axis : order) {
    if (axis >= 0) continue;
    while (moved[next]) ++next;
    axis = static_cast<std::int64_t>(next++);
  }
  return transpose(x, order);
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

Gradients reshaped_back(Backward at) { return {reshape(at.grad_output, at.inputs[0].shape().span())}; }

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
       static constexpr std::int64_t kInOrder[kMaxRank] = {0, 1, 2, 3, 4, 5, 6, 7};
       const std::vector<std::int64_t>& axes = at.attributes.integers(0);
       return {move_axis(at.grad_output, std::span(kInOrder).first(axes.size()), axes)};
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
