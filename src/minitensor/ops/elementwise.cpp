#include "minitensor/ops/elementwise.h"

#include <array>
#include <type_traits>

#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/op_table.h"

namespace minitensor {

namespace {

// Integers wrap around. Their unsigned counterparts do so by definition.
template <typename T, typename F>
T wrapping(T a, T b, F function) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(function(static_cast<U>(a), static_cast<U>(b)));
  } else {
    return function(a, b);
  }
}

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return wrapping(a, b, [](auto x, auto y) { return x + y; });
  }
};

struct Sub {
  template <typename T>
  T operator()(T a, T b) const {
    return wrapping(a, b, [](auto x, auto y) { return x - y; });
  }
};

struct Mul {
  template <typename T>
  T operator()(T a, T b) const {
    return wrapping(a, b, [](auto x, auto y) { return x * y; });
  }
};

struct Div {
  template <typename T>
  T operator()(T a, T b) const {
    return a / b;
  }
};

struct Neg {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) return Sub()(T{0}, x);
    return -x;
  }
};

struct Relu {
  template <typename T>
  T operator()(T x) const {
    // Written so that NaN, which compares with nothing, is kept.
    return x <= 0 ? T{0} : x;
  }
};

// Factors of gradients, of the output y and the gradient g with respect to it.

struct TanhGradient {
  template <typename T>
  T operator()(T g, T y) const {
    return g * (T{1} - y * y);
  }
};

struct SigmoidGradient {
  template <typename T>
  T operator()(T g, T y) const {
    return g * y * (T{1} - y);
  }
};

struct ReluGradient {
  template <typename T>
  T operator()(T g, T y) const {
    return y <= 0 ? T{0} : g;  // at 0 the gradient is 0
  }
};

constexpr Elementwise kAdd = binary_kernels<Add>("add", DTypeRule::kAny);
constexpr Elementwise kSub = binary_kernels<Sub>("sub", DTypeRule::kNumeric);
constexpr Elementwise kMul = binary_kernels<Mul>("mul", DTypeRule::kAny);
constexpr Elementwise kDiv = binary_kernels<Div, false>("div", DTypeRule::kFloat);
constexpr Elementwise kNeg = unary_kernels<Neg>("neg", DTypeRule::kNumeric);
constexpr Elementwise kExp = MT_ARRAY_KERNELS(exp);
constexpr Elementwise kTanh = MT_ARRAY_KERNELS(tanh);
constexpr Elementwise kSigmoid = MT_ARRAY_KERNELS(sigmoid);
constexpr Elementwise kRelu = unary_kernels<Relu>("relu", DTypeRule::kNumeric);
constexpr Elementwise kTanhGradient = binary_kernels<TanhGradient, false>("tanh", DTypeRule::kFloat);
constexpr Elementwise kSigmoidGradient = binary_kernels<SigmoidGradient, false>("sigmoid", DTypeRule::kFloat);
constexpr Elementwise kReluGradient = binary_kernels<ReluGradient, false>("relu", DTypeRule::kFloat);

Tensor apply_to(const Elementwise& op, const Tensor& x) { return run_kernels(op, {&x, 1}); }

Tensor apply_to(const Elementwise& op, const Tensor& a, const Tensor& b) {
  const std::array<Tensor, 2> inputs{a, b};
  return run_kernels(op, inputs);
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) { return apply_to(kAdd, a, b); }
Tensor sub(const Tensor& a, const Tensor& b) { return apply_to(kSub, a, b); }
Tensor mul(const Tensor& a, const Tensor& b) { return apply_to(kMul, a, b); }
Tensor div(const Tensor& a, const Tensor& b) { return apply_to(kDiv, a, b); }
Tensor neg(const Tensor& x) { return apply_to(kNeg, x); }
Tensor exp(const Tensor& x) { return apply_to(kExp, x); }
Tensor tanh(const Tensor& x) { return apply_to(kTanh, x); }
Tensor sigmoid(const Tensor& x) { return apply_to(kSigmoid, x); }
Tensor relu(const Tensor& x) { return apply_to(kRelu, x); }

namespace {

using Backward = const BackwardArguments&;

constexpr OpEntry kOps[] = {
    elementwise_op(
        "add(a, b)", kAdd, [](Backward at) -> Gradients { return {at.grad_output, at.grad_output}; }, kSaveNothing),
    elementwise_op(
        "sub(a, b)", kSub, [](Backward at) -> Gradients { return {at.grad_output, neg(at.grad_output)}; },
        kSaveNothing),
    elementwise_op(
        "mul(a, b)", kMul,
        [](Backward at) -> Gradients {
          return {at.wants(0) ? mul(at.grad_output, at.inputs[1]) : Tensor(),
                  at.wants(1) ? mul(at.grad_output, at.inputs[0]) : Tensor()};
        },
        kSaveInputs),
    // d/da = g / b, d/db = -g (a / b) / b
    elementwise_op("div(a, b)", kDiv,
                   [](Backward at) -> Gradients {
                     const Tensor quotient = div(at.grad_output, at.inputs[1]);
                     return {quotient, at.wants(1) ? neg(mul(quotient, at.output)) : Tensor()};
                   }),
    elementwise_op(
        "neg(x)", kNeg, [](Backward at) -> Gradients { return {neg(at.grad_output)}; }, kSaveNothing),
    elementwise_op(
        "exp(x)", kExp, [](Backward at) -> Gradients { return {mul(at.grad_output, at.output)}; }, kSaveOutputs),
    elementwise_op(
        "tanh(x)", kTanh, [](Backward at) -> Gradients { return {apply_to(kTanhGradient, at.grad_output, at.output)}; },
        kSaveOutputs),
    elementwise_op(
        "sigmoid(x)", kSigmoid,
        [](Backward at) -> Gradients { return {apply_to(kSigmoidGradient, at.grad_output, at.output)}; }, kSaveOutputs),
    elementwise_op(
        "relu(x)", kRelu, [](Backward at) -> Gradients { return {apply_to(kReluGradient, at.grad_output, at.output)}; },
        kSaveOutputs),
};

}  // namespace

std::span<const OpEntry> elementwise_ops() { return kOps; }

}  // namespace minitensor
