#include "minitensor/ops/shape_ops.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <string>

#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce_loop.h"

namespace minitensor {

namespace {

[[noreturn]] void throw_reshape(const Tensor& x, std::span<const std::int64_t> shape, const std::string& rule) {
  throw Error(ErrorCode::kShape, "reshape: " + rule + ": " + to_string(x.shape()) + " to " + to_string(Dims(shape)));
}

Shape resolve_shape(const Tensor& x, std::span<const std::int64_t> sizes) {
  Shape shape(sizes);
  int inferred = -1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] < -1) throw_reshape(x, sizes, "a size is negative");
    if (shape[axis] != -1) continue;
    if (inferred >= 0) throw_reshape(x, sizes, "only one size may be -1");
    inferred = axis;
  }
  if (inferred >= 0) {
    shape[inferred] = 1;
    const std::int64_t known = element_count(shape, "reshape");
    if (known == 0) throw_reshape(x, sizes, "-1 is not determined by sizes of 0");
    if (x.size() % known != 0) throw_reshape(x, sizes, "sizes do not match");
    shape[inferred] = x.size() / known;
  }
  if (element_count(shape, "reshape") != x.size()) throw_reshape(x, sizes, "sizes do not match");
  return shape;
}

// Strides under which the same memory has another shape, where there are such: axes are taken in groups of equal
// size from both shapes, and within a group the old axes must follow each other in memory.
std::optional<Strides> strides_without_copy(const Tensor& x, const Shape& shape) {
  Dims sizes;
  Dims steps;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (x.shape()[axis] == 1) continue;
    sizes.push_back(x.shape()[axis]);
    steps.push_back(x.strides()[axis]);
  }
  Strides strides = Strides::filled(shape.rank(), 1);
  int old_axis = 0;
  int new_axis = 0;
  while (old_axis < sizes.rank()) {
    int old_end = old_axis;
    int new_end = new_axis;
    std::int64_t old_count = sizes[old_end++];
    std::int64_t new_count = shape[new_end++];
    while (old_count != new_count) {
      if (old_count < new_count) {
        old_count *= sizes[old_end++];
      } else {
        new_count *= shape[new_end++];
      }
    }
    for (int axis = old_axis; axis + 1 < old_end; ++axis) {
      if (steps[axis] != steps[axis + 1] * sizes[axis + 1]) return std::nullopt;
    }
    strides[new_end - 1] = steps[old_end - 1];
    for (int axis = new_end - 1; axis > new_axis; --axis) strides[axis - 1] = strides[axis] * shape[axis];
    old_axis = old_end;
    new_axis = new_end;
  }
  return strides;  // what is left of the new shape are ones, whose strides do not matter
}

}  // namespace

Tensor reshape(const Tensor& x, std::span<const std::int64_t> shape) {
  const Shape resolved = resolve_shape(x, shape);
  if (x.size() == 0 || x.is_contiguous()) return x.view(resolved, row_major_strides(resolved));
  if (const auto strides = strides_without_copy(x, resolved)) return x.view(resolved, *strides);
  return x.clone().view(resolved, row_major_strides(resolved));
}

Tensor transpose(const Tensor& x, std::span<const std::int64_t> axes) {
  const int rank = x.rank();
  if (!axes.empty() && axes.size() != static_cast<std::size_t>(rank)) {
    throw Error(ErrorCode::kShape, "transpose: " + std::to_string(axes.size()) + " axes given for a tensor of rank " +
                                       std::to_string(rank));
  }
  std::bitset<kMaxRank> used;
  Shape shape = Shape::filled(rank, 0);
  Strides strides = Strides::filled(rank, 0);
  for (int axis = 0; axis < rank; ++axis) {
    const int source =
        axes.empty() ? rank - 1 - axis : normalize_axis(axes[static_cast<std::size_t>(axis)], rank, "transpose");
    if (used[static_cast<std::size_t>(source)]) {
      throw Error(ErrorCode::kShape, "transpose: axis " + std::to_string(source) + " is given twice");
    }
    used.set(static_cast<std::size_t>(source));
    shape[axis] = x.shape()[source];
    strides[axis] = x.strides()[source];
  }
  return x.view(shape, strides);
}

