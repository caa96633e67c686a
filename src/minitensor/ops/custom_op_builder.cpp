#include "minitensor/ops/custom_op_builder.h"

#include <utility>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

CustomOpBuilder& CustomOpBuilder::name(std::string value) {
  op_.name = std::move(value);
  return *this;
}

CustomOpBuilder& CustomOpBuilder::num_inputs(std::size_t count) {
  op_.inputs.clear();
  for (std::size_t i = 0; i < count; ++i) op_.inputs.emplace_back("x").append(std::to_string(i));
  has_num_inputs_ = true;
  return *this;
}

CustomOpBuilder& CustomOpBuilder::attribute(AttributeSpec spec) {
  op_.attributes.push_back(std::move(spec));
  return *this;
}

CustomOpBuilder& CustomOpBuilder::summary(std::string value) {
  op_.summary = std::move(value);
  return *this;
}

CustomOpBuilder& CustomOpBuilder::forward(Op::Forward function) {
  op_.forward = std::move(function);
  return *this;
}

CustomOpBuilder& CustomOpBuilder::backward(Op::Backward function) {
  op_.backward = std::move(function);
  return *this;
}

CustomOpBuilder& CustomOpBuilder::validate(Op::Validate function) {
  op_.validate = std::move(function);
  return *this;
}

CustomOpBuilder& CustomOpBuilder::output_shape(Op::OutputShape function) {
  op_.output_shape = std::move(function);
  return *this;
}

CustomOpBuilder& CustomOpBuilder::output_dtype(Op::OutputDType function) {
  op_.output_dtype = std::move(function);
  return *this;
}

std::shared_ptr<const Op> CustomOpBuilder::build() const {
  std::vector<std::string> missing;
  if (op_.name.empty()) missing.emplace_back("name");
  if (!has_num_inputs_) missing.emplace_back("num_inputs");
  if (!op_.forward) missing.emplace_back("forward");
  if (!missing.empty()) {
    const std::string subject = op_.name.empty() ? "custom op" : "custom op " + quote(op_.name);
    throw Error(ErrorCode::kValue, subject + ": missing: " + join(missing, ", "));
  }
  check_attribute_specs(op_.attributes, "custom op " + quote(op_.name));
  const auto op = std::make_shared<Op>(op_);
  prepare_default_attributes(*op);
  return op;
}

}  // namespace minitensor
