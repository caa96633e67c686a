#include "minitensor/ops/join_ops.h"

#include <array>
#include <string>

#include "minitensor/ops/extend_axis.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/view_ops.h"

namespace minitensor {

namespace {

// Parts of these sizes along `axis`, one behind the other, as views.
std::vector<Tensor> parts(const Tensor& x, int axis, std::span<const std::int64_t> sizes) {
  std::vector<Tensor> results;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    Shape shape = x.shape();
    shape[axis] = size;
    // A part without elements may stand where there is no element to begin at.
    results.push_back(x.view(shape, x.strides(), x.size() == 0 || size == 0 ? 0 : x.strides()[axis] * first));
    first += size;
  }
  return results;
}

std::vector<std::int64_t> sizes_along(std::span<const Tensor> tensors, int axis) {
  std::vector<std::int64_t> sizes;
  for (const Tensor& tensor : tensors) sizes.push_back(tensor.shape()[axis]);
  return sizes;
}

void require_some(std::span<const Tensor> tensors, const char* operation) {
  if (tensors.empty()) throw Error(ErrorCode::kValue, std::string(operation) + ": takes one tensor or more, got none");
}

[[noreturn]] void throw_different(const char* what, const Tensor& a, const Tensor& b) {
  throw Error(ErrorCode::kShape, what + (": " + to_string(a.shape())) + " and " + to_string(b.shape()));
}

// Of tensors that agree beside `axis`.
Tensor joined(std::span<const Tensor> tensors, int axis) {
  Shape shape = tensors[0].shape();
  DType dtype = tensors[0].dtype();
  const std::vector<std::int64_t> sizes = sizes_along(tensors, axis);
  shape[axis] = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    shape[axis] = add_sizes(shape[axis], sizes[i], "concat");
    dtype = promote_types(dtype, tensors[i].dtype());
  }
  Tensor result = Tensor::empty(shape, dtype);
  std::vector<Tensor> targets = parts(result, axis, sizes);
  for (std::size_t i = 0; i < tensors.size(); ++i) targets[i].assign(tensors[i]);
  return result;
}

}  // namespace

Tensor concat(std::span<const Tensor> tensors, std::int64_t given_axis) {
  require_some(tensors, "concat");
  const Shape& shape = tensors[0].shape();
  const int axis = normalize_axis(given_axis, shape.rank(), "concat");
  for (const Tensor& next : tensors) {
    Shape others = next.shape();
    if (others.rank() == shape.rank()) others[axis] = shape[axis];
    if (others != shape) throw_different("concat: shapes differ beside the axis", tensors[0], next);
  }
  return joined(tensors, axis);
}

Tensor stack(std::span<const Tensor> tensors, std::int64_t given_axis) {
  require_some(tensors, "stack");
  const std::array<std::int64_t, 1> axis{normalize_axis(given_axis, tensors[0].rank() + 1, "stack")};
  std::vector<Tensor> rows;
  for (const Tensor& next : tensors) {
    if (next.shape() != tensors[0].shape()) throw_different("stack: shapes differ", tensors[0], next);
    rows.push_back(expand_dims(next, axis));
  }
  return joined(rows, static_cast<int>(axis[0]));
}

namespace {

[[noreturn]] void throw_split(std::string_view rule, std::span<const std::int64_t> sizes, const Tensor& x, int axis) {
  std::string list;
  for (const std::int64_t size : sizes) list += (list.empty() ? "" : ",") + std::to_string(size);
  throw Error(ErrorCode::kValue, "split: " + std::string(rule) + " [" + list + "], axis " + std::to_string(axis) +
                                     " has size " + std::to_string(x.shape()[axis]));
}

}  // namespace

std::vector<Tensor> split(const Tensor& x, std::span<const std::int64_t> sizes, std::int64_t given_axis) {
  const int axis = normalize_axis(given_axis, x.rank(), "split");
  std::int64_t left = x.shape()[axis];
  for (const std::int64_t size : sizes) {
    if (size < 0) throw_split("a size is negative:", sizes, x, axis);
    if (size > left) throw_split("sizes are more than there is:", sizes, x, axis);
    left -= size;
  }
  if (left > 0 || sizes.empty()) throw_split("sizes are less than there is:", sizes, x, axis);
  return parts(x, axis, sizes);
}

namespace {

using Backward = const BackwardArguments&;

Gradients concat_gradient(Backward at) {
  const int axis = normalize_axis(at.attributes.integer(0), at.output.rank(), "concat");
  return parts(at.grad_output, axis, sizes_along(at.inputs, axis));
}

Gradients stack_gradient(Backward at) {
  const std::array<std::int64_t, 1> axis{normalize_axis(at.attributes.integer(0), at.output.rank(), "stack")};
  const std::vector<std::int64_t> ones(at.inputs.size(), 1);
  Gradients gradients = parts(at.grad_output, static_cast<int>(axis[0]), ones);
  for (Tensor& gradient : gradients) gradient = squeeze(gradient, axis);
  return gradients;
}

// An axis may claim any size where there are no elements, or only one that is broadcast.
constexpr std::int64_t kMaxParts = 1 << 20;

std::vector<Tensor> split_entry(const OpCall& call) {
  const Attributes& attributes = call.attributes;
  if (attributes.has(0) == attributes.has(1)) {
    throw Error(ErrorCode::kValue, "split: give either sections or sizes");
  }
  if (attributes.has(1)) return split(call[0], attributes.integers(1), attributes.integer(2));
  const std::int64_t sections = attributes.integer(0);
  const std::int64_t size = call[0].shape()[normalize_axis(attributes.integer(2), call[0].rank(), "split")];
  if (sections > kMaxParts) {
    throw Error(ErrorCode::kValue,
                "split: makes at most " + std::to_string(kMaxParts) + " sections, not " + std::to_string(sections));
  }
  if (sections < 1 || size % sections != 0) {
    throw Error(ErrorCode::kValue, "split: an axis of size " + std::to_string(size) + " does not make " +
                                       std::to_string(sections) + " equal sections; give sizes");
  }
  const std::vector<std::int64_t> sizes(static_cast<std::size_t>(sections), size / sections);
  return split(call[0], sizes, attributes.integer(2));
}

Gradients split_gradient(Backward at) {
  std::vector<Tensor> gradients(at.grad_outputs.begin(), at.grad_outputs.end());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].is_defined()) gradients[i] = Tensor::zeros(at.outputs[i].shape(), at.outputs[i].dtype());
  }
  return {concat(gradients, at.attributes.integer(2))};
}

constexpr OpEntry kOps[] = {
    {"concat(...tensors; axis: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return concat(call.inputs, call.attributes.integer(0)); }, concat_gradient, kSaveNothing},
    {"stack(...tensors; axis: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return stack(call.inputs, call.attributes.integer(0)); }, stack_gradient, kSaveNothing},
    {"split(x; sections: integer?, sizes: integers?, axis: integer = 0) -> ...parts", DTypeRule::kAny, nullptr,
     split_gradient, kSaveNothing, nullptr, split_entry},
};

}  // namespace

std::span<const OpEntry> join_ops() { return kOps; }

}  // namespace minitensor
