#include "minitensor/ops/logic.h"

#include <array>
#include <cmath>
#include <type_traits>

#include "minitensor/ops/elementwise_loop.h"
#include "minitensor/ops/op_table.h"

namespace minitensor {

namespace {

#define MT_BINARY(Name, expression)   \
  struct Name {                       \
    template <typename T>             \
    auto operator()(T a, T b) const { \
      return expression;              \
    }                                 \
  };
MT_BINARY(Equal, a == b)
MT_BINARY(NotEqual, a != b)
MT_BINARY(Less, a < b)
MT_BINARY(LessEqual, a <= b)
MT_BINARY(BitAnd, a& b)
MT_BINARY(BitOr, a | b)
MT_BINARY(BitXor, a ^ b)
#undef MT_BINARY

// Of a bool, which is 0 or 1.
struct Not {
  std::int64_t operator()(std::int64_t x) const { return x ^ 1; }
};

struct Invert {
  std::int64_t operator()(std::int64_t x) const { return ~x; }
};

// Bits that leave on one side are lost, however far the shift goes; a negative one goes as far as can be.

struct LeftShift {
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    const auto distance = static_cast<std::uint64_t>(b);
    return distance < 64 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << distance) : 0;
  }
};

struct RightShift {
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    const auto distance = static_cast<std::uint64_t>(b);
    return a >> (distance < 64 ? distance : 63);
  }
};

#define MT_CLASSIFY(Name, function, of_integer) \
  struct Name {                                 \
    template <typename T>                       \
    bool operator()(T x) const {                \
      if constexpr (std::is_integral_v<T>) {    \
        return of_integer;                      \
      } else {                                  \
        return function(x);                     \
      }                                         \
    }                                           \
  };
MT_CLASSIFY(IsNaN, std::isnan, false)
MT_CLASSIFY(IsInf, std::isinf, false)
MT_CLASSIFY(IsFinite, std::isfinite, true)
#undef MT_CLASSIFY

// The same kernels, for an op that gives them its inputs in the other order.
constexpr Elementwise renamed(Elementwise op, const char* name) {
  op.name = name;
  return op;
}

constexpr Elementwise kEqual = binary_predicate<Equal>("equal");
constexpr Elementwise kNotEqual = binary_predicate<NotEqual>("notEqual");
constexpr Elementwise kLess = binary_predicate<Less>("less");
constexpr Elementwise kLessEqual = binary_predicate<LessEqual>("lessEqual");
constexpr Elementwise kGreater = renamed(kLess, "greater");
constexpr Elementwise kGreaterEqual = renamed(kLessEqual, "greaterEqual");
constexpr Elementwise kIsNaN = unary_predicate<IsNaN>("isNaN");
constexpr Elementwise kIsInf = unary_predicate<IsInf>("isInf");
constexpr Elementwise kIsFinite = unary_predicate<IsFinite>("isFinite");
constexpr Elementwise kBitwiseAnd = bits_kernels<BitAnd>("bitwiseAnd");
constexpr Elementwise kBitwiseOr = bits_kernels<BitOr>("bitwiseOr");
constexpr Elementwise kBitwiseXor = bits_kernels<BitXor>("bitwiseXor");
constexpr Elementwise kNot{"bitwiseNot", DTypeRule::kBits, nullptr, nullptr,
                           kernel::unary<std::int64_t, std::int64_t, Not>};
constexpr Elementwise kInvert{"bitwiseNot", DTypeRule::kBits, nullptr, nullptr,
                              kernel::unary<std::int64_t, std::int64_t, Invert>};
constexpr Elementwise kLeftShift = bits_kernels<LeftShift>("leftShift", DTypeRule::kIntegers);
constexpr Elementwise kRightShift = bits_kernels<RightShift>("rightShift", DTypeRule::kIntegers);

Tensor apply_to(const Elementwise& op, const Tensor& x) { return run_kernels(op, {&x, 1}); }

Tensor apply_to(const Elementwise& op, const Tensor& a, const Tensor& b) {
  const std::array<Tensor, 2> inputs{a, b};
  return run_kernels(op, inputs);
}

