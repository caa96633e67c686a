#include "minitensor/ops/matmul.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "minitensor/ops/kernels/matmul.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"
#include "minitensor/tensor/strided_loop.h"

namespace minitensor {

namespace {

[[noreturn]] void throw_inner_sizes(const Tensor& a, const Tensor& b) {
  throw_error(ErrorCode::kShape, {"matmul: inner sizes differ: ", a.shape(), " x ", b.shape()});
}

// The sizes before the last two.
Shape batch_shape(const Shape& shape) { return Shape(shape.span().first(static_cast<std::size_t>(shape.rank() - 2))); }

Shape with_axes(Shape shape, std::int64_t rows, std::int64_t columns) {
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

// `x` with its batch axes broadcast.
Tensor broadcast_batch(const Tensor& x, const Shape& batch) {
  const int rank = x.rank();
  return x.broadcast_to(with_axes(batch, x.shape()[rank - 2], x.shape()[rank - 1]));
}

Strides batch_strides(const Tensor& x) {
  return Strides(x.strides().span().first(static_cast<std::size_t>(x.rank() - 2)));
}

// The matrix of `x` that begins at this offset.
template <typename T>
kernels::MatrixView<T> matrix_at(const Tensor& x, std::int64_t offset) {
  const int rank = x.rank();
  return {x.data<T>() + offset, static_cast<std::ptrdiff_t>(x.strides()[rank - 2]),
          static_cast<std::ptrdiff_t>(x.strides()[rank - 1])};
}

template <typename T>
void multiply_at(const Tensor& x, const Tensor& y, Tensor& out, std::int64_t x_offset, std::int64_t y_offset,
                 std::int64_t out_offset) {
  const int rank = x.rank();
  kernels::matmul(matrix_at<T>(x, x_offset), matrix_at<T>(y, y_offset), out.data<T>() + out_offset,
                  static_cast<std::size_t>(x.shape()[rank - 2]), static_cast<std::size_t>(x.shape()[rank - 1]),
                  static_cast<std::size_t>(y.shape()[rank - 1]));
}

// A and B have at least two axes, and one dtype.
Tensor multiply_matrices(const Tensor& a, const Tensor& b) {
  const std::int64_t rows = a.shape()[a.rank() - 2];
  const std::int64_t columns = b.shape()[b.rank() - 1];
  const Shape batch = broadcast_shapes(batch_shape(a.shape()), batch_shape(b.shape()), "matmul");
  const Tensor x = broadcast_batch(a, batch);
  const Tensor y = broadcast_batch(b, batch);
  Tensor result = Tensor::empty(with_axes(batch, rows, columns), a.dtype());
  const auto multiply = a.dtype() == DType::kFloat32   ? multiply_at<float>
                        : a.dtype() == DType::kFloat64 ? multiply_at<double>
                                                       : multiply_at<std::int64_t>;
  const Strides of_x = batch_strides(x);
  const Strides of_y = batch_strides(y);
  const Strides of_result = batch_strides(result);
  for_each_row<3>(batch, {&of_x, &of_y, &of_result}, [&](const auto& offsets, const auto& steps, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) {
      multiply(x, y, result, offsets[0] + i * steps[0], offsets[1] + i * steps[1], offsets[2] + i * steps[2]);
    }
  });
  return result;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  if (a.rank() == 0 || b.rank() == 0) {
    throw_error(ErrorCode::kShape, {"matmul: inputs need at least one axis: ", a.shape(), " x ", b.shape()});
  }
  const bool a_is_vector = a.rank() == 1;
  const bool b_is_vector = b.rank() == 1;
  const std::int64_t inner_a = a.shape()[a.rank() - 1];
  const std::int64_t inner_b = b.shape()[b_is_vector ? 0 : b.rank() - 2];
  if (inner_a != inner_b) throw_inner_sizes(a, b);

  const DType dtype = computed_dtype(DTypeRule::kAny, promote_types(a.dtype(), b.dtype()), "matmul");
  // Integers are multiplied as int64, modulo 2^64, and so modulo every smaller power of 2; bool likewise, where a sum
  // that is not 0 is true.
  const DType computed = is_floating(dtype) ? dtype : DType::kInt64;
  const Tensor x = a.cast(computed);
  const Tensor y = b.cast(computed);
  Tensor product = multiply_matrices(a_is_vector ? x.view({1, inner_a}, {0, x.strides()[0]}) : x,
                                     b_is_vector ? y.view({inner_b, 1}, {y.strides()[0], 0}) : y)
                       .cast(dtype);
  if (!a_is_vector && !b_is_vector) return product;
  // The axis that stood for a vector is taken out again.
  Shape shape = batch_shape(product.shape());
  if (!a_is_vector) shape.push_back(product.shape()[product.rank() - 2]);
  if (!b_is_vector) shape.push_back(product.shape()[product.rank() - 1]);
  return product.view(shape, row_major_strides(shape));
}

namespace {

// The last two axes exchanged.
Tensor flipped(const Tensor& x) {
  const int rank = x.rank();
  Shape shape = x.shape();
  Strides strides = x.strides();
  std::swap(shape[rank - 1], shape[rank - 2]);
  std::swap(strides[rank - 1], strides[rank - 2]);
  return x.view(shape, strides);
}

Tensor with_axis(const Tensor& x, int axis) {
  Shape shape;
  for (int i = 0; i <= x.rank(); ++i) {
    if (i == axis) shape.push_back(1);
    if (i < x.rank()) shape.push_back(x.shape()[i]);
  }
  return reshape(x, shape.span());
}

// With matrices in place of vectors: dA = G B^T, dB = A^T G, summed over the batch axes that were broadcast.
Gradients matmul_gradient(const BackwardArguments& at) {
  const bool a_is_vector = at.inputs[0].rank() == 1;
  const bool b_is_vector = at.inputs[1].rank() == 1;
  const Tensor a = a_is_vector ? with_axis(at.inputs[0], 0) : at.inputs[0];
  const Tensor b = b_is_vector ? with_axis(at.inputs[1], 1) : at.inputs[1];
  Tensor g = at.grad_output;
  if (b_is_vector) g = with_axis(g, g.rank());
  if (a_is_vector) g = with_axis(g, g.rank() - 1);
  Gradients gradients(2);
  if (at.wants(0)) {
    gradients[0] = reshape(sum_to_shape(matmul(g, flipped(b)), a.shape()), at.inputs[0].shape().span());
  }
  if (at.wants(1)) {
    gradients[1] = reshape(sum_to_shape(matmul(flipped(a), g), b.shape()), at.inputs[1].shape().span());
  }
  return gradients;
}

constexpr OpEntry kOps[] = {
    {"matmul(a, b)", DTypeRule::kAny, [](const OpCall& call) { return matmul(call[0], call[1]); }, matmul_gradient,
     kSaveInputs},
};

}  // namespace

std::span<const OpEntry> linalg_ops() { return kOps; }

}  // namespace minitensor
