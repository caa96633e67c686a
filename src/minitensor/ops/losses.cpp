#include <array>
#include <string_view>

#include "minitensor/base/text.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/ops/softmax_rows.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using Backward = const BackwardArguments&;

// x < 0 ? x : -x
struct NegativeMagnitude {
  template <typename T>
  T operator()(T x) const {
    return x < 0 ? x : -x;
  }
};

// Of a logit x and its target t: max(x, 0) - x t, what binary cross entropy tends to for a large |x|.
struct LinearPart {
  template <typename T>
  T operator()(T x, T target) const {
    return (x < 0 ? T{0} : x) - x * target;
  }
};

constexpr const char* kBinary = "binaryCrossEntropyWithLogits";
constexpr Elementwise kNegativeMagnitude = unary_kernels<NegativeMagnitude, false>(kBinary, DTypeRule::kFloat);
constexpr Elementwise kLinearPart = binary_kernels<LinearPart, false>(kBinary, DTypeRule::kFloat);
constexpr Elementwise kSoftplus = MT_ARRAY_KERNELS(softplus);
constexpr Elementwise kExp = MT_ARRAY_KERNELS(exp);

Tensor scalar(double value, const Tensor& like) { return Tensor::full({}, value, like.dtype()); }

enum class Reduction : std::uint8_t { kMean, kSum, kNone };

Reduction reduction_of(const Attributes& attributes, std::string_view operation) {
  const std::string& text = attributes.string(0);
  if (text == "mean") return Reduction::kMean;
  if (text == "sum") return Reduction::kSum;
  if (text == "none") return Reduction::kNone;
  throw_error(ErrorCode::kValue, {operation, ": reduction must be \"mean\", \"sum\" or \"none\", not ", quote(text)});
}

// `count`: how many losses a mean is of.
Tensor reduced(const Tensor& losses, Reduction reduction, double count) {
  if (reduction == Reduction::kNone) return losses;
  const Tensor total = sum(losses);
  return reduction == Reduction::kSum ? total : div(total, scalar(count, total));
}

// The gradient with respect to each loss; it broadcasts to them.
Tensor unreduced(const Tensor& gradient, Reduction reduction, double count) {
  return reduction == Reduction::kMean ? div(gradient, scalar(count, gradient)) : gradient;
}

void require_same_shape(const Tensor& a, const Tensor& b, std::string_view operation, const char* names) {
  if (a.shape() == b.shape()) return;
  throw_error(ErrorCode::kShape, {operation, ": ", names, " differ in shape: ", a.shape(), " and ", b.shape()});
}

Tensor mean_squared_error(const OpCall& call) {
  require_same_shape(call[0], call[1], "mse", "x and target");
  const Tensor difference = sub(call.promoted(0), call.promoted(1));
  return reduced(mul(difference, difference), reduction_of(call.attributes, "mse"),
                 static_cast<double>(difference.size()));
}

Gradients mean_squared_error_gradient(Backward at) {
  const Tensor difference = sub(at.inputs[0], at.inputs[1]);
  const Tensor g =
      unreduced(at.grad_output, reduction_of(at.attributes, "mse"), static_cast<double>(difference.size()));
  const Tensor gradient = mul(mul(difference, scalar(2, g)), g);
  return {gradient, neg(gradient)};
}

Tensor binary_cross_entropy(const OpCall& call) {
  require_same_shape(call[0], call[1], kBinary, "logits and targets");
  const Tensor logits = call.promoted(0);
  // log(1 + e^-|x|), which cannot overflow, is all that is exponential.
  const Tensor magnitude = run_kernels(kNegativeMagnitude, {&logits, 1});
  const Tensor losses =
      add(run_kernels(kLinearPart, std::array{logits, call.promoted(1)}), run_kernels(kSoftplus, {&magnitude, 1}));
  return reduced(losses, reduction_of(call.attributes, kBinary), static_cast<double>(losses.size()));
}

Gradients binary_cross_entropy_gradient(Backward at) {
  const Tensor& logits = at.inputs[0];
  const Tensor g = unreduced(at.grad_output, reduction_of(at.attributes, kBinary), static_cast<double>(logits.size()));
  return {mul(sub(sigmoid(logits), at.inputs[1]), g), at.wants(1) ? neg(mul(logits, g)) : Tensor()};
}

// Scores of classes, [classes] or [samples, classes, ...], and for each sample and position the class that is right.
struct Targets {
  Shape shape;
  Tensor indices;  // in int64, row-major
  std::int64_t classes;
  std::int64_t positions;  // of a sample
  std::int64_t ignored;    // the index that stands for no class
  Reduction reduction;
  std::int64_t count = 0;  // without the ignored ones
};

Targets targets_of(const Tensor& x, const Tensor& given, const Attributes& attributes, std::string_view operation) {
  Targets targets;
  if (x.rank() == 0) throw_error(ErrorCode::kShape, {operation, ": a number has no axis of classes"});
  const int axis = x.rank() == 1 ? 0 : 1;
  targets.positions = 1;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != axis) targets.shape.push_back(x.shape()[i]);
    if (i > axis) targets.positions *= x.shape()[i];
  }
  if (given.shape() != targets.shape) {
    throw_error(ErrorCode::kShape, {operation, ": for scores ", x.shape(), " the targets must be ", targets.shape,
                                    ", but are ", given.shape()});
  }
  targets.indices = given.cast(DType::kInt64).contiguous();
  targets.classes = x.shape()[axis];
  targets.ignored = attributes.integer(1);
  targets.reduction = reduction_of(attributes, operation);
  const Tensor& indices = targets.indices;
  const auto* index = indices.data<std::int64_t>();
  for (std::int64_t i = 0; i < given.size(); ++i) {
    if (index[i] == targets.ignored) continue;
    ++targets.count;
    if (index[i] >= 0 && index[i] < targets.classes) continue;
    throw_error(ErrorCode::kValue, {operation, ": target ", index[i], " is none of the ", targets.classes, " classes"});
  }
  return targets;
}

