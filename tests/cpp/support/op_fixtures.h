#pragma once

#include <string>
#include <vector>

#include "minitensor/ops/attributes.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor::test {

/// One call of an op and what it gives, from tests/fixtures/ops (made by generate_ops.py, which describes the form).
struct OpFixture {
  std::string op;
  std::vector<Tensor> inputs;
  NamedAttributes attributes;
  std::vector<Tensor> outputs;
  std::int64_t ulps = 0;
};

/// The cases of a family: "elementwise", … Throws std::runtime_error for a file that is not there or not of the form.
std::vector<OpFixture> read_op_fixtures(const std::string& family);

}  // namespace minitensor::test
