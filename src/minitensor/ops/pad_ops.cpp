#include "minitensor/ops/pad_ops.h"

#include <algorithm>
#include <array>
#include <string>

#include "minitensor/base/text.h"
#include "minitensor/ops/extend_axis.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce_loop.h"
#include "minitensor/ops/shape_ops.h"

namespace minitensor {

namespace {

// x with axes of size 1 in front, as tile has it for `count` numbers.
Shape tiled_shape(const Shape& shape, std::size_t count) {
  Shape result;
  for (std::size_t i = static_cast<std::size_t>(shape.rank()); i < count; ++i) result.push_back(1);
  for (const std::int64_t size : shape) result.push_back(size);
  return result;
}

Extension tile_extension(const Shape& shape, std::span<const std::int64_t> repeats) {
  Extension extension{Dims::filled(shape.rank(), 0), shape};
  const int skipped = shape.rank() - static_cast<int>(repeats.size());
  for (int axis = skipped; axis < shape.rank(); ++axis) {
    const std::int64_t times = repeats[static_cast<std::size_t>(axis - skipped)];
    if (times < 0) throw Error(ErrorCode::kValue, "tile: a number of repeats is negative: " + std::to_string(times));
    extension.count[axis] = element_count({shape[axis], times}, "tile");
  }
  return extension;
}

using OptionalAxes = std::optional<std::span<const std::int64_t>>;

Extension roll_extension(const Shape& shape, std::span<const std::int64_t> shift, std::span<const std::int64_t> axes) {
  const std::size_t count = std::max(shift.size(), axes.size());
  if ((shift.size() != count && shift.size() != 1) || (axes.size() != count && axes.size() != 1)) {
    throw Error(ErrorCode::kShape,
                "roll: " + std::to_string(shift.size()) + " shifts for " + std::to_string(axes.size()) + " axes");
  }
  Extension extension{Dims::filled(shape.rank(), 0), shape};
  for (std::size_t i = 0; i < count; ++i) {
    const int axis = normalize_axis(axes[axes.size() == 1 ? 0 : i], shape.rank(), "roll");
    if (shape[axis] == 0) continue;
    std::int64_t& before = extension.before[axis];
    before = (before + shift[shift.size() == 1 ? 0 : i] % shape[axis]) % shape[axis];
  }
  return extension;
}

constexpr std::array<std::int64_t, 1> kFirstAxis{0};
constexpr std::array<std::int64_t, 1> kFlat{-1};

}  // namespace

Tensor tile(const Tensor& x, std::span<const std::int64_t> repeats) {
  const Shape shape = tiled_shape(x.shape(), repeats.size());
  return extend(reshape(x, shape.span()), tile_extension(shape, repeats));
}

Tensor roll(const Tensor& x, std::span<const std::int64_t> shift, const OptionalAxes& axes) {
  if (axes) return extend(x, roll_extension(x.shape(), shift, *axes));
  const Tensor flat = reshape(x, kFlat);
  return reshape(extend(flat, roll_extension(flat.shape(), shift, kFirstAxis)), x.shape().span());
}

namespace {

struct Padding {
  Extension extension;
  bool is_constant;
};

Dims widths(std::span<const std::int64_t> given, const Shape& shape, const char* name) {
  if (given.size() != 1 && given.size() != static_cast<std::size_t>(shape.rank())) {
    throw Error(ErrorCode::kShape, "pad: " + std::to_string(given.size()) + " values of " + name + " for shape " +
                                       to_string(shape) + "; give one for each axis, or one for all");
  }
  Dims result = Dims::filled(shape.rank(), given.empty() ? 0 : given[0]);
  for (int axis = 0; axis < shape.rank() && given.size() > 1; ++axis) {
    result[axis] = given[static_cast<std::size_t>(axis)];
  }
  for (const std::int64_t width : result) {
    if (width < 0) {
      throw Error(ErrorCode::kValue, "pad: a width of " + std::string(name) + " is negative: " + to_string(result));
    }
  }
  return result;
}

Padding padding_of(const Shape& shape, std::span<const std::int64_t> before, std::span<const std::int64_t> after,
                   std::string_view mode) {
  constexpr std::array<std::string_view, 5> kModes{"wrap", "edge", "reflect", "symmetric", "constant"};
  const auto found = static_cast<std::size_t>(std::find(kModes.begin(), kModes.end(), mode) - kModes.begin());
  if (found == kModes.size()) {
    throw Error(ErrorCode::kValue,
                "pad: unknown mode " + quote(mode) + "; known are: constant, edge, reflect, symmetric, wrap");
  }
  const bool is_constant = found == kModes.size() - 1;
  Padding padding{{widths(before, shape, "before"), shape, static_cast<Beyond>(is_constant ? 0 : found)}, is_constant};
  const Dims behind = widths(after, shape, "after");
  for (int axis = 0; axis < shape.rank(); ++axis) {
    std::int64_t& count = padding.extension.count[axis];
    const std::int64_t added = add_sizes(padding.extension.before[axis], behind[axis], "pad");
    if (shape[axis] == 0 && added > 0 && !is_constant) {
      throw Error(ErrorCode::kValue, "pad: axis " + std::to_string(axis) + " of shape " + to_string(shape) +
                                         " has no elements to repeat; pad it with mode constant");
    }
    count = add_sizes(count, added, "pad");
  }
  return padding;
}

// What is not padding, as a view.
Tensor interior(const Tensor& padded, const Dims& before, const Shape& shape) {
  std::int64_t offset = 0;
  for (int axis = 0; axis < shape.rank() && element_count(shape, "pad") > 0; ++axis) {
    offset += before[axis] * padded.strides()[axis];
  }
  return padded.view(shape, padded.strides(), offset);
}

Tensor padded(const Tensor& x, const Padding& padding, double value) {
  if (!padding.is_constant) return extend(x, padding.extension);
  Tensor result = Tensor::full(padding.extension.count, value, x.dtype());
  interior(result, padding.extension.before, x.shape()).assign(x);
  return result;
}

}  // namespace

Tensor pad(const Tensor& x, std::span<const std::int64_t> before, std::span<const std::int64_t> after,
           std::string_view mode, double value) {
  return padded(x, padding_of(x.shape(), before, after, mode), value);
}

namespace {

using Backward = const BackwardArguments&;

Gradients tile_gradient(Backward at) {
  const std::vector<std::int64_t>& repeats = at.attributes.integers(0);
  const Shape shape = tiled_shape(at.inputs[0].shape(), repeats.size());
  const Tensor gradient = extend_gradient(at.grad_output, tile_extension(shape, repeats), shape);
  return {reshape(gradient, at.inputs[0].shape().span())};
}

Gradients roll_gradient(Backward at) {
  const OptionalAxes axes = optional_axes(at.attributes, 1);
  const Tensor gradient = axes ? at.grad_output : reshape(at.grad_output, kFlat);
  Extension back = roll_extension(gradient.shape(), at.attributes.integers(0), axes.value_or(kFirstAxis));
  for (int axis = 0; axis < gradient.rank(); ++axis) back.before[axis] = -back.before[axis];
  return {reshape(extend(gradient, back), at.inputs[0].shape().span())};
}

Padding padding_of(const Attributes& attributes, const Shape& shape) {
  const std::vector<std::int64_t>& before = attributes.integers(0);
  return padding_of(shape, before, attributes.has(1) ? attributes.integers(1) : before, attributes.string(2));
}

Gradients pad_gradient(Backward at) {
  const Shape& shape = at.inputs[0].shape();
  const Padding padding = padding_of(at.attributes, shape);
  return {padding.is_constant ? interior(at.grad_output, padding.extension.before, shape)
                              : extend_gradient(at.grad_output, padding.extension, shape)};
}

constexpr OpEntry kOps[] = {
    {"tile(x; repeats: integers)", DTypeRule::kAny,
     [](const OpCall& call) { return tile(call[0], call.attributes.integers(0)); }, tile_gradient, kSaveNothing},
    {"roll(x; shift: integers, axis: integers?)", DTypeRule::kAny,
     [](const OpCall& call) { return roll(call[0], call.attributes.integers(0), optional_axes(call.attributes, 1)); },
     roll_gradient, kSaveNothing},
    {"pad(x; before: integers, after: integers?, mode: string = constant, value: number = 0)", DTypeRule::kAny,
     [](const OpCall& call) {
       return padded(call[0], padding_of(call.attributes, call[0].shape()), call.attributes.number(3));
     },
     pad_gradient, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> pad_ops() { return kOps; }

}  // namespace minitensor
