// What holds for every op of the table.

#include "minitensor/ops/op_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "minitensor/autograd/tape.h"
#include "ops/op_samples.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/failing_allocator.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::OpSample;
using test::sample_inputs;
using test::samples_of;

constexpr DType kAllDTypes[] = {
#define MT_DTYPE_ENTRY(name, number, text, type) DType::name,
    MT_DTYPES(MT_DTYPE_ENTRY)
#undef MT_DTYPE_ENTRY
};

struct TableOp {
  const OpEntry* entry;
  std::shared_ptr<const Op> op;
};

std::vector<TableOp> table() {
  std::vector<TableOp> ops;
  for (const auto& family : op_families()) {
    for (const OpEntry& entry : family) ops.push_back({&entry, make_builtin_op(entry)});
  }
  return ops;
}

class EveryOp : public testing::TestWithParam<TableOp> {
 protected:
  static const Op& op() { return *GetParam().op; }
  static const OpEntry& entry() { return *GetParam().entry; }
  static std::vector<Tensor> run(const OpSample& sample, std::span<const Tensor> inputs) {
    return run_op_many(op(), inputs, sample.attributes);
  }
};

INSTANTIATE_TEST_SUITE_P(Table, EveryOp, testing::ValuesIn(table()),
                         [](const auto& test) { return test.param.op->name; });

TEST_P(EveryOp, TakesTheDTypesOfItsRuleAndGivesItsDType) {
  for (const DType dtype : kAllDTypes) {
    for (const OpSample& sample : samples_of(op())) {
      const std::vector<Tensor> inputs = sample_inputs(op(), sample, dtype);
      if (!takes_dtype(entry().rule, dtype)) {
        EXPECT_MT_ERROR(run(sample, inputs), ErrorCode::kDType, op().name + ": takes ");
        continue;
      }
      const std::vector<Tensor> results = run(sample, inputs);
      if (entry().rule == DTypeRule::kFree || op().outputs.size() > 1) continue;
      const DType expected = result_dtype(entry().rule, computed_dtype(entry().rule, dtype, op().name));
      for (const Tensor& result : results) EXPECT_EQ(result.dtype(), expected) << dtype_name(dtype);
    }
  }
}

TEST_P(EveryOp, HasASampleWithoutElements) {
  bool is_there = op().inputs.empty();
  for (const OpSample& sample : samples_of(op())) {
    for (const Shape& shape : sample.shapes) is_there = is_there || element_count(shape, "sample") == 0;
  }
  EXPECT_TRUE(is_there) << "add a sample with an empty input to op_samples.cpp";
}

TEST_P(EveryOp, GivesTheSameForAnyStrides) {
  for (const DType dtype : {DType::kFloat32, DType::kInt32}) {
    if (!takes_dtype(entry().rule, dtype)) continue;
    for (const OpSample& sample : samples_of(op())) {
      const std::vector<Tensor> plain = sample_inputs(op(), sample, dtype);
      const std::vector<Tensor> expected = run(sample, plain);
      for (const auto layout : {test::with_gaps, test::with_reversed_axes}) {
        std::vector<Tensor> inputs;
        for (const Tensor& input : plain) inputs.push_back(layout(input));
        const std::vector<Tensor> results = run(sample, inputs);
        ASSERT_EQ(results.size(), expected.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
          EXPECT_TRUE(test::tensors_equal(results[i], expected[i])) << dtype_name(dtype);
        }
      }
    }
  }
}

// The sum of all outputs, each element times a number of its own, so that no error cancels out.
Tensor weights_of(const Tensor& output) {
  std::vector<double> weights(static_cast<std::size_t>(output.size()));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 + static_cast<double>(i * 7 % 11) / 10;
  return test::make_tensor(weights, output.shape(), DType::kFloat64);
}

double loss_of(std::span<const Tensor> outputs) {
  double loss = 0;
  for (const Tensor& output : outputs) {
    if (output.dtype() != DType::kFloat64) continue;
    const std::vector<double> values = output.to_vector();
    const std::vector<double> weights = weights_of(output).to_vector();
    for (std::size_t i = 0; i < values.size(); ++i) loss += values[i] * weights[i];
  }
  return loss;
}

