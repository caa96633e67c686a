// batchNorm, groupNorm, layerNorm and rmsNorm: each is a way to lay out the elements in rows, which are normalized.
#include "minitensor/base/number_text.h"
#include "minitensor/ops/elementary.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/normalized_rows.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/rows.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

enum class Kind : std::uint8_t { kBatch, kGroup, kLayer, kRootMeanSquare };

constexpr const char* kNames[] = {"batchNorm", "groupNorm", "layerNorm", "rmsNorm"};

struct Layout {
  const char* name;
  RowNormalization by;
  Shape whole;       // of x, with fewer axes
  AxisSet axes;      // of those, what makes up a row
  Shape grouped;     // of the rows, so that weight and bias broadcast to it
  Shape parameters;  // of weight and bias then
  Shape given;       // of weight and bias as they are given
};

// The product of the sizes of the axes from `first` to before `last`.
std::int64_t count_of(const Shape& shape, int first, int last) {
  std::int64_t count = 1;
  for (int axis = first; axis < last; ++axis) count *= shape[axis];
  return count;
}

Layout layer_layout(const Tensor& x, const Attributes& attributes, Layout layout) {
  const Shape& shape = x.shape();
  const int first = normalize_axis(attributes.integer(0), x.rank(), layout.name);
  layout.given = Shape(shape.span().subspan(static_cast<std::size_t>(first)));
  layout.parameters = {count_of(shape, first, x.rank())};
  layout.whole = {count_of(shape, 0, first), layout.parameters[0]};
  layout.axes = 0b10;
  layout.grouped = layout.whole;
  return layout;
}

Layout layout_of(const Tensor& x, const Attributes& attributes, Kind kind) {
  Layout layout{kNames[static_cast<std::size_t>(kind)], {kind != Kind::kRootMeanSquare, 0}, {}, {}, {}, {}, {}};
  layout.by.eps = attributes.number(kind == Kind::kBatch ? 0 : 1);
  if (!(layout.by.eps >= 0)) {
    throw_error(ErrorCode::kValue, {layout.name, ": eps must be 0 or more, not ", number_text(layout.by.eps)});
  }
  if (kind == Kind::kLayer || kind == Kind::kRootMeanSquare) return layer_layout(x, attributes, layout);
  if (x.rank() < 2) {
    throw_error(ErrorCode::kShape, {layout.name, ": x needs the axes samples, channels, ..., but is ", x.shape()});
  }
  const std::int64_t samples = x.shape()[0];
  const std::int64_t channels = x.shape()[1];
  const std::int64_t rest = count_of(x.shape(), 2, x.rank());
  layout.given = {channels};
  if (kind == Kind::kBatch) {
    layout.whole = {samples, channels, rest};
    layout.axes = 0b101;
    layout.grouped = {channels, samples * rest};
    layout.parameters = {channels, 1};
    return layout;
  }
  const std::int64_t groups = attributes.integer(0);
  if (groups < 1 || channels % groups != 0) {
    throw_error(ErrorCode::kShape,
                {layout.name, ": the channels cannot be divided into ", groups, " groups: x is ", x.shape()});
  }
  layout.whole = {samples * groups, channels / groups * rest};
  layout.axes = 0b10;
  layout.grouped = {samples, groups, channels / groups, rest};
  layout.parameters = {groups, channels / groups, 1};
  return layout;
}

Tensor rows_of(const Tensor& x, const Layout& layout, DType dtype) {
  return to_rows(reshape(x, layout.whole.span()), layout.axes, dtype);
}

// The way back, to the shape of x.
Tensor unrowed(const Tensor& rows, const Layout& layout, const Tensor& x) {
  return reshape(from_rows(rows, layout.whole, layout.axes), x.shape().span());
}

// An input beside x, as it broadcasts to the rows. Undefined when it is not given.
Tensor parameter(std::span<const Tensor> inputs, std::size_t index, const Layout& layout, DType dtype) {
  if (index >= inputs.size() || !inputs[index].is_defined()) return {};
  const Tensor& given = inputs[index];
  if (given.shape() != layout.given) {
    constexpr const char* kInputs[] = {"x", "weight", "bias", "mean", "variance"};
    throw_error(ErrorCode::kShape, {layout.name, ": the ", kInputs[index], " must have the shape ", layout.given,
                                    ", not ", given.shape()});
  }
  return reshape(given.cast(dtype), layout.parameters.span()).contiguous();
}

struct Normalized {
  Tensor rows;
  Tensor scale;           // what they were multiplied with
  bool is_given = false;  // the mean and the variance are inputs
};

