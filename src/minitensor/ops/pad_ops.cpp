#include "minitensor/ops/pad_ops.h"

#include <algorithm>
#include <array>

#include "minitensor/base/text.h"
#include "minitensor/ops/extend_axis.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce_loop.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using Integers = std::span<const std::int64_t>;
using OptionalAxes = std::optional<Integers>;

// What each of these ops comes to: windows of a tensor that is seen under another shape.
struct Plan {
  Shape shape;
  Extension extension;
  Shape result;
};

Tensor forward(const Tensor& x, const Plan& plan) {
  return reshape(extend(reshape(x, plan.shape.span()), plan.extension), plan.result.span());
}

Gradients backward(const BackwardArguments& at, const Plan& plan) {
  const Tensor windows = reshape(at.grad_output, plan.extension.count.span());
  return {reshape(extend_gradient(windows, plan.extension, plan.shape), at.inputs[0].shape().span())};
}

std::int64_t length(Integers values) { return static_cast<std::int64_t>(values.size()); }

// The value for this place, where one is for all.
std::int64_t at_place(Integers values, std::size_t place) { return values[values.size() == 1 ? 0 : place]; }

Plan tile_plan(const Shape& given, Integers repeats) {
  Plan plan;
  // Axes of size 1 in front.
  for (auto i = static_cast<std::size_t>(given.rank()); i < repeats.size(); ++i) plan.shape.push_back(1);
  for (const std::int64_t size : given) plan.shape.push_back(size);
  plan.extension = {Dims::filled(plan.shape.rank(), 0), plan.shape};
  const int skipped = plan.shape.rank() - static_cast<int>(repeats.size());
  for (int axis = skipped; axis < plan.shape.rank(); ++axis) {
    const std::int64_t times = repeats[static_cast<std::size_t>(axis - skipped)];
    if (times < 0) throw_error(ErrorCode::kValue, {"tile: a number of repeats is negative: ", times});
    plan.extension.count[axis] = element_count({plan.shape[axis], times}, "tile");
  }
  plan.result = plan.extension.count;
  return plan;
}

Plan roll_plan(const Shape& given, Integers shift, const OptionalAxes& given_axes) {
  constexpr static std::array<std::int64_t, 1> kFirstAxis{0};
  const Integers axes = given_axes.value_or(kFirstAxis);
  const std::size_t count = std::max(shift.size(), axes.size());
  if ((shift.size() != count && shift.size() != 1) || (axes.size() != count && axes.size() != 1)) {
    throw_error(ErrorCode::kShape, {"roll: ", length(shift), " shifts for ", length(axes), " axes"});
  }
  const Shape shape = given_axes ? given : Shape{element_count(given, "roll")};
  Plan plan{shape, {Dims::filled(shape.rank(), 0), shape}, given};
  for (std::size_t i = 0; i < count; ++i) {
    const int axis = normalize_axis(at_place(axes, i), shape.rank(), "roll");
    if (shape[axis] == 0) continue;
    std::int64_t& before = plan.extension.before[axis];
    before = (before + at_place(shift, i) % shape[axis]) % shape[axis];
  }
  return plan;
}

void require_widths(const Shape& shape, Integers widths, const char* name) {
  if (widths.size() != 1 && length(widths) != shape.rank()) {
    throw_error(ErrorCode::kShape, {"pad: ", length(widths), " values of ", name, " for shape ", shape,
                                    "; give one for each axis, or one for all"});
  }
  for (const std::int64_t width : widths) {
    if (width < 0) throw_error(ErrorCode::kValue, {"pad: a width of ", name, " is negative: ", width});
  }
}

Plan pad_plan(const Shape& shape, Integers before, Integers after, std::string_view mode, double value) {
  constexpr std::array<std::string_view, 5> kModes{"wrap", "edge", "reflect", "symmetric", "constant"};
  const auto found = static_cast<std::size_t>(std::find(kModes.begin(), kModes.end(), mode) - kModes.begin());
  if (found == kModes.size()) {
    throw_error(ErrorCode::kValue,
                {"pad: unknown mode ", quote(mode), "; known are: constant, edge, reflect, symmetric, wrap"});
  }
  require_widths(shape, before, "before");
  require_widths(shape, after, "after");
  Extension extension{shape, shape, static_cast<Beyond>(found), value};
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto place = static_cast<std::size_t>(axis);
    extension.before[axis] = at_place(before, place);
    const std::int64_t added = add_sizes(extension.before[axis], at_place(after, place), "pad");
    if (shape[axis] == 0 && added > 0 && extension.beyond != Beyond::kConstant) {
      throw_error(ErrorCode::kValue,
                  {"pad: axis ", axis, " of shape ", shape, " has no elements to repeat; pad it with mode constant"});
    }
    extension.count[axis] = add_sizes(shape[axis], added, "pad");
  }
  return {shape, extension, extension.count};
}

}  // namespace

Tensor tile(const Tensor& x, Integers repeats) { return forward(x, tile_plan(x.shape(), repeats)); }

Tensor roll(const Tensor& x, Integers shift, const OptionalAxes& axes) {
  return forward(x, roll_plan(x.shape(), shift, axes));
}

Tensor pad(const Tensor& x, Integers before, Integers after, std::string_view mode, double value) {
  return forward(x, pad_plan(x.shape(), before, after, mode, value));
}

namespace {

using Backward = const BackwardArguments&;

Plan tile_plan(const Attributes& given, const Tensor& x) { return tile_plan(x.shape(), given.integers(0)); }

Plan roll_plan(const Attributes& given, const Tensor& x) {
  return roll_plan(x.shape(), given.integers(0), optional_axes(given, 1));
}

Plan pad_plan(const Attributes& given, const Tensor& x) {
  return pad_plan(x.shape(), given.integers(0), given.integers(given.has(1) ? 1 : 0), given.string(2), given.number(3));
}

constexpr OpEntry kOps[] = {
    {"tile(x; repeats: integers)", DTypeRule::kAny,
     [](const OpCall& call) { return forward(call[0], tile_plan(call.attributes, call[0])); },
     [](Backward at) { return backward(at, tile_plan(at.attributes, at.inputs[0])); }, kSaveNothing},
    {"roll(x; shift: integers, axis: integers?)", DTypeRule::kAny,
     [](const OpCall& call) { return forward(call[0], roll_plan(call.attributes, call[0])); },
     [](Backward at) { return backward(at, roll_plan(at.attributes, at.inputs[0])); }, kSaveNothing},
    {"pad(x; before: integers, after: integers?, mode: string = constant, value: number = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return forward(call[0], pad_plan(call.attributes, call[0])); },
     [](Backward at) { return backward(at, pad_plan(at.attributes, at.inputs[0])); }, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> pad_ops() { return kOps; }

}  // namespace minitensor
