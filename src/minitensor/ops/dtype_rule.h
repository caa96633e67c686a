#pragma once

#include <string_view>

#include "minitensor/tensor/dtype.h"

namespace minitensor {

/// Which dtypes an op takes (after promotion of its value inputs to one), computes in, and gives. Name, what is taken,
/// what that becomes, what comes out.
enum class DTypeRule : std::uint8_t {
  kAny,        ///< any; computed in it; gives it
  kNumeric,    ///< any but bool; computed in it; gives it
  kFloat,      ///< any; bool and integers become float32; gives that
  kBits,       ///< bool and integers; computed in it; gives it
  kIntegers,   ///< integers; computed in it; gives it
  kPredicate,  ///< any; computed in it; gives bool
  kTotal,      ///< any; bool and integers become int64; gives that
  kIndices,    ///< any; computed in it; gives int64
  kFree,       ///< any; what comes out is the op's own rule
};

/// What an op computes in when its value inputs are promoted to `dtype`. Throws kDType, in the name of `operation`, for
/// one that the rule does not take.
DType computed_dtype(DTypeRule rule, DType dtype, std::string_view operation);

/// What an op gives that computes in `computed`. Requires that the rule is not kFree.
DType result_dtype(DTypeRule rule, DType computed) noexcept;

/// Whether the rule takes `dtype`.
bool takes_dtype(DTypeRule rule, DType dtype) noexcept;

}  // namespace minitensor
