// Exponentials of the elements along axes, from their maximum, so that nothing overflows.
#include "minitensor/ops/softmax.h"

#include <cmath>
#include <limits>

#include "minitensor/ops/arithmetic.h"
#include "minitensor/ops/elementary.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/rows.h"

namespace minitensor {

Tensor softmax(const Tensor& x, std::int64_t axis, Softmax form, const char* operation) {
  const AxisSet axes = one_axis(axis, x.rank(), operation);
  Tensor rows = to_rows(x, axes, x.dtype());
  if (rows.shares_storage_with(x)) rows = rows.clone();
  softmax_rows(rows, form);
  return from_rows(rows, x.shape(), axes);
}

namespace {

using Backward = const BackwardArguments&;

// The sum over the axis that the op was computed along, with it.
Tensor sum_along(Backward at, const Tensor& x) {
  const std::int64_t axis = at.attributes.integer(0);
  return x.rank() == 0 ? x : sum(x, std::span(&axis, 1), true);
}

// x without what is not finite.
struct FiniteOrZero {
  double operator()(double x) const { return std::isfinite(x) ? x : 0; }
};

constexpr Elementwise kFiniteOrZero{"logSumExp", DTypeRule::kFloat, nullptr,
                                    kernel::unary<double, double, FiniteOrZero>};

Tensor log_sum_exp(const OpCall& call) {
  const OptionalAxes axes = optional_axes(call.attributes, 0);
  const AxisSet set = axis_set(axes, call[0].rank(), "logSumExp");
  const Tensor x = call[0].cast(DType::kFloat64);
  const Shape shape = reduced_shape(x.shape(), set, call.attributes.boolean(1));
  // Of no elements the sum is 0.
  const Tensor top = x.size() > 0 ? max(x, axes, true) : sum(x, axes, true);
  // From an infinite maximum no difference has a value.
  const Tensor shift = run_kernels(kFiniteOrZero, {&top, 1});
  const Tensor result = add(log(sum(exp(sub(x, shift)), axes, true)), shift);
  return result.view(shape, row_major_strides(shape)).cast(call.dtype);
}

constexpr OpEntry kOps[] = {
    // y (g - sum g y)
    {"softmax(x; axis: integer = -1)", DTypeRule::kFloat,
     [](const OpCall& call) {
       return softmax(call.promoted(0), call.attributes.integer(0), Softmax::kProbabilities, "softmax");
     },
     [](Backward at) -> Gradients {
       const Tensor& g = at.grad_output;
       return {mul(at.output, sub(g, sum_along(at, mul(g, at.output))))};
     },
     kSaveOutputs},
    // g - e^y sum g
    {"logSoftmax(x; axis: integer = -1)", DTypeRule::kFloat,
     [](const OpCall& call) {
       return softmax(call.promoted(0), call.attributes.integer(0), Softmax::kLogarithms, "logSoftmax");
     },
     [](Backward at) -> Gradients { return {sub(at.grad_output, mul(exp(at.output), sum_along(at, at.grad_output)))}; },
     kSaveOutputs},
    // g e^(x - y)
    {"logSumExp(x; axis: integers?, keepDims: boolean = false)", DTypeRule::kFloat, log_sum_exp,
     [](Backward at) -> Gradients {
       const Tensor& x = at.inputs[0];
       const AxisSet axes = axis_set(optional_axes(at.attributes, 0), x.rank(), "logSumExp");
       // Where all elements are -Infinity, the differences from the result would be NaN.
       const DType dtype = at.output.dtype();
       const double least =
           dtype == DType::kFloat32 ? std::numeric_limits<float>::lowest() : std::numeric_limits<double>::lowest();
       const Tensor total = maximum(at.output, Tensor::full({}, least, dtype));
       return {mul(spread(at.grad_output, x.shape(), axes), exp(sub(x, spread(total, x.shape(), axes))))};
     }},
};

}  // namespace

std::span<const OpEntry> softmax_ops() { return kOps; }

}  // namespace minitensor