// Logic is that of the bits of bool.
Tensor logical(const Elementwise& op, const Tensor& a, const Tensor& b) {
  return apply_to(op, a.cast(DType::kBool), b.cast(DType::kBool));
}

}  // namespace

Tensor equal(const Tensor& a, const Tensor& b) { return apply_to(kEqual, a, b); }
Tensor not_equal(const Tensor& a, const Tensor& b) { return apply_to(kNotEqual, a, b); }
Tensor less(const Tensor& a, const Tensor& b) { return apply_to(kLess, a, b); }
Tensor less_equal(const Tensor& a, const Tensor& b) { return apply_to(kLessEqual, a, b); }
Tensor greater(const Tensor& a, const Tensor& b) { return apply_to(kGreater, b, a); }
Tensor greater_equal(const Tensor& a, const Tensor& b) { return apply_to(kGreaterEqual, b, a); }
Tensor logical_and(const Tensor& a, const Tensor& b) { return logical(kBitwiseAnd, a, b); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return logical(kBitwiseOr, a, b); }
Tensor logical_xor(const Tensor& a, const Tensor& b) { return logical(kBitwiseXor, a, b); }
Tensor logical_not(const Tensor& x) { return apply_to(kNot, x.cast(DType::kBool)); }
Tensor is_nan(const Tensor& x) { return apply_to(kIsNaN, x); }
Tensor is_inf(const Tensor& x) { return apply_to(kIsInf, x); }
Tensor is_finite(const Tensor& x) { return apply_to(kIsFinite, x); }
Tensor bitwise_and(const Tensor& a, const Tensor& b) { return apply_to(kBitwiseAnd, a, b); }
Tensor bitwise_or(const Tensor& a, const Tensor& b) { return apply_to(kBitwiseOr, a, b); }
Tensor bitwise_xor(const Tensor& a, const Tensor& b) { return apply_to(kBitwiseXor, a, b); }
Tensor left_shift(const Tensor& a, const Tensor& b) { return apply_to(kLeftShift, a, b); }
Tensor right_shift(const Tensor& a, const Tensor& b) { return apply_to(kRightShift, a, b); }

Tensor bitwise_not(const Tensor& x) { return apply_to(x.dtype() == DType::kBool ? kNot : kInvert, x); }

namespace {

constexpr OpEntry kOps[] = {
    elementwise_op("equal(a, b)", kEqual),
    elementwise_op("notEqual(a, b)", kNotEqual),
    elementwise_op("less(a, b)", kLess),
    elementwise_op("lessEqual(a, b)", kLessEqual),
    {"greater(a, b)", DTypeRule::kPredicate, [](const OpCall& call) { return greater(call[0], call[1]); }},
    {"greaterEqual(a, b)", DTypeRule::kPredicate, [](const OpCall& call) { return greater_equal(call[0], call[1]); }},
    {"logicalAnd(a, b)", DTypeRule::kPredicate, [](const OpCall& call) { return logical_and(call[0], call[1]); }},
    {"logicalOr(a, b)", DTypeRule::kPredicate, [](const OpCall& call) { return logical_or(call[0], call[1]); }},
    {"logicalXor(a, b)", DTypeRule::kPredicate, [](const OpCall& call) { return logical_xor(call[0], call[1]); }},
    {"logicalNot(x)", DTypeRule::kPredicate, [](const OpCall& call) { return logical_not(call[0]); }},
    elementwise_op("isNaN(x)", kIsNaN),
    elementwise_op("isInf(x)", kIsInf),
    elementwise_op("isFinite(x)", kIsFinite),
    elementwise_op("bitwiseAnd(a, b)", kBitwiseAnd),
    elementwise_op("bitwiseOr(a, b)", kBitwiseOr),
    elementwise_op("bitwiseXor(a, b)", kBitwiseXor),
    {"bitwiseNot(x)", DTypeRule::kBits, [](const OpCall& call) { return bitwise_not(call[0]); }},
    elementwise_op("leftShift(a, b)", kLeftShift),
    elementwise_op("rightShift(a, b)", kRightShift),
};

}  // namespace

std::span<const OpEntry> logic_ops() { return kOps; }

}  // namespace minitensor
