#include "minitensor/ops/activations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "minitensor/base/text.h"
#include "minitensor/ops/chain_rule.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// `parameters`: the slope for x < 0.

struct LeakyRelu {
  template <typename T>
  T operator()(T x, const double* parameters) const {
    return x * (x < 0 ? static_cast<T>(parameters[0]) : T{1});
  }
};

struct LeakyReluGradient {
  template <typename T>
  T operator()(T g, T x, const double* parameters) const {
    return g * (x > 0 ? T{1} : static_cast<T>(parameters[0]));
  }
};

// `parameters`: alpha, and a factor of all.

struct Elu {
  template <typename T>
  T operator()(T x, const double* parameters) const {
    const auto value = static_cast<double>(x);
    return static_cast<T>(parameters[1] * (value < 0 ? parameters[0] * kernels::float64::expm1(value) : value));
  }
};

struct EluGradient {
  template <typename T>
  T operator()(T g, T x, const double* parameters) const {
    const auto value = static_cast<double>(x);
    return static_cast<T>(static_cast<double>(g) * parameters[1] *
                          (value > 0 ? 1.0 : parameters[0] * kernels::float64::exp(value)));
  }
};

struct HardSwish {
  template <typename T>
  T operator()(T x) const {
    if (x <= -3) return T{-0.0F};
    return x < 3 ? x * (x + 3) / 6 : x;
  }
};

// The form of Hendrycks and Gimpel (Gaussian error linear units, 2016): x sigmoid(2 u), u = sqrt(2 / pi) (x + 0.044715
// x^3).
constexpr double kCubic = 0.044715;
constexpr double kDoubleRoot = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;

double sigmoid_of(double x) { return 1 / (1 + kernels::float64::exp(-x)); }

struct GeluTanh {
  template <typename T>
  T operator()(T x) const {
    const auto value = static_cast<double>(x);
    const double share = sigmoid_of(kDoubleRoot * (value + kCubic * value * value * value));
    return share == 0 ? T{-0.0F} : static_cast<T>(value * share);
  }
};

constexpr Elementwise kLeakyRelu = unary_kernels<LeakyRelu, false>("leakyRelu", DTypeRule::kFloat);
constexpr Elementwise kLeakyReluGradient = binary_kernels<LeakyReluGradient, false>("leakyRelu", DTypeRule::kFloat);
constexpr Elementwise kElu = unary_kernels<Elu, false>("elu", DTypeRule::kFloat);
constexpr Elementwise kEluGradient = binary_kernels<EluGradient, false>("elu", DTypeRule::kFloat);
constexpr Elementwise kSilu = MT_ARRAY_KERNELS(silu);
constexpr Elementwise kMish = MT_ARRAY_KERNELS(mish);
constexpr Elementwise kGelu = MT_ARRAY_KERNELS(gelu);
constexpr Elementwise kGeluTanh = unary_kernels<GeluTanh, false>("gelu", DTypeRule::kFloat);
constexpr Elementwise kSoftplus = MT_ARRAY_KERNELS(softplus);
constexpr Elementwise kHardSwish = unary_kernels<HardSwish, false>("hardSwish", DTypeRule::kFloat);

constexpr double kSelu[] = {1.6732632423543772848, 1.0507009873554804934};

Tensor apply_to(const Elementwise& op, const Tensor& x, const double* parameters = nullptr) {
  return run_kernels(op, {&x, 1}, parameters);
}

}  // namespace

Tensor leaky_relu(const Tensor& x, double negative_slope) { return apply_to(kLeakyRelu, x, &negative_slope); }

Tensor elu(const Tensor& x, double alpha) {
  const double parameters[] = {alpha, 1};
  return apply_to(kElu, x, parameters);
}

Tensor selu(const Tensor& x) { return apply_to(kElu, x, kSelu); }
Tensor silu(const Tensor& x) { return apply_to(kSilu, x); }
Tensor mish(const Tensor& x) { return apply_to(kMish, x); }
Tensor gelu(const Tensor& x, bool tanh) { return apply_to(tanh ? kGeluTanh : kGelu, x); }
Tensor softplus(const Tensor& x) { return apply_to(kSoftplus, x); }
Tensor hard_swish(const Tensor& x) { return apply_to(kHardSwish, x); }

