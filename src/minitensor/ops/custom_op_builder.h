#pragma once

#include <memory>
#include <string>

#include "minitensor/ops/op.h"

namespace minitensor {

/// Builds an Op step by step, for plugins written in C++ against the core.
class CustomOpBuilder {
 public:
  CustomOpBuilder& name(std::string value);
  /// Inputs named x0, x1, …
  CustomOpBuilder& num_inputs(std::size_t count);
  CustomOpBuilder& attribute(AttributeSpec spec);
  CustomOpBuilder& summary(std::string value);
  CustomOpBuilder& forward(Op::Forward function);
  CustomOpBuilder& backward(Op::Backward function);
  CustomOpBuilder& validate(Op::Validate function);
  CustomOpBuilder& output_shape(Op::OutputShape function);
  CustomOpBuilder& output_dtype(Op::OutputDType function);

  /// Throws kValue that names all that is missing or wrong: the name, the number of inputs, forward, the attributes.
  /// The builder can be used again.
  std::shared_ptr<const Op> build() const;

 private:
  Op op_;
  bool has_num_inputs_ = false;
};

}  // namespace minitensor
