#include "ops/op_samples.h"

#include <algorithm>
#include <stdexcept>

#include "support/make_tensor.h"

namespace minitensor::test {

namespace {

using Integers = std::vector<std::int64_t>;

// The calls of ops that need attributes, or other shapes or values than the default's.
const OpSamples& listed() {
  static const OpSamples samples{
      {"broadcastTo",
       {{{{3}}, {{"shape", Integers{2, 3}}}},
        {{{2, 1}}, {{"shape", Integers{2, 0}}}},
        {{{0}}, {{"shape", Integers{2, 0}}}}}},
      {"cast", {{{{2, 3}}, {{"dtype", std::string("float64")}}}, {{{0}}, {{"dtype", std::string("float32")}}}}},
      {"div", {{{{2, 3}, {3}}, {}, 0.5, 2}, {{{17}, {17}}, {}, -2, -0.5}, {{{0, 3}, {3}}}}},
      {"matmul",
       {{{{2, 3}, {3, 4}}},
        {{{3}, {3}}},
        {{{3}, {2, 3, 2}}},
        {{{2, 2, 3}, {3}}},
        {{{2, 1, 2, 3}, {3, 3, 2}}},
        {{{0, 3}, {3, 2}}},
        {{{2, 0}, {0, 2}}}}},
      {"mean",
       {{{{2, 3, 4}}},
        {{{2, 3, 4}}, {{"axis", 1.0}}},
        {{{2, 3, 20}}, {{"axis", Integers{0, 1}}, {"keepDims", true}}},
        {{{3}}, {{"axis", Integers{}}}},
        {{{0, 3}}, {{"axis", 1.0}}}}},
      {"relu", {{{{2, 3}}, {}, 0.1, 2}, {{{17}}, {}, -2, -0.1}, {{{0}}}}},
      {"reshape", {{{{2, 3}}, {{"shape", Integers{3, -1}}}}, {{{0, 2}}, {{"shape", Integers{4, 0}}}}}},
      {"slice",
       {{{{5, 4}}, {{"start", Integers{1, -1}}, {"stop", Integers{-1, 0}}, {"step", Integers{2, -2}}}},
        {{{5, 4}}, {{"start", 1.0}, {"axes", -1.0}}},
        {{{3}}, {{"start", 3.0}}},
        {{{0}}, {{"start", 0.0}}}}},
      {"sum",
       {{{{2, 3, 4}}},
        {{{2, 3, 4}}, {{"axis", -1.0}}},
        {{{40, 20}}, {{"axis", 0.0}}},
        {{{2, 3, 4}}, {{"axis", Integers{2, 0}}, {"keepDims", true}}},
        {{{3}}, {{"axis", Integers{}}}},
        {{{0, 3}}, {{"axis", 0.0}}}}},
  };
  return samples;
}

}  // namespace

std::vector<OpSample> samples_of(const Op& op) {
  for (const OpSamples* samples :
       {&listed(), &numeric_op_samples(), &reduction_op_samples(), &neural_op_samples(), &array_op_samples()}) {
    const auto found = samples->find(op.name);
    if (found != samples->end()) return found->second;
  }
  const bool needs_attributes = std::any_of(op.attributes.begin(), op.attributes.end(), [](const AttributeSpec& spec) {
    return !spec.default_value && !spec.is_optional;
  });
  if (needs_attributes) throw std::logic_error("op_samples.cpp has no samples of " + op.name);
  if (op.inputs.size() == 1) return {{{{}}}, {{{2, 3}}}, {{{17, 17}}}, {{{0, 3}}}};
  if (op.inputs.size() == 2)
    return {{{{}, {2}}}, {{{2, 3}, {3}}}, {{{5, 1}, {1, 17}}}, {{{300}, {300}}}, {{{0, 3}, {1}}}};
  throw std::logic_error("op_samples.cpp has no samples of " + op.name);
}

std::vector<Tensor> sample_inputs(const Op& op, const OpSample& sample, DType dtype, std::uint32_t seed) {
  std::vector<Tensor> inputs;
  std::uint32_t state = seed;
  for (std::size_t i = 0; i < sample.shapes.size(); ++i) {
    const InputRole role = op.input_roles[std::min(i, op.input_roles.size() - 1)];
    std::vector<double> values(static_cast<std::size_t>(element_count(sample.shapes[i], "sample")));
    for (double& value : values) {
      state = state * 1664525U + 1013904223U;  // the linear congruential generator of Numerical Recipes
      const double fraction = static_cast<double>(state >> 8U) / 16777216.0;
      value = role == InputRole::kValue ? sample.low + (sample.high - sample.low) * fraction
                                        : static_cast<double>(fraction < 0.5);
    }
    const Tensor made = make_tensor(values, sample.shapes[i], DType::kFloat64);
    const DType own = role == InputRole::kIndex ? DType::kInt64 : DType::kBool;
    inputs.push_back(made.cast(role == InputRole::kValue ? dtype : own));
  }
  return inputs;
}

}  // namespace minitensor::test
