// Powers, and division that rounds down. By 0, integers give 0, as in NumPy.

#include <array>
#include <cmath>

#include "minitensor/ops/arithmetic.h"
#include "minitensor/ops/chain_rule.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// By squaring; wraps around.
struct Power {
  std::int64_t operator()(std::int64_t base, std::int64_t exponent) const {
    if (exponent < 0) {
      throw_error(ErrorCode::kValue, {"pow: an integer to the power of ", exponent,
                                      " is no integer; cast one of them to float32 or float64 first"});
    }
    std::uint64_t result = 1;
    for (auto square = static_cast<std::uint64_t>(base); exponent > 0; exponent >>= 1) {
      if ((exponent & 1) != 0) result *= square;
      square *= square;
    }
    return static_cast<std::int64_t>(result);
  }
};

// The sign of the divisor, as in Python; also that of a 0.
struct Remainder {
  double operator()(double a, double b) const {
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    return (rest < 0) == (b < 0) ? rest : rest + b;
  }
  // The remainder of float32 is exact in float64 until b is added to it.
  float operator()(float a, float b) const {
    return static_cast<float>((*this)(static_cast<double>(a), static_cast<double>(b)));
  }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    // By -1, the quotient of the smallest integer would overflow.
    if (b == 0 || b == -1) return 0;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
};

struct FloorDivide {
  double operator()(double a, double b) const {
    if (b == 0) return a / b;
    double rest = std::fmod(a, b);
    double quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(0.0, a / b);
    // An integer but for rounding.
    rest = std::floor(quotient);
    return quotient - rest > 0.5 ? rest + 1 : rest;
  }
  float operator()(float a, float b) const {
    return static_cast<float>((*this)(static_cast<double>(a), static_cast<double>(b)));
  }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    if (b == 0) return 0;
    if (b == -1) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a));
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }
};

// b a^(b - 1), which is 0 for b = 0 whatever a is.
struct PowerByBase {
  template <typename T>
  T operator()(T a, T b) const {
    return b == 0 ? T{0}
                  : static_cast<T>(b * kernels::float64::pow(static_cast<double>(a), static_cast<double>(b) - 1));
  }
};

// y log(a), which tends to 0 with a for b > 0, and is 0 for a = b = 0 as a^b is 1 on the way there.
struct PowerByExponent {
  template <typename T>
  T operator()(T a, T b, T y) const {
    return a == 0 && b >= 0 ? T{0} : static_cast<T>(y * kernels::float64::log(static_cast<double>(a)));
  }
};

constexpr Elementwise kPow{"pow", DTypeRule::kNumeric, kernel::array2<float, kernels::pow>,
                           kernel::array2<double, kernels::pow>, kernel::binary<std::int64_t, std::int64_t, Power>};
constexpr Elementwise kRemainder = binary_kernels<Remainder>("remainder", DTypeRule::kNumeric);
constexpr Elementwise kFloorDivide = binary_kernels<FloorDivide>("floorDivide", DTypeRule::kNumeric);
constexpr Elementwise kPowerByBase = binary_kernels<PowerByBase, false>("pow", DTypeRule::kFloat);
constexpr Elementwise kPowerByExponent{"pow", DTypeRule::kFloat, kernel::ternary<float, float, PowerByExponent>,
                                       kernel::ternary<double, double, PowerByExponent>};

template <typename... Inputs>
Tensor apply_to(const Elementwise& op, const Inputs&... inputs) {
  const std::array<Tensor, sizeof...(inputs)> list{inputs...};
  return run_kernels(op, list);
}

}  // namespace

Tensor pow(const Tensor& a, const Tensor& b) { return apply_to(kPow, a, b); }
Tensor remainder(const Tensor& a, const Tensor& b) { return apply_to(kRemainder, a, b); }
Tensor floor_divide(const Tensor& a, const Tensor& b) { return apply_to(kFloorDivide, a, b); }

namespace {

using Backward = const BackwardArguments&;

Gradients pow_gradient(Backward at) {
  const Tensor& a = at.inputs[0];
  const Tensor& b = at.inputs[1];
  Gradients gradients(2);
  if (at.wants(0)) gradients[0] = mul(at.grad_output, apply_to(kPowerByBase, a, b));
  if (at.wants(1)) gradients[1] = mul(at.grad_output, apply_to(kPowerByExponent, a, b, at.output));
  return gradients;
}

// a - b floor(a / b)
Gradients remainder_gradient(Backward at) {
  const bool wants_b = at.wants(1);
  return {at.grad_output, wants_b ? neg(mul(at.grad_output, floor_divide(at.inputs[0], at.inputs[1]))) : Tensor()};
}

Gradients floor_divide_gradient(Backward at) { return {zero_gradient(at)[0], zero_gradient(at)[0]}; }

constexpr OpEntry kOps[] = {
    elementwise_op("pow(a, b)", kPow, pow_gradient),
    elementwise_op("remainder(a, b)", kRemainder, remainder_gradient, kSaveInputs),
    elementwise_op("floorDivide(a, b)", kFloorDivide, floor_divide_gradient, kSaveNothing),
};

}  // namespace

std::span<const OpEntry> division_ops() { return kOps; }

}  // namespace minitensor
