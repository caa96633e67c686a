#include <cstring>
#include <string_view>

#include "minitensor/base/text.h"
#include "minitensor/ops/activations.h"
#include "minitensor/ops/arithmetic.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/softmax.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using Backward = const BackwardArguments&;

constexpr const char* kBinary = "binaryCrossEntropyWithLogits";

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
  return reduced(square(difference), reduction_of(call.attributes, "mse"), static_cast<double>(difference.size()));
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
  const Tensor exponential = softplus(neg(abs(logits)));
  const Tensor losses = add(sub(relu(logits), mul(logits, call.promoted(1))), exponential);
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

int classes_axis(const Tensor& x) { return x.rank() == 1 ? 0 : 1; }

Targets targets_of(const Tensor& x, const Tensor& given, const Attributes& attributes, std::string_view operation) {
  Targets targets;
  if (x.rank() == 0) throw_error(ErrorCode::kShape, {operation, ": a number has no axis of classes"});
  const int axis = classes_axis(x);
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

// Copies the scores of the targets to `picked`, or back; both are row-major.
void move_picked(const Targets& targets, Tensor& scores, Tensor& picked, bool is_back) {
  const std::size_t size = dtype_size(scores.dtype());
  auto* score = static_cast<std::byte*>(scores.raw_data());
  auto* pick = static_cast<std::byte*>(picked.raw_data());
  for_each_target(targets, [&](std::int64_t i, std::int64_t offset) {
    std::byte* a = score + static_cast<std::size_t>(offset) * size;
    std::byte* b = pick + static_cast<std::size_t>(i) * size;
    std::memcpy(is_back ? a : b, is_back ? b : a, size);
  });
}

Tensor nll_of(const Tensor& logarithms, const Targets& targets) {
  Tensor scores = neg(logarithms);
  Tensor losses = Tensor::zeros(targets.shape, scores.dtype());
  move_picked(targets, scores, losses, false);
  return reduced(losses, targets.reduction, static_cast<double>(targets.count));
}

// With respect to the logarithms: the loss's, negative, at the targets.
Tensor nll_gradient(Backward at, const char* operation) {
  const Targets targets = targets_of(at.inputs[0], at.inputs[1], at.attributes, operation);
  const Tensor g = unreduced(at.grad_output, targets.reduction, static_cast<double>(targets.count));
  Tensor picked = neg(g).broadcast_to(targets.shape).contiguous();
  Tensor gradient = Tensor::zeros(at.inputs[0].shape(), picked.dtype());
  move_picked(targets, gradient, picked, true);
  return gradient;
}

Tensor log_probabilities(const Tensor& logits) {
  return softmax(logits, classes_axis(logits), Softmax::kLogarithms, "crossEntropy");
}

// Through the logarithms y of the softmax: g - e^y sum g.
Gradients cross_entropy_gradient(Backward at) {
  const Tensor g = nll_gradient(at, "crossEntropy");
  const std::int64_t axis[] = {classes_axis(g)};
  return {sub(g, mul(exp(log_probabilities(at.inputs[0].cast(g.dtype()))), sum(g, axis, true))), Tensor()};
}

constexpr OpEntry kOps[] = {
    {"mse(x, target; reduction: string = mean)", DTypeRule::kFloat, mean_squared_error, mean_squared_error_gradient,
     kSaveInputs},
    {"binaryCrossEntropyWithLogits(logits, targets; reduction: string = mean)", DTypeRule::kFloat, binary_cross_entropy,
     binary_cross_entropy_gradient, kSaveInputs},
    {"nll(logProbabilities, targets: index; reduction: string = mean, ignoreIndex: integer = -100)", DTypeRule::kFloat,
     [](const OpCall& call) { return nll_of(call.promoted(0), targets_of(call[0], call[1], call.attributes, "nll")); },
     [](Backward at) -> Gradients { return {nll_gradient(at, "nll"), Tensor()}; }, kSaveInputs},
    {"crossEntropy(logits, targets: index; reduction: string = mean, ignoreIndex: integer = -100)", DTypeRule::kFloat,
     [](const OpCall& call) {
       const Targets targets = targets_of(call[0], call[1], call.attributes, "crossEntropy");
       return nll_of(log_probabilities(call.promoted(0)), targets);
     },
     cross_entropy_gradient, kSaveInputs},
};

}  // namespace

std::span<const OpEntry> loss_ops() { return kOps; }

}  // namespace minitensor