// The rows of x normalized, with a weight and a bias where each row has the same.
Normalized normalized(std::span<const Tensor> inputs, const Layout& layout, const Tensor& weight, const Tensor& bias,
                      DType dtype) {
  const Tensor rows = rows_of(inputs[0], layout, dtype);
  const Tensor mean = parameter(inputs, 3, layout, dtype);
  const Tensor variance = parameter(inputs, 4, layout, dtype);
  if (mean.is_defined() != variance.is_defined()) {
    throw_error(ErrorCode::kValue, {layout.name, ": mean and variance are given both or not at all"});
  }
  if (mean.is_defined()) {
    const Tensor scale = rsqrt(add(variance, Tensor::full({}, layout.by.eps, dtype)));
    return {mul(sub(rows, mean), scale), scale, true};
  }
  const Shape row{rows.shape()[1]};
  Tensor scale;
  const Tensor result = normalized_rows(rows, layout.by, weight.is_defined() ? weight : Tensor::full(row, 1, dtype),
                                        bias.is_defined() ? bias : Tensor::zeros(row, dtype), scale);
  return {result, scale.cast(dtype)};
}

Tensor forward(const OpCall& call, Kind kind) {
  const Layout layout = layout_of(call[0], call.attributes, kind);
  const Tensor weight = parameter(call.inputs, 1, layout, call.dtype);
  const Tensor bias = parameter(call.inputs, 2, layout, call.dtype);
  if (layout.parameters.rank() == 1) {
    return unrowed(normalized(call.inputs, layout, weight, bias, call.dtype).rows, layout, call[0]);
  }
  Tensor rows = reshape(normalized(call.inputs, layout, {}, {}, call.dtype).rows, layout.grouped.span());
  if (weight.is_defined()) rows = mul(rows, weight);
  if (bias.is_defined()) rows = add(rows, bias);
  return unrowed(rows, layout, call[0]);
}

constexpr std::int64_t kRow[] = {1};

// Of y = weight n + bias, n = (x - mean) scale, with the gradient h with respect to n: dx = scale h where mean and
// variance are given, else scale (h - mean(h) - n mean(h n)) (S. Ioffe and C. Szegedy, Batch normalization, 2015),
// where mean(h) is of what is centered only.
Gradients backward(const BackwardArguments& at, Kind kind) {
  const Layout layout = layout_of(at.inputs[0], at.attributes, kind);
  const DType dtype = at.grad_output.dtype();
  const Normalized values = normalized(at.inputs, layout, {}, {}, dtype);
  const Tensor& n = values.rows;
  const Tensor g = reshape(rows_of(at.grad_output, layout, dtype), layout.grouped.span());
  Gradients gradients(at.inputs.size());
  const auto set = [&](std::size_t index, const Tensor& spread_out) {
    if (index >= at.inputs.size() || !at.inputs[index].is_defined() || !at.wants(index)) return;
    const Tensor total = sum_to_shape(reshape(spread_out, layout.grouped.span()), layout.parameters);
    gradients[index] = reshape(total, layout.given.span());
  };
  set(1, mul(g, reshape(n, layout.grouped.span())));
  set(2, g);
  const Tensor weight = parameter(at.inputs, 1, layout, dtype);
  Tensor h = reshape(weight.is_defined() ? mul(g, weight) : g, n.shape().span());
  if (!values.is_given) {
    const Tensor along = mul(n, mean(mul(h, n), kRow, true));
    if (layout.by.is_centered) h = sub(h, mean(h, kRow, true));
    h = sub(h, along);
  }
  const Tensor of_x = mul(h, values.scale);
  gradients[0] = unrowed(of_x, layout, at.inputs[0]);
  if (values.is_given) {
    set(3, neg(of_x));
    set(4, mul(mul(mul(of_x, n), values.scale), Tensor::full({}, -0.5, dtype)));
  }
  return gradients;
}

template <Kind kKind>
constexpr OpEntry normalization_op(const char* signature) {
  return {signature, DTypeRule::kFloat, [](const OpCall& call) { return forward(call, kKind); },
          [](const BackwardArguments& at) { return backward(at, kKind); }, kSaveInputs};
}

constexpr OpEntry kOps[] = {
    normalization_op<Kind::kBatch>("batchNorm(x, weight?, bias?, mean?, variance?; eps: number = 0.00001)"),
    normalization_op<Kind::kGroup>("groupNorm(x, weight?, bias?; groups: integer, eps: number = 0.00001)"),
    normalization_op<Kind::kLayer>("layerNorm(x, weight?, bias?; axis: integer = -1, eps: number = 0.00001)"),
    normalization_op<Kind::kRootMeanSquare>("rmsNorm(x, weight?; axis: integer = -1, eps: number = 0.00001)"),
};

}  // namespace

std::span<const OpEntry> normalization_ops() { return kOps; }

}  // namespace minitensor