namespace {

// What a slice of one axis comes to: Python's slice.indices.
struct Range {
  std::int64_t first;
  std::int64_t step;
  std::int64_t count;
};

// A position counted from the front, clamped to where a walk in the direction of `step` can begin or end.
std::int64_t clamped(std::int64_t position, std::int64_t size, std::int64_t step) {
  const std::int64_t low = step < 0 ? -1 : 0;
  const std::int64_t high = step < 0 ? size - 1 : size;
  if (position < 0) position = position < -size ? -1 : position + size;
  return std::clamp(position, low, high);
}

Range range_of(std::int64_t start, std::optional<std::int64_t> stop, std::int64_t step, std::int64_t size) {
  if (step == 0) throw Error(ErrorCode::kValue, "slice: the step is 0");
  // A step beyond the size takes one element, as does the size itself.
  step = std::clamp(step, -size - 1, size + 1);
  const std::int64_t first = clamped(start, size, step);
  const std::int64_t end = stop ? clamped(*stop, size, step) : (step < 0 ? -1 : size);
  const std::int64_t distance = step < 0 ? first - end : end - first;
  const std::int64_t width = step < 0 ? -step : step;
  return {first, step, distance <= 0 ? 0 : (distance + width - 1) / width};
}

void require_count(const char* what, std::size_t count, std::size_t axes) {
  if (count == axes) return;
  throw Error(ErrorCode::kShape,
              "slice: " + std::to_string(count) + " values of " + what + " for " + std::to_string(axes) + " axes");
}

}  // namespace

Tensor slice(const Tensor& x, const Slice& given) {
  const std::size_t count = given.start.size();
  if (given.stop) require_count("stop", given.stop->size(), count);
  if (given.step) require_count("step", given.step->size(), count);
  if (given.axes) require_count("axes", given.axes->size(), count);
  Shape shape = x.shape();
  Strides strides = x.strides();
  std::int64_t offset = 0;
  AxisSet used;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t wanted = given.axes ? (*given.axes)[i] : static_cast<std::int64_t>(i);
    const int axis = normalize_axis(wanted, x.rank(), "slice");
    if (used[static_cast<std::size_t>(axis)]) {
      throw Error(ErrorCode::kShape, "slice: axis " + std::to_string(wanted) + " is given twice");
    }
    used.set(static_cast<std::size_t>(axis));
    const Range range = range_of(given.start[i], given.stop ? std::optional((*given.stop)[i]) : std::nullopt,
                                 given.step ? (*given.step)[i] : 1, x.shape()[axis]);
    shape[axis] = range.count;
    strides[axis] = x.strides()[axis] * range.step;
    if (range.count > 0) offset += x.strides()[axis] * range.first;
  }
  // Of no elements any place will do, but one beyond the storage.
  return x.view(shape, strides, element_count(shape, "slice") == 0 ? 0 : offset);
}

namespace {

using Backward = const BackwardArguments&;

Slice slice_of(const Attributes& attributes) {
  return {attributes.integers(0), optional_axes(attributes, 1), optional_axes(attributes, 2),
          optional_axes(attributes, 3)};
}

// The permutation that undoes `axes`.
std::vector<std::int64_t> inverse(std::span<const std::int64_t> axes) {
  std::vector<std::int64_t> result(axes.size());
  const int rank = static_cast<int>(axes.size());
  for (int axis = 0; axis < rank; ++axis) {
    const auto source = static_cast<std::size_t>(normalize_axis(axes[static_cast<std::size_t>(axis)], rank, ""));
    result[source] = axis;
  }
  return result;
}

Gradients reshape_gradient(Backward at) { return {reshape(at.grad_output, at.inputs[0].shape().span())}; }

constexpr OpEntry kOps[] = {
    {"reshape(x; shape: integers)", DTypeRule::kAny,
     [](const OpCall& call) { return reshape(call[0], call.attributes.integers(0)); }, reshape_gradient, kSaveNothing},
    {"transpose(x; axes: integers = [])", DTypeRule::kAny,
     [](const OpCall& call) { return transpose(call[0], call.attributes.integers(0)); },
     [](Backward at) -> Gradients { return {transpose(at.grad_output, inverse(at.attributes.integers(0)))}; },
     kSaveNothing},
    {"broadcastTo(x; shape: integers)", DTypeRule::kAny,
     [](const OpCall& call) {
       const Shape shape(call.attributes.integers(0));
       element_count(shape, "broadcastTo");
       return call[0].broadcast_to(shape);
     },
     [](Backward at) -> Gradients { return {at.grad_output}; }, kSaveNothing},
    {"slice(x; start: integers, stop: integers?, step: integers?, axes: integers?)", DTypeRule::kAny,
     [](const OpCall& call) { return slice(call[0], slice_of(call.attributes)); },
     [](Backward at) -> Gradients {
       Tensor gradient = Tensor::zeros(at.inputs[0].shape(), at.grad_output.dtype());
       slice(gradient, slice_of(at.attributes)).assign(at.grad_output);
       return {gradient};
     },
     kSaveNothing},
    {"cast(x; dtype: dtype)", DTypeRule::kFree,
     [](const OpCall& call) { return call[0].cast(call.attributes.dtype(0)); },
     [](Backward at) -> Gradients { return {at.grad_output}; }, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> shape_ops() { return kOps; }

}  // namespace minitensor
