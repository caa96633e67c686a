#include "minitensor/ops/reduce.h"

#include <limits>

#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/shape_ops.h"

namespace minitensor {

namespace {

struct Plus {
  double operator()(double a, double b) const { return a + b; }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
};

constexpr Reduction kSum = make_reduction<Plus>("sum", DTypeRule::kTotal, 0);
constexpr Reduction kMean = make_reduction<Plus>("mean", DTypeRule::kFloat, 0);

double quotient(double total, double count) { return total / count; }

}  // namespace

Tensor sum(const Tensor& x, OptionalAxes axes, bool keep_dims) {
  return reduce(kSum, x, axis_set(axes, x.rank(), "sum"), keep_dims);
}

Tensor mean(const Tensor& x, OptionalAxes axes, bool keep_dims) {
  return reduce(kMean, x, axis_set(axes, x.rank(), "mean"), keep_dims, quotient);
}

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

constexpr OpEntry kOps[] = {
    {"sum(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kTotal,
     [](const OpCall& call) {
       return reduce(kSum, call[0], axes_of(call[0], call.attributes, "sum"), call.attributes.boolean(1));
     },
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
};

}  // namespace

std::span<const OpEntry> reduce_ops() { return kOps; }

}  // namespace minitensor
