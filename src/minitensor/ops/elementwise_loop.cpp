#include "minitensor/ops/elementwise_loop.h"

#include <algorithm>
#include <array>

#include "minitensor/tensor/convert.h"

namespace minitensor {

namespace {

constexpr std::size_t kBlock = 256;

// One input, as the loop walks over it.
struct Operand {
  const std::byte* data;
  DType dtype;
  Strides strides;  // in bytes, 0 along axes that are broadcast
};

struct Loop {
  const Elementwise& op;
  ElementwiseKernel kernel;
  const double* parameters;
  DType computed;  // what the kernel takes
  DType produced;  // what the kernel gives
  int operand_count;
  std::array<Operand, kMaxOperands> operands;
  Shape shape;  // with axes merged that lie one behind the other in all operands

  void run(Tensor& result) const;

 private:
  void run_row(const std::array<const std::byte*, kMaxOperands>& inputs, std::byte* output, DType output_dtype) const;
  bool is_direct(const Operand& operand) const {
    const int last = shape.rank() - 1;
    return operand.dtype == computed && operand.strides[last] == static_cast<std::int64_t>(dtype_size(computed));
  }
};

// The strides, in bytes, under which `x` has the shape that it is broadcast to.
Strides byte_strides(const Tensor& x, const Shape& shape) {
  const int added = shape.rank() - x.rank();
  Strides strides = Strides::filled(shape.rank(), 0);
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (x.shape()[axis] != 1) {
      strides[axis + added] = x.strides()[axis] * static_cast<std::int64_t>(dtype_size(x.dtype()));
    }
  }
  return strides;
}

// Leaves out axes of size 1, and joins axes that are one run in every operand. At least one axis is left.
void merge_axes(Loop& loop, const Shape& shape) {
  int last = -1;
  std::array<Strides, kMaxOperands> given;
  for (int i = 0; i < loop.operand_count; ++i) {
    given[static_cast<std::size_t>(i)] = loop.operands[static_cast<std::size_t>(i)].strides;
  }
  Shape merged = Shape::filled(std::max(shape.rank(), 1), 1);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    bool joins = last >= 0;
    for (int i = 0; joins && i < loop.operand_count; ++i) {
      const auto operand = static_cast<std::size_t>(i);
      joins = loop.operands[operand].strides[last] == given[operand][axis] * shape[axis];
    }
    if (!joins) ++last;
    merged[last] = joins ? merged[last] * shape[axis] : shape[axis];
    for (int i = 0; i < loop.operand_count; ++i) {
      const auto operand = static_cast<std::size_t>(i);
      loop.operands[operand].strides[last] = given[operand][axis];
    }
  }
  loop.shape = Shape(merged.span().first(static_cast<std::size_t>(std::max(last + 1, 1))));
  if (last >= 0) return;
  for (Operand& operand : loop.operands) operand.strides = Strides::filled(1, 0);
}

// One row of the last axis, in blocks: what the kernel cannot read where it lies is converted into a buffer first.
void Loop::run_row(const std::array<const std::byte*, kMaxOperands>& inputs, std::byte* output,
                   DType output_dtype) const {
  alignas(16) std::byte buffers[kMaxOperands + 1][kBlock * 8];
  const int last = shape.rank() - 1;
  const auto length = static_cast<std::size_t>(shape[last]);
  const bool writes_directly = output_dtype == produced;
  bool is_whole = writes_directly;
  for (int i = 0; i < operand_count; ++i) is_whole = is_whole && is_direct(operands[static_cast<std::size_t>(i)]);
  const std::size_t block = is_whole ? length : kBlock;
  for (std::size_t done = 0; done < length; done += block) {
    const std::size_t count = std::min(block, length - done);
    std::array<const void*, kMaxOperands> addresses{};
    for (int i = 0; i < operand_count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      const Operand& operand = operands[index];
      const std::int64_t step = operand.strides[last];
      const std::byte* source = inputs[index] + static_cast<std::int64_t>(done) * step;
      if (is_direct(operand)) {
        addresses[index] = source;
        continue;
      }
      addresses[index] = buffers[index];
      if (step == 0 && done > 0) continue;  // the one element stands there already
      convert_elements(source, operand.dtype, step / static_cast<std::int64_t>(dtype_size(operand.dtype)),
                       buffers[index], computed, count);
    }
    std::byte* target = output + done * dtype_size(output_dtype);
    kernel(addresses.data(), writes_directly ? static_cast<void*>(target) : buffers[kMaxOperands], count, parameters);
    if (!writes_directly) convert_elements(buffers[kMaxOperands], produced, 1, target, output_dtype, count);
  }
}

void Loop::run(Tensor& result) const {
  std::array<const std::byte*, kMaxOperands> inputs{};
  for (std::size_t i = 0; i < kMaxOperands; ++i) inputs[i] = operands[i].data;
  auto* output = static_cast<std::byte*>(result.raw_data());
  const int last = shape.rank() - 1;
  const auto row_size = static_cast<std::size_t>(shape[last]) * dtype_size(result.dtype());
  Shape index = Shape::filled(shape.rank(), 0);
  for (;;) {
    run_row(inputs, output, result.dtype());
    output += row_size;
    int axis = last - 1;
    for (; axis >= 0; --axis) {
      const bool wraps = ++index[axis] == shape[axis];
      if (wraps) index[axis] = 0;
      for (int i = 0; i < operand_count; ++i) {
        const auto operand = static_cast<std::size_t>(i);
        inputs[operand] += operands[operand].strides[axis] * (wraps ? 1 - shape[axis] : 1);
      }
      if (!wraps) break;
    }
    if (axis < 0) return;
  }
}

ElementwiseKernel kernel_of(const Elementwise& op, DType computed) {
  if (computed == DType::kFloat32) return op.f32;
  return computed == DType::kFloat64 ? op.f64 : op.i64;
}

}  // namespace

Tensor run_kernels(const Elementwise& op, std::span<const Tensor> inputs, const double* parameters) {
  Shape shape = inputs[0].shape();
  DType dtype = inputs[0].dtype();
  bool is_plain = inputs[0].is_contiguous();
  for (const Tensor& input : inputs.subspan(1)) {
    is_plain = is_plain && input.shape() == shape && input.dtype() == dtype && input.is_contiguous();
    if (input.shape() != shape) shape = broadcast_shapes(shape, input.shape(), op.name);
    dtype = promote_types(dtype, input.dtype());
  }
  const DType promoted = computed_dtype(op.rule, dtype, op.name);
  const DType computed = is_floating(promoted) ? promoted : DType::kInt64;
  const DType produced = op.rule == DTypeRule::kPredicate ? DType::kBool : computed;
  Tensor result = Tensor::empty(shape, result_dtype(op.rule, promoted));
  if (result.size() == 0) return result;

  const ElementwiseKernel kernel = kernel_of(op, computed);
  if (is_plain && dtype == computed && result.dtype() == produced) {
    std::array<const void*, kMaxOperands> addresses{};
    for (std::size_t i = 0; i < inputs.size(); ++i) addresses[i] = inputs[i].raw_data();
    kernel(addresses.data(), result.raw_data(), static_cast<std::size_t>(result.size()), parameters);
    return result;
  }
  Loop loop{op, kernel, parameters, computed, produced, static_cast<int>(inputs.size()), {}, {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    loop.operands[i] = {static_cast<const std::byte*>(inputs[i].raw_data()), inputs[i].dtype(),
                        byte_strides(inputs[i], shape)};
  }
  merge_axes(loop, shape);
  loop.run(result);
  return result;
}

}  // namespace minitensor
