#include "minitensor/ops/shape_ops.h"

#include <bitset>
#include <optional>
#include <string>

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

}  // namespace minitensor