TEST_P(EveryOp, HasTheGradientThatDifferencesGive) {
  if (!op().backward) return;
  constexpr double kStep = 1e-5;
  for (const OpSample& sample : samples_of(op())) {
    std::vector<Tensor> inputs = sample_inputs(op(), sample, DType::kFloat64);
    std::vector<Tensor> leaves = inputs;
    for (Tensor& leaf : leaves) {
      leaf = leaf.clone();
      if (is_floating(leaf.dtype())) set_requires_grad(leaf, true);
    }
    const std::vector<Tensor> outputs = execute_many(GetParam().op, leaves, sample.attributes);
    for (const Tensor& output : outputs) {
      if (output.dtype() == DType::kFloat64) backward(output, weights_of(output), true);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].dtype() != DType::kFloat64 || outputs[0].dtype() != DType::kFloat64) continue;
      const Tensor gradient = gradient_of(leaves[i]);
      ASSERT_TRUE(gradient.is_defined()) << "input " << i;
      ASSERT_EQ(gradient.shape(), inputs[i].shape());
      ASSERT_EQ(gradient.dtype(), inputs[i].dtype());
      const std::vector<double> actual = gradient.to_vector();
      for (std::size_t j = 0; j < actual.size() && j < 40; ++j) {
        double* element = inputs[i].data<double>() + j;
        const double value = *element;
        *element = value + kStep;
        const double above = loss_of(run(sample, inputs));
        *element = value - kStep;
        const double below = loss_of(run(sample, inputs));
        *element = value;
        const double expected = (above - below) / (2 * kStep);
        EXPECT_NEAR(actual[j], expected, 1e-6 * (1 + std::abs(expected))) << "input " << i << ", element " << j;
      }
    }
  }
}

TEST_P(EveryOp, RefusesAnotherNumberOfInputs) {
  const OpSample sample = samples_of(op()).front();
  std::vector<Tensor> inputs = sample_inputs(op(), sample, DType::kFloat32);
  if (!op().inputs.empty()) {
    EXPECT_MT_ERROR(run(sample, {}), ErrorCode::kValue, op().name + ": takes ");
  }
  if (op().is_variadic) return;
  inputs.resize(op().inputs.size() + 1, Tensor::zeros({2}, DType::kFloat32));
  EXPECT_MT_ERROR(run(sample, inputs), ErrorCode::kValue, op().name + ": takes ");
}

TEST_P(EveryOp, RefusesUnknownAttributes) {
  OpSample sample = samples_of(op()).front();
  sample.attributes.emplace_back("nonsense", 1.0);
  EXPECT_MT_ERROR(run(sample, sample_inputs(op(), sample, DType::kFloat32)), ErrorCode::kValue, "\"nonsense\"");
}

#ifdef __GLIBCXX__
// Its variant does what is undefined when a string or a vector in it cannot be copied (_Variant_storage::_M_reset of
// version 12, which takes such a variant for one that is never without a value). That of WebAssembly's library does
// not.
bool copies_lists(const Op& op) {
  return std::any_of(op.attributes.begin(), op.attributes.end(), [](const AttributeSpec& spec) {
    return spec.type == AttributeType::kIntegers || spec.type == AttributeType::kString;
  });
}
#else
bool copies_lists(const Op&) { return false; }
#endif

// Natively only of the ops without attributes that are lists or texts.
TEST_P(EveryOp, LeavesNothingWhereverMemoryRunsOut) {
  if (copies_lists(op())) return;
  for (const DType dtype : {DType::kFloat64, DType::kInt32}) {
    if (!takes_dtype(entry().rule, dtype)) continue;
    const std::vector<OpSample> samples = samples_of(op());
    ASSERT_FALSE(samples.empty());
    const std::vector<Tensor> inputs = sample_inputs(op(), samples[0], dtype);
    const std::size_t bytes = Storage::live_bytes();
    const auto step = [&] {
      std::vector<Tensor> leaves = inputs;
      for (Tensor& leaf : leaves) {
        if (op().backward && is_floating(leaf.dtype())) set_requires_grad(leaf = leaf.clone(), true);
      }
      for (const Tensor& output : execute_many(GetParam().op, leaves, samples[0].attributes)) {
        if (output.requires_grad()) backward(output, output.detach(), true);
      }
    };
    for (const bool for_good : {false, true}) {
      test::fail_everywhere(for_good, step, [&](bool) {
        EXPECT_EQ(Storage::live_bytes(), bytes);
        EXPECT_TRUE(is_recording());
      });
    }
    EXPECT_NO_THROW(step());
  }
}

}  // namespace
}  // namespace minitensor
