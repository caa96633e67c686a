#include "minitensor/ops/dtype_rule.h"

#include "minitensor/tensor/message.h"

namespace minitensor {

bool takes_dtype(DTypeRule rule, DType dtype) noexcept {
  if (rule == DTypeRule::kNumeric) return dtype != DType::kBool;
  if (rule == DTypeRule::kBits) return !is_floating(dtype);
  if (rule == DTypeRule::kIntegers) return is_integer(dtype);
  return true;
}

DType computed_dtype(DTypeRule rule, DType dtype, std::string_view operation) {
  if (!takes_dtype(rule, dtype)) {
    const char* taken = rule == DTypeRule::kBits       ? "bool and integers"
                        : rule == DTypeRule::kIntegers ? "integers"
                                                       : "numbers";
    throw_error(ErrorCode::kDType, {operation, ": takes ", taken, ", not ", dtype_name(dtype)});
  }
  if (is_floating(dtype)) return dtype;
  if (rule == DTypeRule::kFloat) return DType::kFloat32;
  return rule == DTypeRule::kTotal ? DType::kInt64 : dtype;
}

DType result_dtype(DTypeRule rule, DType computed) noexcept {
  if (rule == DTypeRule::kPredicate) return DType::kBool;
  return rule == DTypeRule::kIndices ? DType::kInt64 : computed;
}

}  // namespace minitensor
