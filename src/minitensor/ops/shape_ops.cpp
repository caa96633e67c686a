#include "minitensor/ops/shape_ops.h"

#include <algorithm>
#include <optional>

#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce_loop.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

[[noreturn]] void throw_reshape(const Tensor& x, std::span<const std::int64_t> shape, const char* rule) {
  throw_error(ErrorCode::kShape, {"reshape: ", rule, ": ", x.shape(), " to ", Dims(shape)});
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

Tensor permuted(const Tensor& x, std::span<const std::int64_t> axes, const char* operation, bool undo) {
  const int rank = x.rank();
  if (axes.size() != static_cast<std::size_t>(rank)) {
    throw_error(ErrorCode::kShape, {operation, ": ", static_cast<std::int64_t>(axes.size()), " axes given for shape ",
                                    x.shape(), "; give each axis once"});
  }
  axis_set(axes, rank, operation);
  Shape shape = x.shape();
  Strides strides = x.strides();
  for (int axis = 0; axis < rank; ++axis) {
    const int other = normalize_axis(axes[static_cast<std::size_t>(axis)], rank, operation);
    const int source = undo ? axis : other;
    const int target = undo ? other : axis;
    shape[target] = x.shape()[source];
    strides[target] = x.strides()[source];
  }
  return x.view(shape, strides);
}

namespace {

// Those given, or all in reverse order.
Dims order_of(const Tensor& x, std::span<const std::int64_t> axes) {
  if (!axes.empty()) return Dims(axes);
  Dims reversed;
  for (int axis = x.rank() - 1; axis >= 0; --axis) reversed.push_back(axis);
  return reversed;
}

}  // namespace

Tensor transpose(const Tensor& x, std::span<const std::int64_t> axes) {
  return permuted(x, order_of(x, axes).span(), "transpose");
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
  if (step == 0) throw_error(ErrorCode::kValue, {"slice: the step is 0"});
  // A step beyond the size takes one element, as does the size itself.
  step = std::clamp(step, -size - 1, size + 1);
  const std::int64_t first = clamped(start, size, step);
  const std::int64_t end = stop ? clamped(*stop, size, step) : (step < 0 ? -1 : size);
  const std::int64_t distance = step < 0 ? first - end : end - first;
  const std::int64_t width = step < 0 ? -step : step;
  return {first, step, distance <= 0 ? 0 : (distance + width - 1) / width};
}

using OptionalIntegers = std::optional<std::span<const std::int64_t>>;

void require_count(const char* what, const OptionalIntegers& values, std::size_t axes) {
  if (!values || values->size() == axes) return;
  throw_error(ErrorCode::kShape, {"slice: ", static_cast<std::int64_t>(values->size()), " values of ", what, " for ",
                                  static_cast<std::int64_t>(axes), " axes"});
}

}  // namespace

Gradients reshaped_back(const BackwardArguments& at) { return {reshape(at.grad_output, at.inputs[0].shape().span())}; }

Gradients passed_back(const BackwardArguments& at) {
  Gradients gradients(1);
  gradients[0] = at.grad_output;
  return gradients;
}

Tensor slice(const Tensor& x, const Slice& given) {
  const std::size_t count = given.start.size();
  require_count("stop", given.stop, count);
  require_count("step", given.step, count);
  require_count("axes", given.axes, count);
  Shape shape = x.shape();
  Strides strides = x.strides();
  std::int64_t offset = 0;
  if (given.axes) axis_set(given.axes, x.rank(), "slice");
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t wanted = given.axes ? (*given.axes)[i] : static_cast<std::int64_t>(i);
    const int axis = normalize_axis(wanted, x.rank(), "slice");
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

constexpr OpEntry kOps[] = {
    {"reshape(x; shape: integers)", DTypeRule::kAny,
     [](const OpCall& call) { return reshape(call[0], call.shape(0).span()); }, reshaped_back, kSaveNothing},
    {"transpose(x; axes: integers = [])", DTypeRule::kAny,
     [](const OpCall& call) { return transpose(call[0], call.attributes.integers(0)); },
     [](Backward at) -> Gradients {
       const Dims order = order_of(at.grad_output, at.attributes.integers(0));
       return {permuted(at.grad_output, order.span(), "transpose", true)};
     },
     kSaveNothing},
    {"broadcastTo(x; shape: integers)", DTypeRule::kAny,
     [](const OpCall& call) {
       const Shape shape = call.shape(0);
       element_count(shape, "broadcastTo");
       return call[0].broadcast_to(shape);
     },
     passed_back, kSaveNothing},
    {"slice(x; start: integers, stop: integers?, step: integers?, axes: integers?)", DTypeRule::kAny,
     [](const OpCall& call) { return slice(call[0], slice_of(call.attributes)); },
     [](Backward at) -> Gradients {
       Tensor gradient = Tensor::zeros(at.inputs[0].shape(), at.grad_output.dtype());
       slice(gradient, slice_of(at.attributes)).assign(at.grad_output);
       return {gradient};
     },
     kSaveNothing},
    {"cast(x; dtype: dtype)", DTypeRule::kFree,
     [](const OpCall& call) { return call[0].cast(call.attributes.dtype(0)); }, passed_back, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> shape_ops() { return kOps; }

}  // namespace minitensor
