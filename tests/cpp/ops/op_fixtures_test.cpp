// Ops against NumPy.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "minitensor/ops/builtin_ops.h"
#include "minitensor/ops/op_table.h"
#include "support/expect_tensor.h"
#include "support/op_fixtures.h"

namespace minitensor {
namespace {

using test::OpFixture;

constexpr const char* kFamilies[] = {"activations", "arithmetic", "arrays", "creation",   "division", "elementary",
                                     "elementwise", "linalg",     "logic",  "losses",     "neural",   "normalized",
                                     "products",    "random",     "reduce", "reductions", "shape"};

bool is_float64(const Tensor& x) { return x.dtype() == DType::kFloat64; }

bool fits_float32(const Tensor& x) {
  return is_float64(x) && test::tensors_equal(x.cast(DType::kFloat32).cast(DType::kFloat64), x);
}

std::vector<Tensor> in_float32(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const Tensor& x : tensors) result.push_back(is_float64(x) ? x.cast(DType::kFloat32) : x);
  return result;
}

void expect_outputs(const OpRegistry& ops, const OpFixture& fixture, const std::vector<Tensor>& inputs,
                    const std::vector<Tensor>& expected) {
  const std::vector<Tensor> outputs = run_op_many(*ops.get(fixture.op), inputs, fixture.attributes);
  ASSERT_EQ(outputs.size(), expected.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_TRUE(test::tensors_equal(outputs[i], expected[i], {.ulps = fixture.ulps}));
  }
}

TEST(OpFixtures, GiveWhatNumPyGives) {
  OpRegistry ops;
  register_builtin_ops(ops);
  for (const char* family : kFamilies) {
    int number = 0;
    for (const OpFixture& fixture : test::read_op_fixtures(family)) {
      SCOPED_TRACE(std::string(family) + ", case " + std::to_string(number++) + ": " + fixture.op +
                   (fixture.inputs.empty() ? "" : " of " + to_string(fixture.inputs[0].shape())));
      expect_outputs(ops, fixture, fixture.inputs, fixture.outputs);
      if (std::any_of(fixture.inputs.begin(), fixture.inputs.end(), fits_float32) &&
          std::all_of(fixture.inputs.begin(), fixture.inputs.end(),
                      [](const Tensor& x) { return !is_float64(x) || fits_float32(x); })) {
        expect_outputs(ops, fixture, in_float32(fixture.inputs), in_float32(fixture.outputs));
      }
    }
  }
}

TEST(OpFixtures, AreThereForEveryOp) {
  std::set<std::string> covered;
  for (const char* family : kFamilies) {
    for (const OpFixture& fixture : test::read_op_fixtures(family)) covered.insert(fixture.op);
  }
  for (const auto& family : op_families()) {
    for (const OpEntry& entry : family) {
      const std::string name = make_builtin_op(entry)->name;
      EXPECT_TRUE(covered.contains(name)) << "add cases of " << name << " to tests/fixtures/generate_ops.py";
    }
  }
}

}  // namespace
}  // namespace minitensor
