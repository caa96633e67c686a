#include "minitensor/ops/arithmetic.h"

#include <array>
#include <cmath>
#include <type_traits>

#include "minitensor/ops/chain_rule.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

struct Abs {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return x < 0 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x)) : x;
    } else {
      return std::fabs(x);
    }
  }
};

struct Sign {
  template <typename T>
  T operator()(T x) const {
    const T sign = static_cast<T>(static_cast<int>(x > 0) - static_cast<int>(x < 0));
    return x != x ? x : sign;  // NaN
  }
};

struct Square {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(x) * static_cast<U>(x));
    } else {
      return x * x;
    }
  }
};

struct Reciprocal {
  template <typename T>
  T operator()(T x) const {
    return T{1} / x;
  }
};

// Integers are what they are rounded to.
#define MT_ROUNDING(Name, function)          \
  struct Name {                              \
    template <typename T>                    \
    T operator()(T x) const {                \
      if constexpr (std::is_integral_v<T>) { \
        return x;                            \
      } else {                               \
        return function(x);                  \
      }                                      \
    }                                        \
  };
MT_ROUNDING(Floor, std::floor)
MT_ROUNDING(Ceil, std::ceil)
MT_ROUNDING(Round, std::nearbyint)
MT_ROUNDING(Trunc, std::trunc)
#undef MT_ROUNDING

struct Minimum {
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a < b ? a : b; }
};

struct Maximum {
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a > b ? a : b; }
};

// Parts of gradients: g where a comparison of a and b holds, else 0.

struct WhereAtLeast {
  template <typename T>
  T operator()(T g, T a, T b) const {
    return a >= b ? g : T{0};
  }
};

struct WhereBelow {
  template <typename T>
  T operator()(T g, T a, T b) const {
    return a < b ? g : T{0};
  }
};

// Equal inputs of a maximum share its gradient.
struct WhereAbove {
  template <typename T>
  T operator()(T g, T a, T b) const {
    return a > b ? g : a == b ? g / 2 : T{0};
  }
};

template <typename F>
constexpr Elementwise ternary_kernels(const char* name) {
  return {name, DTypeRule::kFloat, kernel::ternary<float, float, F>, kernel::ternary<double, double, F>};
}

constexpr Elementwise kAbs = unary_kernels<Abs>("abs", DTypeRule::kNumeric);
constexpr Elementwise kSign = unary_kernels<Sign>("sign", DTypeRule::kNumeric);
constexpr Elementwise kSquare = unary_kernels<Square>("square", DTypeRule::kNumeric);
constexpr Elementwise kReciprocal = unary_kernels<Reciprocal, false>("reciprocal", DTypeRule::kFloat);
constexpr Elementwise kFloor = unary_kernels<Floor>("floor", DTypeRule::kNumeric);
constexpr Elementwise kCeil = unary_kernels<Ceil>("ceil", DTypeRule::kNumeric);
constexpr Elementwise kRound = unary_kernels<Round>("round", DTypeRule::kNumeric);
constexpr Elementwise kTrunc = unary_kernels<Trunc>("trunc", DTypeRule::kNumeric);
constexpr Elementwise minimum_kernels(const char* name) {
  return {name, DTypeRule::kAny, kernel::array2<float, kernels::minimum>, kernel::array2<double, kernels::minimum>,
          kernel::binary<std::int64_t, std::int64_t, Minimum>};
}

constexpr Elementwise maximum_kernels(const char* name) {
  return {name, DTypeRule::kAny, kernel::array2<float, kernels::maximum>, kernel::array2<double, kernels::maximum>,
          kernel::binary<std::int64_t, std::int64_t, Maximum>};
}

constexpr Elementwise kMinimum = minimum_kernels("minimum");
constexpr Elementwise kMaximum = maximum_kernels("maximum");
constexpr Elementwise kAtMost = minimum_kernels("clip");
constexpr Elementwise kAtLeast = maximum_kernels("clip");
constexpr Elementwise kWhereAtLeast = ternary_kernels<WhereAtLeast>("where");
constexpr Elementwise kWhereBelow = ternary_kernels<WhereBelow>("where");
constexpr Elementwise kWhereAbove = ternary_kernels<WhereAbove>("where");

template <typename... Inputs>
Tensor apply_to(const Elementwise& op, const Inputs&... inputs) {
  const std::array<Tensor, sizeof...(inputs)> list{inputs...};
  return run_kernels(op, list);
}

}  // namespace

