#include "minitensor/ops/elementary.h"

#include <array>
#include <cmath>
#include <numbers>

#include "minitensor/ops/chain_rule.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/op_table.h"

namespace minitensor {

namespace {

// The functions of one input that stand in the table below, each with its derivative in terms of x or of y.
#define MT_AT_INPUT(X)                                \
  X(log, 1 / x)                                       \
  X(log1p, 1 / (1 + x))                               \
  X(log2, std::numbers::log2e / x)                    \
  X(log10, std::numbers::log10e / x)                  \
  X(sin, kernels::float64::cos(x))                    \
  X(cos, -kernels::float64::sin(x))                   \
  X(asin, 1 / std::sqrt((1 - x) * (1 + x)))           \
  X(acos, -1 / std::sqrt((1 - x) * (1 + x)))          \
  X(atan, 1 / (1 + x * x))                            \
  X(sinh, kernels::float64::cosh(x))                  \
  X(cosh, kernels::float64::sinh(x))                  \
  X(asinh, 1 / std::sqrt(1 + x * x))                  \
  X(acosh, 1 / (std::sqrt(x - 1) * std::sqrt(x + 1))) \
  X(atanh, 1 / ((1 - x) * (1 + x)))                   \
  X(erf, 2 * std::numbers::inv_sqrtpi * kernels::float64::exp(-x * x))

#define MT_AT_OUTPUT(X)      \
  X(expm1, y + 1)            \
  X(sqrt, 0.5 / y)           \
  X(rsqrt, -0.5 * y * y * y) \
  X(tan, 1 + y * y)

namespace derivative {

#define MT_DERIVATIVE(name, formula) \
  double name(double x) { return formula; }
MT_AT_INPUT(MT_DERIVATIVE)
#undef MT_DERIVATIVE

#define MT_DERIVATIVE(name, formula) \
  double name(double y) { return formula; }
MT_AT_OUTPUT(MT_DERIVATIVE)
#undef MT_DERIVATIVE

}  // namespace derivative

namespace kernel_of {

#define MT_KERNELS(name, formula) constexpr Elementwise name = MT_ARRAY_KERNELS(name);
MT_AT_INPUT(MT_KERNELS)
MT_AT_OUTPUT(MT_KERNELS)
#undef MT_KERNELS

}  // namespace kernel_of

constexpr Elementwise kAtan2{"atan2", DTypeRule::kFloat, kernel::array2<float, kernels::atan2>,
                             kernel::array2<double, kernels::atan2>};

}  // namespace

#define MT_FUNCTION(name, formula) \
  Tensor name(const Tensor& x) { return run_kernels(kernel_of::name, {&x, 1}); }
MT_AT_INPUT(MT_FUNCTION)
MT_AT_OUTPUT(MT_FUNCTION)
#undef MT_FUNCTION

Tensor atan2(const Tensor& y, const Tensor& x) {
  const std::array<Tensor, 2> inputs{y, x};
  return run_kernels(kAtan2, inputs);
}

namespace {

// d/dy = x / (x^2 + y^2), d/dx = -y / (x^2 + y^2)
Gradients atan2_gradient(const BackwardArguments& at) {
  const Tensor& y = at.inputs[0];
  const Tensor& x = at.inputs[1];
  const Tensor g = div(at.grad_output, add(mul(x, x), mul(y, y)));
  return {mul(g, x), neg(mul(g, y))};
}

constexpr OpEntry kOps[] = {
#define MT_ENTRY(name, formula) \
  elementwise_op(#name "(x)", kernel_of::name, derivative_at_input<derivative::name>, kSaveInputs),
    MT_AT_INPUT(MT_ENTRY)
#undef MT_ENTRY
#define MT_ENTRY(name, formula) \
  elementwise_op(#name "(x)", kernel_of::name, derivative_at_output<derivative::name>, kSaveOutputs),
        MT_AT_OUTPUT(MT_ENTRY)
#undef MT_ENTRY
            elementwise_op("atan2(y, x)", kAtan2, atan2_gradient, kSaveInputs),
};

}  // namespace

std::span<const OpEntry> elementary_ops() { return kOps; }

}  // namespace minitensor
