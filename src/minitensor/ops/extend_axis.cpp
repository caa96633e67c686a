#include "minitensor/ops/extend_axis.h"

#include <algorithm>
#include <limits>

#include "minitensor/ops/index_loop.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// Where the element at `place` comes from, which may be any number, on an axis of `size` elements, at least one.
std::int64_t source_of(std::int64_t place, std::int64_t size, Beyond beyond) {
  if (beyond == Beyond::kEdge) return std::clamp<std::int64_t>(place, 0, size - 1);
  // A period of what is reflected is the axis there and back.
  std::int64_t period = size;
  if (beyond == Beyond::kReflect) period = std::max<std::int64_t>(2 * size - 2, 1);
  if (beyond == Beyond::kSymmetric) period = 2 * size;
  const std::int64_t rest = place % period;
  const std::int64_t phase = rest < 0 ? rest + period : rest;
  if (phase < size) return phase;
  return beyond == Beyond::kReflect ? period - phase : period - 1 - phase;
}

// The positions that the window of an axis takes, as a view of the shape of the other axes.
Tensor window_positions(const Shape& shape, int axis, std::int64_t size, const Extension& extension) {
  const std::int64_t count = extension.count[axis];
  const Tensor result = [&] {
    Tensor made = Tensor::empty({count}, DType::kInt64);
    auto* positions = made.data<std::int64_t>();
    for (std::int64_t i = 0; i < count; ++i) {
      positions[i] = source_of(i - extension.before[axis], size, extension.beyond);
    }
    return made;
  }();
  Shape sizes = shape;
  sizes[axis] = count;
  Strides strides = Strides::filled(shape.rank(), 0);
  strides[axis] = 1;
  return result.view(sizes, strides);
}

bool is_whole(const Extension& extension, const Shape& shape, int axis) {
  return extension.before[axis] == 0 && extension.count[axis] == shape[axis];
}

// What of the windows is the axes themselves, as a view.
Tensor interior(const Tensor& windows, const Dims& before, const Shape& shape) {
  std::int64_t offset = 0;
  for (int axis = 0; axis < shape.rank() && element_count(shape, "pad") > 0; ++axis) {
    offset += before[axis] * windows.strides()[axis];
  }
  return windows.view(shape, windows.strides(), offset);
}

}  // namespace

Tensor extend(const Tensor& x, const Extension& extension) {
  if (extension.beyond == Beyond::kConstant) {
    Tensor windows = Tensor::full(extension.count, extension.value, x.dtype());
    interior(windows, extension.before, x.shape()).assign(x);
    return windows;
  }
  Tensor result = x;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (is_whole(extension, x.shape(), axis)) continue;
    const Tensor positions = window_positions(result.shape(), axis, x.shape()[axis], extension);
    result = gather_positions(result, positions, axis);
  }
  return result.shares_storage_with(x) ? result.clone() : result;
}

Tensor extend_gradient(const Tensor& windows, const Extension& extension, const Shape& shape) {
  if (extension.beyond == Beyond::kConstant) return interior(windows, extension.before, shape);
  Tensor result = windows;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (is_whole(extension, shape, axis)) continue;
    const Tensor positions = window_positions(result.shape(), axis, shape[axis], extension);
    result = spread_to_positions(result, positions, axis, shape[axis]);
  }
  return result;
}

std::int64_t add_sizes(std::int64_t a, std::int64_t b, const char* operation) {
  if (a > std::numeric_limits<std::int64_t>::max() / 4 - b) {
    throw_error(ErrorCode::kShape, {operation, ": sizes ", a, " and ", b, " make an axis that is too long"});
  }
  return a + b;
}

}  // namespace minitensor
