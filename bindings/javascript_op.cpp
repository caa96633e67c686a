#include "bindings/javascript_op.h"

#include <string>
#include <utility>

#include "bindings/attribute_codec.h"
#include "bindings/javascript_callback.h"
#include "minitensor/ops/custom_op_builder.h"

namespace minitensor::bindings {

namespace {

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

std::shared_ptr<const Op> read_javascript_op(WireReader& in) {
  const Callback callback = std::make_shared<const JavaScriptCallback>(static_cast<int>(in.number()));
  CustomOpBuilder builder;
  builder.name(in.text());
  builder.num_inputs(static_cast<std::size_t>(in.number()));
  builder.summary(in.text());
  builder.forward([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
    return callback->call_for_tensors(CallbackRole::kOpForward, inputs, &attributes).at(0);
  });
  for (AttributeSpec& spec : read_attribute_specs(in)) builder.attribute(std::move(spec));
  if (in.boolean()) builder.backward(backward_of(callback));
  if (in.boolean()) {
    builder.validate([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
      callback->call(CallbackRole::kOpValidate, inputs, &attributes);
    });
  }
  if (in.boolean()) {
    builder.output_shape([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
      Shape shape;
      for (const double size : callback->call(CallbackRole::kOpOutputShape, inputs, &attributes)) {
        shape.push_back(static_cast<std::int64_t>(size));
      }
      return shape;
    });
  }
  if (in.boolean()) {
    builder.output_dtype([callback](std::span<const Tensor> inputs, const Attributes& attributes) {
      return static_cast<DType>(callback->call(CallbackRole::kOpOutputDType, inputs, &attributes).at(0));
    });
  }
  return builder.build();
}

}  // namespace minitensor::bindings