Tensor abs(const Tensor& x) { return apply_to(kAbs, x); }
Tensor sign(const Tensor& x) { return apply_to(kSign, x); }
Tensor square(const Tensor& x) { return apply_to(kSquare, x); }
Tensor reciprocal(const Tensor& x) { return apply_to(kReciprocal, x); }
Tensor floor(const Tensor& x) { return apply_to(kFloor, x); }
Tensor ceil(const Tensor& x) { return apply_to(kCeil, x); }
Tensor round(const Tensor& x) { return apply_to(kRound, x); }
Tensor trunc(const Tensor& x) { return apply_to(kTrunc, x); }
Tensor minimum(const Tensor& a, const Tensor& b) { return apply_to(kMinimum, a, b); }
Tensor maximum(const Tensor& a, const Tensor& b) { return apply_to(kMaximum, a, b); }

Tensor clip(const Tensor& x, const Tensor& least, const Tensor& most) {
  if (least.is_defined()) {
    const Tensor raised = apply_to(kAtLeast, x, least);
    return most.is_defined() ? apply_to(kAtMost, raised, most) : raised;
  }
  if (most.is_defined()) return apply_to(kAtMost, x, most);
  throw_error(ErrorCode::kValue, {"clip: neither min nor max is given"});
}

namespace {

using Backward = const BackwardArguments&;

double abs_derivative(double x) { return Sign()(x); }
double square_derivative(double x) { return 2 * x; }
double reciprocal_derivative(double y) { return -y * y; }

// The gradient of a maximum; of a minimum with its inputs exchanged in `above` and `below`.
Gradients extremum_gradient(Backward at, std::size_t above, std::size_t below) {
  return {apply_to(kWhereAbove, at.grad_output, at.inputs[above], at.inputs[below]),
          apply_to(kWhereAbove, at.grad_output, at.inputs[below], at.inputs[above])};
}

const Tensor& input_or_none(std::span<const Tensor> inputs, std::size_t index) {
  static const Tensor none;
  return index < inputs.size() ? inputs[index] : none;
}

Gradients clip_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const Tensor& least = input_or_none(at.inputs, 1);
  const Tensor& most = input_or_none(at.inputs, 2);
  Gradients gradients(at.inputs.size());
  Tensor within = at.grad_output;
  if (least.is_defined()) within = apply_to(kWhereAtLeast, within, x, least);
  if (most.is_defined()) {
    within = apply_to(kWhereAtLeast, within, most, x);
    // What is below `least` has become that.
    const Tensor raised = least.is_defined() ? apply_to(kMaximum, x, least) : x;
    if (at.wants(2)) gradients[2] = apply_to(kWhereBelow, at.grad_output, most, raised);
  }
  if (least.is_defined() && at.wants(1)) {
    gradients[1] = apply_to(kWhereBelow, at.grad_output, x, least);
    if (most.is_defined()) gradients[1] = apply_to(kWhereAtLeast, gradients[1], most, least);
  }
  gradients[0] = within;
  return gradients;
}

constexpr OpEntry kOps[] = {
    elementwise_op("abs(x)", kAbs, derivative_at_input<abs_derivative>, kSaveInputs),
    elementwise_op("sign(x)", kSign, zero_gradient, kSaveNothing),
    elementwise_op("square(x)", kSquare, derivative_at_input<square_derivative>, kSaveInputs),
    elementwise_op("reciprocal(x)", kReciprocal, derivative_at_output<reciprocal_derivative>, kSaveOutputs),
    elementwise_op("floor(x)", kFloor, zero_gradient, kSaveNothing),
    elementwise_op("ceil(x)", kCeil, zero_gradient, kSaveNothing),
    elementwise_op("round(x)", kRound, zero_gradient, kSaveNothing),
    elementwise_op("trunc(x)", kTrunc, zero_gradient, kSaveNothing),
    elementwise_op(
        "minimum(a, b)", kMinimum, [](Backward at) { return extremum_gradient(at, 1, 0); }, kSaveInputs),
    elementwise_op(
        "maximum(a, b)", kMaximum, [](Backward at) { return extremum_gradient(at, 0, 1); }, kSaveInputs),
    {"clip(x, min?, max?)", DTypeRule::kNumeric,
     [](const OpCall& call) { return clip(call[0], input_or_none(call.inputs, 1), input_or_none(call.inputs, 2)); },
     clip_gradient, kSaveInputs},
};

}  // namespace

std::span<const OpEntry> arithmetic_ops() { return kOps; }

}  // namespace minitensor
