#pragma once

#include <vector>

#include "minitensor/ops/op.h"

namespace minitensor::test {

/// Compares the gradients of `op` at these float64 inputs, for a weighted sum of its output, with central differences.
void expect_gradients(const Op& op, const std::vector<Tensor>& inputs, const NamedAttributes& attributes = {});

}  // namespace minitensor::test
