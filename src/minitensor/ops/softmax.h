#pragma once

#include "minitensor/ops/softmax_rows.h"

namespace minitensor {

/// The softmax of the floating-point elements along an axis, or the logarithms of it (see softmax_rows). Row-major.
/// Throws kShape for an axis out of range, in the name of `operation`.
Tensor softmax(const Tensor& x, std::int64_t axis, Softmax form, const char* operation);

}  // namespace minitensor
