#include "bindings/javascript_op.h"

#include <string>
#include <utility>

#include "bindings/convert.h"
#include "bindings/javascript_callback.h"
#include "minitensor/ops/custom_op_builder.h"

namespace minitensor::bindings {

namespace {

using emscripten::val;
using Callback = std::shared_ptr<const JavaScriptCallback>;

Op::Backward backward_of(const Callback& callback) {
  return [callback](const BackwardArguments& arguments) {
    std::vector<Tensor> tensors(arguments.inputs.begin(), arguments.inputs.end());
    tensors.push_back(arguments.output);
    tensors.push_back(arguments.grad_output);
    return callback->call_for_tensors(CallbackRole::kOpBackward, tensors, &arguments.attributes);
  };
}

}  // namespace

std::shared_ptr<const Op> make_javascript_op(const val& definition) {
  const Callback callback = std::make_shared<const JavaScriptCallback>(definition["callback"].as<int>());
  CustomOpBuilder builder;
  builder.name(definition["name"].as<std::string>())
      .num_inputs(definition["numInputs"].as<std::size_t>())
      .summary(definition["summary"].as<std::string>())
      .forward([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
        return callback->call_for_tensors(CallbackRole::kOpForward, inputs, &attributes).at(0);
      });
  for (AttributeSpec& spec : attribute_specs_from_javascript(definition["attributes"])) {
    builder.attribute(std::move(spec));
  }
  const val roles = definition["roles"];
  if (roles["backward"].as<bool>()) builder.backward(backward_of(callback));
  if (roles["validate"].as<bool>()) {
    builder.validate([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
      callback->call(CallbackRole::kOpValidate, inputs, &attributes);
    });
  }
  if (roles["outputShape"].as<bool>()) {
    builder.output_shape([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
      Shape shape;
      for (const double size : callback->call(CallbackRole::kOpOutputShape, inputs, &attributes)) {
        shape.push_back(static_cast<std::int64_t>(size));
      }
      return shape;
    });
  }
  if (roles["outputDtype"].as<bool>()) {
    builder.output_dtype([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
      return static_cast<DType>(callback->call(CallbackRole::kOpOutputDType, inputs, &attributes).at(0));
    });
  }
  return builder.build();
}

}  // namespace minitensor::bindings
