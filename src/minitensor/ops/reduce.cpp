#include "minitensor/ops/reduce.h"

#include <array>
#include <limits>

#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reductions.h"
#include "minitensor/ops/scan.h"
#include "minitensor/ops/shape_ops.h"

namespace minitensor {

namespace {

struct Times {
  double operator()(double a, double b) const { return a * b; }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  }
};

struct Either {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != 0 || b != 0);
  }
};

struct Both {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != 0 && b != 0);
  }
};

constexpr Reduction kProd = make_reduction<Times>("prod", DTypeRule::kTotal, 1);
constexpr Reduction kAny = make_reduction<Either>("any", DTypeRule::kPredicate, 0);
constexpr Reduction kAll = make_reduction<Both>("all", DTypeRule::kPredicate, 1);

double quotient(double total, double count) { return total / count; }

Tensor reduce_over(const Reduction& reduction, const Tensor& x, OptionalAxes axes, bool keep_dims) {
  return reduce(reduction, x, axis_set(axes, x.rank(), reduction.name), keep_dims);
}

}  // namespace

Tensor sum(const Tensor& x, OptionalAxes axes, bool keep_dims) { return reduce_over(kSum, x, axes, keep_dims); }

Tensor mean(const Tensor& x, OptionalAxes axes, bool keep_dims) {
  return reduce(kMean, x, axis_set(axes, x.rank(), "mean"), keep_dims, quotient);
}

Tensor prod(const Tensor& x, OptionalAxes axes, bool keep_dims) { return reduce_over(kProd, x, axes, keep_dims); }
Tensor max(const Tensor& x, OptionalAxes axes, bool keep_dims) { return reduce_over(kMax, x, axes, keep_dims); }
Tensor min(const Tensor& x, OptionalAxes axes, bool keep_dims) { return reduce_over(kMin, x, axes, keep_dims); }
Tensor any(const Tensor& x, OptionalAxes axes, bool keep_dims) { return reduce_over(kAny, x, axes, keep_dims); }
Tensor all(const Tensor& x, OptionalAxes axes, bool keep_dims) { return reduce_over(kAll, x, axes, keep_dims); }

Tensor sum_to_shape(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  const int added = x.rank() - shape.rank();
  AxisSet axes;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis < added || (shape[axis - added] == 1 && x.shape()[axis] != 1)) axes.set(static_cast<std::size_t>(axis));
  }
  return reshape(reduce(kSum, x, axes, true), shape.span());
}

Tensor spread(const Tensor& reduced, const Shape& shape, const AxisSet& axes) {
  return reshape(reduced, reduced_shape(shape, axes, true).span()).broadcast_to(shape);
}

namespace {

using Backward = const BackwardArguments&;

AxisSet axes_of(const Tensor& x, const Attributes& attributes, const char* operation) {
  return axis_set(optional_axes(attributes, 0), x.rank(), operation);
}

template <const Reduction& kReduction>
Tensor forward(const OpCall& call) {
  return reduce_over(kReduction, call[0], optional_axes(call.attributes, 0), call.attributes.boolean(1));
}

// 1 where an element is the extreme one, NaN being one.
struct Matches {
  double operator()(double x, double extreme) const {
    return x == extreme || (x != x && extreme != extreme) ? 1 : 0;  // NOLINT(misc-redundant-expression)
  }
};

constexpr Elementwise kMatches{"max", DTypeRule::kFloat, nullptr, kernel::binary<double, double, Matches>};

}  // namespace

Tensor shared_among_extremes(const Tensor& x, const Tensor& extreme, const Tensor& gradient, const AxisSet& axes) {
  const std::array<Tensor, 2> pair{x.cast(DType::kFloat64), spread(extreme, x.shape(), axes)};
  const Tensor matches = run_kernels(kMatches, pair);
  const Tensor count = reduce(kSum, matches, axes, true);
  return mul(matches, spread(div(reshape(gradient, count.shape().span()), count), x.shape(), axes));
}

namespace {

Gradients extreme_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  return {shared_among_extremes(x, at.output, at.grad_output, axes_of(x, at.attributes, "max"))};
}

constexpr OpEntry kOps[] = {
    {"sum(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kTotal, forward<kSum>,
     [](Backward at) -> Gradients {
       return {spread(at.grad_output, at.inputs[0].shape(), axes_of(at.inputs[0], at.attributes, "sum"))};
     },
     kSaveNothing},
    {"mean(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kFloat,
     [](const OpCall& call) {
       return reduce(kMean, call[0], axes_of(call[0], call.attributes, "mean"), call.attributes.boolean(1), quotient);
     },
     [](Backward at) -> Gradients {
       const Tensor& x = at.inputs[0];
       const auto count = static_cast<double>(x.size()) / static_cast<double>(at.output.size());
       return {div(spread(at.grad_output, x.shape(), axes_of(x, at.attributes, "mean")),
                   Tensor::full({}, count, at.grad_output.dtype()))};
     },
     kSaveNothing},
    {"prod(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kTotal, forward<kProd>,
     [](Backward at) -> Gradients {
       return {product_gradient(at.inputs[0], at.grad_output, axes_of(at.inputs[0], at.attributes, "prod"))};
     },
     kSaveInputs},
    {"max(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kAny, forward<kMax>, extreme_gradient},
    {"min(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kAny, forward<kMin>, extreme_gradient},
    {"any(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kPredicate, forward<kAny>},
    {"all(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kPredicate, forward<kAll>},
};

}  // namespace

std::span<const OpEntry> reduce_ops() { return kOps; }

}  // namespace minitensor