namespace {

using Backward = const BackwardArguments&;

// Far out the functions are 0 or x as far as any dtype tells, and infinity must not be multiplied by 0.
double within(double x, double limit) { return std::clamp(x, -limit, limit); }

double silu_derivative(double x) {
  const double s = sigmoid_of(x);
  return s * (1 + within(x, 1000) * (1 - s));
}

// With t = tanh(softplus(x)): t + x sigmoid(x) (1 - t^2).
double mish_derivative(double x) {
  const double v = std::clamp(x, -1000.0, 40.0);
  const double e = kernels::float64::exp(v);
  const double n = e * (e + 2);
  const double t = n / (n + 2);
  return t + v * sigmoid_of(v) * (1 - t * t);
}

double gelu_derivative(double x) {
  x = within(x, 40);
  return kernels::float64::normal(x) +
         x * kernels::float64::exp(-0.5 * x * x) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

double gelu_tanh_derivative(double x) {
  x = within(x, 40);
  const double s = sigmoid_of(kDoubleRoot * (x + kCubic * x * x * x));
  return s + x * s * (1 - s) * kDoubleRoot * (1 + 3 * kCubic * x * x);
}

double hard_swish_derivative(double x) {
  if (x <= -3) return 0;
  return x < 3 ? x / 3 + 0.5 : 1;
}

Tensor with_parameters(const Elementwise& op, Backward at, const double* parameters) {
  const std::array<Tensor, 2> inputs{at.grad_output, at.inputs[0]};
  return run_kernels(op, inputs, parameters);
}

bool is_tanh_form(const Attributes& attributes) {
  const std::string& form = attributes.string(0);
  if (form == "none" || form == "tanh") return form == "tanh";
  throw_error(ErrorCode::kValue, {"gelu: approximate must be \"none\" or \"tanh\", not ", quote(form)});
}

constexpr OpEntry kOps[] = {
    {"leakyRelu(x; negativeSlope: number = 0.01)", DTypeRule::kFloat,
     [](const OpCall& call) { return leaky_relu(call[0], call.attributes.number(0)); },
     [](Backward at) -> Gradients {
       const double slope = at.attributes.number(0);
       return {with_parameters(kLeakyReluGradient, at, &slope)};
     },
     kSaveInputs},
    {"elu(x; alpha: number = 1)", DTypeRule::kFloat,
     [](const OpCall& call) { return elu(call[0], call.attributes.number(0)); },
     [](Backward at) -> Gradients {
       const double parameters[] = {at.attributes.number(0), 1};
       return {with_parameters(kEluGradient, at, parameters)};
     },
     kSaveInputs},
    {"selu(x)", DTypeRule::kFloat, [](const OpCall& call) { return selu(call[0]); },
     [](Backward at) -> Gradients { return {with_parameters(kEluGradient, at, kSelu)}; }, kSaveInputs},
    elementwise_op("silu(x)", kSilu, derivative_at_input<silu_derivative>, kSaveInputs),
    elementwise_op("mish(x)", kMish, derivative_at_input<mish_derivative>, kSaveInputs),
    {"gelu(x; approximate: string = none)", DTypeRule::kFloat,
     [](const OpCall& call) { return gelu(call[0], is_tanh_form(call.attributes)); },
     [](Backward at) -> Gradients {
       return {chain_rule(at.grad_output, at.inputs[0],
                          is_tanh_form(at.attributes) ? gelu_tanh_derivative : gelu_derivative)};
     },
     kSaveInputs},
    elementwise_op("softplus(x)", kSoftplus, derivative_at_input<sigmoid_of>, kSaveInputs),
    elementwise_op("hardSwish(x)", kHardSwish, derivative_at_input<hard_swish_derivative>, kSaveInputs),
};

}  // namespace

std::span<const OpEntry> activation_ops() { return kOps; }

}  // namespace minitensor
