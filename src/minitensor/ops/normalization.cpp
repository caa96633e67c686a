#include <optional>

#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

constexpr Elementwise kRsqrt = MT_ARRAY_KERNELS(rsqrt);

// An input with its axes grouped so that what is normalized together lies along `axes`.
struct Layout {
  const char* operation;
  Shape grouped;
  Shape channels;  // of weight, bias and statistics, under which they broadcast to `grouped`
  std::span<const std::int64_t> axes;
};

constexpr std::int64_t kBatchAxes[] = {0, 2};
constexpr std::int64_t kGroupAxes[] = {2, 3};

Layout layout_of(const Tensor& x, std::optional<std::int64_t> group_count, const char* operation) {
  if (x.rank() < 2) {
    throw_error(ErrorCode::kShape, {operation, ": x needs the axes samples, channels, ..., but is ", x.shape()});
  }
  const std::int64_t samples = x.shape()[0];
  const std::int64_t channels = x.shape()[1];
  std::int64_t rest = 1;
  for (int axis = 2; axis < x.rank(); ++axis) rest *= x.shape()[axis];
  if (!group_count) return {operation, {samples, channels, rest}, {channels, 1}, kBatchAxes};
  const std::int64_t groups = *group_count;
  if (groups < 1 || channels % groups != 0) {
    throw_error(ErrorCode::kShape,
                {operation, ": the channels cannot be divided into ", groups, " groups: x is ", x.shape()});
  }
  return {operation, {samples, groups, channels / groups, rest}, {groups, channels / groups, 1}, kGroupAxes};
}

struct Normalization {
  Tensor values;  // mean 0 and variance 1
  Tensor scale;   // what they were multiplied with
};

// (x - mean) / sqrt(variance + epsilon); without a mean and a variance those of x itself.
Normalization normalize(const Tensor& x, const Layout& layout, Tensor mean_of_x, Tensor variance, double epsilon) {
  if (!mean_of_x.is_defined()) mean_of_x = mean(x, layout.axes, true);
  const Tensor centered = sub(x, mean_of_x);
  if (!variance.is_defined()) variance = mean(mul(centered, centered), layout.axes, true);
  const Tensor shifted = add(variance, Tensor::full({}, epsilon, x.dtype()));
  const Tensor scale = run_kernels(kRsqrt, {&shifted, 1});
  return {mul(centered, scale), scale};
}

// An input of one element for each channel, where it is given.
Tensor channel_input(std::span<const Tensor> inputs, std::size_t index, const Layout& layout, DType dtype) {
  if (index >= inputs.size() || !inputs[index].is_defined()) return {};
  const Tensor& given = inputs[index];
  const std::int64_t count = layout.channels[0] * layout.channels[1];
  if (given.shape() != Shape{count}) {
    constexpr const char* kNames[] = {"x", "weight", "bias", "mean", "variance"};
    throw_error(ErrorCode::kShape, {layout.operation, ": ", kNames[index], " must have an element for each channel, [",
                                    count, "], but is ", given.shape()});
  }
  return reshape(given.cast(dtype), layout.channels.span());
}

Normalization normalize_inputs(std::span<const Tensor> inputs, const Layout& layout, double epsilon, DType dtype) {
  const Tensor mean_of_x = channel_input(inputs, 3, layout, dtype);
  const Tensor variance = channel_input(inputs, 4, layout, dtype);
  if (mean_of_x.is_defined() != variance.is_defined()) {
    throw_error(ErrorCode::kValue, {layout.operation, ": mean and variance are given both or not at all"});
  }
  return normalize(reshape(inputs[0].cast(dtype), layout.grouped.span()), layout, mean_of_x, variance, epsilon);
}

Tensor forward(std::span<const Tensor> inputs, const Layout& layout, double epsilon, DType dtype) {
  Tensor result = normalize_inputs(inputs, layout, epsilon, dtype).values;
  if (const Tensor weight = channel_input(inputs, 1, layout, dtype); weight.is_defined()) result = mul(result, weight);
  if (const Tensor bias = channel_input(inputs, 2, layout, dtype); bias.is_defined()) result = add(result, bias);
  return reshape(result, inputs[0].shape().span());
}

// Of y = weight n + bias, n = (x - mean) scale, with the gradient G with respect to n: dx = scale G where mean and
// variance are given, else scale (G - mean(G) - n mean(G n)) (S. Ioffe and C. Szegedy, Batch normalization, 2015).
Gradients backward(const BackwardArguments& at, const Layout& layout, double epsilon) {
  const DType dtype = at.grad_output.dtype();
  const auto [values, scale] = normalize_inputs(at.inputs, layout, epsilon, dtype);
  const Tensor output_gradient = reshape(at.grad_output, layout.grouped.span());
  const Tensor weight = channel_input(at.inputs, 1, layout, dtype);
  const Tensor gradient = weight.is_defined() ? mul(output_gradient, weight) : output_gradient;
  Gradients gradients(at.inputs.size());
  const auto set = [&](std::size_t index, const Tensor& spread_out) {
    if (index >= at.inputs.size() || !at.inputs[index].is_defined() || !at.wants(index)) return;
    gradients[index] = reshape(sum_to_shape(spread_out, layout.channels), at.inputs[index].shape().span());
  };
  set(1, mul(output_gradient, values));
  set(2, output_gradient);
  Tensor input_gradient = gradient;
  if (at.inputs.size() > 4 && at.inputs[4].is_defined()) {
    input_gradient = mul(gradient, scale);
    set(3, neg(input_gradient));
    set(4, mul(mul(mul(input_gradient, values), scale), Tensor::full({}, -0.5, dtype)));
  } else {
    const Tensor along = mul(values, mean(mul(gradient, values), layout.axes, true));
    input_gradient = mul(sub(sub(gradient, mean(gradient, layout.axes, true)), along), scale);
  }
  gradients[0] = reshape(input_gradient, at.inputs[0].shape().span());
  return gradients;
}

Layout batch_layout(const Tensor& x) { return layout_of(x, std::nullopt, "batchNorm"); }

Layout group_layout(const Tensor& x, const Attributes& attributes) {
  return layout_of(x, attributes.integer(0), "groupNorm");
}

constexpr OpEntry kOps[] = {
    {"batchNorm(x, weight?, bias?, mean?, variance?; epsilon: number = 0.00001)", DTypeRule::kFloat,
     [](const OpCall& call) {
       return forward(call.inputs, batch_layout(call[0]), call.attributes.number(0), call.dtype);
     },
     [](const BackwardArguments& at) { return backward(at, batch_layout(at.inputs[0]), at.attributes.number(0)); },
     kSaveInputs},
    {"groupNorm(x, weight?, bias?; groups: integer, epsilon: number = 0.00001)", DTypeRule::kFloat,
     [](const OpCall& call) {
       return forward(call.inputs, group_layout(call[0], call.attributes), call.attributes.number(1), call.dtype);
     },
     [](const BackwardArguments& at) {
       return backward(at, group_layout(at.inputs[0], at.attributes), at.attributes.number(1));
     },
     kSaveInputs},
};

}  // namespace

std::span<const OpEntry> normalization_ops() { return kOps; }

}  // namespace minitensor
