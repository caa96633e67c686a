// Reductions that are made of others: computed in float64, and rounded once.
#include <algorithm>
#include <cmath>
#include <limits>

#include "minitensor/base/number_text.h"
#include "minitensor/ops/arithmetic.h"
#include "minitensor/ops/elementary.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using Backward = const BackwardArguments&;

// a / b, but 0 where b is: for gradients at a point where there is none, 0 is as good as any.
struct QuotientOrZero {
  double operator()(double a, double b) const { return b == 0 ? 0 : a / b; }
};

constexpr Elementwise kQuotientOrZero{"std", DTypeRule::kFloat, nullptr,
                                      kernel::binary<double, double, QuotientOrZero>};

Tensor quotient_or_zero(const Tensor& a, const Tensor& b) {
  const Tensor inputs[] = {a.cast(DType::kFloat64), b.cast(DType::kFloat64)};
  return run_kernels(kQuotientOrZero, inputs);
}

Tensor number(double value) { return Tensor::full({}, value, DType::kFloat64); }

AxisSet axes_of(const Tensor& x, const Attributes& attributes, const char* operation) {
  return axis_set(optional_axes(attributes, 0), x.rank(), operation);
}

// The number of elements that are reduced into one, less the correction, but not below 0.
double freedom(const Shape& shape, const AxisSet& axes, double correction) {
  double count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axes[static_cast<std::size_t>(axis)]) count *= static_cast<double>(shape[axis]);
  }
  return std::max(count - correction, 0.0);
}

Tensor deviations(const Tensor& x, const Attributes& attributes) {
  const Tensor wide = x.cast(DType::kFloat64);
  return sub(wide, mean(wide, optional_axes(attributes, 0), true));
}

Tensor variance(const OpCall& call, const char* name) {
  const AxisSet axes = axes_of(call[0], call.attributes, name);
  const Tensor deviation = deviations(call[0], call.attributes);
  const Tensor total = sum(square(deviation), optional_axes(call.attributes, 0), call.attributes.boolean(2));
  return div(total, number(freedom(call[0].shape(), axes, call.attributes.number(1))));
}

// The deviations, times `factor` of each result, times `scale` over the degrees of freedom.
Gradients variance_gradient(Backward at, const Tensor& factor, double scale) {
  const Tensor& x = at.inputs[0];
  const AxisSet axes = axes_of(x, at.attributes, "var");
  const Tensor ratio = number(scale / freedom(x.shape(), axes, at.attributes.number(1)));
  return {mul(spread(mul(factor, ratio), x.shape(), axes), deviations(x, at.attributes))};
}

enum class Order { kOne, kTwo, kInfinity };

Order order_of(const Attributes& attributes) {
  const double order = attributes.number(1);
  if (order == 1) return Order::kOne;
  if (order == 2) return Order::kTwo;
  if (order == std::numeric_limits<double>::infinity()) return Order::kInfinity;
  throw_error(ErrorCode::kValue, {"norm: ord must be 1, 2 or infinity, not ", number_text(order)});
}

Tensor norm(const OpCall& call) {
  const Order order = order_of(call.attributes);
  const OptionalAxes axes = optional_axes(call.attributes, 0);
  const bool keep_dims = call.attributes.boolean(2);
  const AxisSet set = axes_of(call[0], call.attributes, "norm");
  const Tensor x = abs(call[0].cast(DType::kFloat64));
  if (order == Order::kTwo) return sqrt(sum(square(x), axes, keep_dims)).cast(call.dtype);
  // Of no elements the sum, 0, is the largest magnitude, too.
  const bool is_sum = order == Order::kOne || freedom(x.shape(), set, 0) == 0;
  return (is_sum ? sum : max)(x, axes, keep_dims).cast(call.dtype);
}

Gradients norm_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const AxisSet axes = axes_of(x, at.attributes, "norm");
  const Order order = order_of(at.attributes);
  if (order == Order::kTwo) {
    return {mul(x, spread(quotient_or_zero(at.grad_output, at.output), x.shape(), axes))};
  }
  const Tensor wide = x.cast(DType::kFloat64);
  const Tensor signs = sign(wide);
  if (order == Order::kOne) return {mul(signs, spread(at.grad_output, x.shape(), axes))};
  return {mul(signs, shared_among_extremes(abs(wide), at.output, at.grad_output, axes))};
}

constexpr OpEntry kOps[] = {
    {"var(x; axis: integers?, correction: number = 0, keepDims: boolean = false)", DTypeRule::kFloat,
     [](const OpCall& call) { return variance(call, "var").cast(call.dtype); },
     [](Backward at) { return variance_gradient(at, at.grad_output, 2); }, kSaveInputs},
    {"std(x; axis: integers?, correction: number = 0, keepDims: boolean = false)", DTypeRule::kFloat,
     [](const OpCall& call) { return sqrt(variance(call, "std")).cast(call.dtype); },
     [](Backward at) { return variance_gradient(at, quotient_or_zero(at.grad_output, at.output), 1); }},
    {"norm(x; axis: integers?, ord: number = 2, keepDims: boolean = false)", DTypeRule::kFloat, norm, norm_gradient},
};

}  // namespace

std::span<const OpEntry> statistics_ops() { return kOps; }

}  // namespace minitensor
