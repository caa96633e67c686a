#include "minitensor/ops/join_ops.h"

#include <string>

#include "minitensor/ops/extend_axis.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// What of `whole` begins at `first` along `axis` and has this shape, as a view. A shape of one rank less is without
// that axis.
Tensor part(const Tensor& whole, const Shape& shape, int axis, std::int64_t first) {
  Strides strides;
  for (int i = 0; i < whole.rank(); ++i) {
    if (i != axis || whole.rank() == shape.rank()) strides.push_back(whole.strides()[i]);
  }
  // A part without elements may stand where there is no element to begin at.
  return whole.view(shape, strides, element_count(shape, "view") == 0 ? 0 : whole.strides()[axis] * first);
}

// concat and stack differ in the axis alone: it is one of the tensors, or a new one on which each has one place.
struct Join {
  const char* name;
  bool adds_axis;

  std::int64_t size(const Tensor& next, int axis) const { return adds_axis ? 1 : next.shape()[axis]; }
};

constexpr Join kConcat{"concat", false};
constexpr Join kStack{"stack", true};

Tensor join(const Join& kind, std::span<const Tensor> tensors, std::int64_t given_axis) {
  if (tensors.empty()) throw_error(ErrorCode::kValue, {kind.name, ": takes one tensor or more, got none"});
  const Tensor& model = tensors[0];
  const int axis = normalize_axis(given_axis, model.rank() + (kind.adds_axis ? 1 : 0), kind.name);
  DType dtype = model.dtype();
  std::int64_t total = 0;
  for (const Tensor& next : tensors) {
    Shape others = next.shape();
    if (!kind.adds_axis && others.rank() == model.rank()) others[axis] = model.shape()[axis];
    if (others != model.shape()) {
      throw_error(ErrorCode::kShape,
                  {kind.name, kind.adds_axis ? ": shapes differ: " : ": shapes differ beside the axis: ", model.shape(),
                   " and ", next.shape()});
    }
    total = add_sizes(total, kind.size(next, axis), kind.name);
    dtype = promote_types(dtype, next.dtype());
  }
  Shape shape = model.shape();
  if (kind.adds_axis) {
    shape.push_back(1);
    for (int i = shape.rank() - 1; i > axis; --i) shape[i] = shape[i - 1];
  }
  shape[axis] = total;
  Tensor result = Tensor::empty(shape, dtype);
  std::int64_t first = 0;
  for (const Tensor& next : tensors) {
    part(result, next.shape(), axis, first).assign(next);
    first += kind.size(next, axis);
  }
  return result;
}

}  // namespace

Tensor concat(std::span<const Tensor> tensors, std::int64_t axis) { return join(kConcat, tensors, axis); }

Tensor stack(std::span<const Tensor> tensors, std::int64_t axis) { return join(kStack, tensors, axis); }

std::vector<Tensor> split(const Tensor& x, std::span<const std::int64_t> sizes, std::int64_t given_axis) {
  const int axis = normalize_axis(given_axis, x.rank(), "split");
  Shape shape = x.shape();
  std::int64_t total = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0) throw_error(ErrorCode::kValue, {"split: a size is negative: ", size});
    total = add_sizes(total, size, "split");
  }
  if (total != shape[axis] || sizes.empty()) {
    throw_error(ErrorCode::kValue, {"split: the sizes add up to ", total, ", axis ", axis, " of shape ", shape,
                                    " has size ", shape[axis]});
  }
  std::vector<Tensor> parts;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    shape[axis] = size;
    parts.push_back(part(x, shape, axis, first));
    first += size;
  }
  return parts;
}

namespace {

using Backward = const BackwardArguments&;

Gradients taken_apart(const Join& kind, Backward at) {
  const int axis = normalize_axis(at.attributes.integer(0), at.output.rank(), kind.name);
  Gradients gradients;
  std::int64_t first = 0;
  for (const Tensor& input : at.inputs) {
    gradients.push_back(part(at.grad_output, input.shape(), axis, first));
    first += kind.size(input, axis);
  }
  return gradients;
}

// An axis may claim any size where there are no elements, or only one that is broadcast.
constexpr std::int64_t kMaxParts = 1 << 20;

std::vector<Tensor> split_entry(const OpCall& call) {
  const Attributes& attributes = call.attributes;
  if (attributes.has(0) == attributes.has(1)) {
    throw_error(ErrorCode::kValue, {"split: give either sections or sizes"});
  }
  const std::int64_t axis = attributes.integer(2);
  if (attributes.has(1)) return split(call[0], attributes.integers(1), axis);
  const std::int64_t sections = attributes.integer(0);
  const std::int64_t size = call[0].shape()[normalize_axis(axis, call[0].rank(), "split")];
  if (sections < 1 || sections > kMaxParts || size % sections != 0) {
    const bool are_many = sections > kMaxParts;
    throw_error(ErrorCode::kValue,
                {"split: an axis of size ", size, " does not make ", sections, " equal sections",
                 are_many ? ": there are at most " + std::to_string(kMaxParts) : std::string("; give sizes")});
  }
  return split(call[0], std::vector<std::int64_t>(static_cast<std::size_t>(sections), size / sections), axis);
}

Gradients split_gradient(Backward at) {
  std::vector<Tensor> parts(at.grad_outputs.begin(), at.grad_outputs.end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_defined()) parts[i] = Tensor::zeros(at.outputs[i].shape(), at.outputs[i].dtype());
  }
  return {concat(parts, at.attributes.integer(2))};
}

constexpr OpEntry kOps[] = {
    {"concat(...tensors; axis: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return concat(call.inputs, call.attributes.integer(0)); },
     [](Backward at) { return taken_apart(kConcat, at); }, kSaveNothing},
    {"stack(...tensors; axis: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return stack(call.inputs, call.attributes.integer(0)); },
     [](Backward at) { return taken_apart(kStack, at); }, kSaveNothing},
    {"split(x; sections: integer?, sizes: integers?, axis: integer = 0) -> ...parts", DTypeRule::kAny, nullptr,
     split_gradient, kSaveNothing, nullptr, split_entry},
};

}  // namespace

std::span<const OpEntry> join_ops() { return kOps; }

}  // namespace minitensor