// f(number of the target, offset of its score in row-major scores), but for the ignored ones.
template <typename F>
void for_each_target(const Targets& targets, F&& f) {
  const Tensor& indices = targets.indices;
  const auto* index = indices.data<std::int64_t>();
  for (std::int64_t i = 0; i < indices.size(); ++i) {
    if (index[i] == targets.ignored) continue;
    const std::int64_t sample = i / targets.positions;
    f(i, (sample * targets.classes + index[i]) * targets.positions + i % targets.positions);
  }
}

template <typename T>
void pick(const Targets& targets, const Tensor& scores, Tensor& losses) {
  const T* from = scores.data<T>();
  T* to = losses.data<T>();
  for_each_target(targets, [&](std::int64_t i, std::int64_t offset) { to[i] = -from[offset]; });
}

Tensor nll_of(const Tensor& logarithms, const Targets& targets) {
  const Tensor scores = logarithms.contiguous();
  Tensor losses = Tensor::zeros(targets.shape, scores.dtype());
  if (scores.dtype() == DType::kFloat32) {
    pick<float>(targets, scores, losses);
  } else {
    pick<double>(targets, scores, losses);
  }
  return reduced(losses, targets.reduction, static_cast<double>(targets.count));
}

template <typename T>
void subtract_at_targets(const Targets& targets, const Tensor& from, Tensor& to) {
  const T* values = from.data<T>();
  T* elements = to.data<T>();
  for_each_target(targets, [&](std::int64_t i, std::int64_t offset) { elements[offset] -= values[i]; });
}

// The gradient for each loss, 0 for ignored ones.
Tensor loss_gradients(const Tensor& gradient, const Targets& targets) {
  const Tensor g =
      unreduced(gradient, targets.reduction, static_cast<double>(targets.count)).broadcast_to(targets.shape);
  Tensor kept = Tensor::zeros(targets.shape, DType::kBool);
  bool* element = kept.data<bool>();
  for_each_target(targets, [&](std::int64_t i, std::int64_t) { element[i] = true; });
  return mul(g, kept);
}

// `to`, row-major, minus g at the targets.
Tensor minus_at_targets(Tensor to, const Tensor& g, const Targets& targets) {
  if (to.dtype() == DType::kFloat32) {
    subtract_at_targets<float>(targets, g, to);
  } else {
    subtract_at_targets<double>(targets, g, to);
  }
  return to;
}

Gradients nll_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const Targets targets = targets_of(x, at.inputs[1], at.attributes, "nll");
  const Tensor g = loss_gradients(at.grad_output, targets);
  return {minus_at_targets(Tensor::zeros(x.shape(), g.dtype()), g, targets), Tensor()};
}

// The logarithms of the softmax along the axis of classes.
Tensor log_probabilities(const Tensor& logits, const Targets& targets) {
  const std::int64_t samples =
      targets.positions == 0 || targets.classes == 0 ? 0 : logits.size() / targets.classes / targets.positions;
  const std::int64_t sizes[] = {samples, targets.classes, targets.positions};
  constexpr std::int64_t kClassesLast[] = {0, 2, 1};
  Tensor rows = transpose(reshape(logits, sizes), kClassesLast).clone();
  softmax_rows(rows, Softmax::kLogarithms);
  return reshape(transpose(rows, kClassesLast), logits.shape().span());
}

// By the gradient of a loss with respect to its logits: softmax(logits), and 1 less for the right class.
Gradients cross_entropy_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const Targets targets = targets_of(x, at.inputs[1], at.attributes, "crossEntropy");
  const Tensor g = loss_gradients(at.grad_output, targets);
  const Tensor logarithms = log_probabilities(x, targets);
  const std::int64_t classes_axis = x.rank() == 1 ? 0 : 1;
  Shape along = x.shape();
  along[static_cast<int>(classes_axis)] = 1;
  const Tensor probabilities = run_kernels(kExp, {&logarithms, 1});
  return {minus_at_targets(mul(probabilities, reshape(g, along.span())), g, targets), Tensor()};
}

constexpr OpEntry kOps[] = {
    {"mse(x, target; reduction: string = mean)", DTypeRule::kFloat, mean_squared_error, mean_squared_error_gradient,
     kSaveInputs},
    {"binaryCrossEntropyWithLogits(logits, targets; reduction: string = mean)", DTypeRule::kFloat, binary_cross_entropy,
     binary_cross_entropy_gradient, kSaveInputs},
    {"nll(logProbabilities, targets: index; reduction: string = mean, ignoreIndex: integer = -100)", DTypeRule::kFloat,
     [](const OpCall& call) { return nll_of(call.promoted(0), targets_of(call[0], call[1], call.attributes, "nll")); },
     nll_gradient, kSaveInputs},
    {"crossEntropy(logits, targets: index; reduction: string = mean, ignoreIndex: integer = -100)", DTypeRule::kFloat,
     [](const OpCall& call) {
       const Targets targets = targets_of(call[0], call[1], call.attributes, "crossEntropy");
       return nll_of(log_probabilities(call.promoted(0), targets), targets);
     },
     cross_entropy_gradient, kSaveInputs},
};

}  // namespace

std::span<const OpEntry> loss_ops() { return kOps; }

}  // namespace minitensor
