#include "minitensor/ops/reduce.h"

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/ops/shape_ops.h"

namespace minitensor {

namespace {

using AxisSet = std::bitset<kMaxRank>;

AxisSet reduced_axes(const Tensor& x, std::span<const std::int64_t> axes, std::string_view operation) {
  AxisSet reduced;
  for (const std::int64_t given : axes) {
    const auto axis = static_cast<std::size_t>(normalize_axis(given, x.rank(), operation));
    if (reduced[axis]) {
      throw Error(ErrorCode::kShape, std::string(operation) + ": axis " + std::to_string(given) + " is given twice");
    }
    reduced.set(axis);
  }
  if (axes.empty()) {
    for (int axis = 0; axis < x.rank(); ++axis) reduced.set(static_cast<std::size_t>(axis));
  }
  return reduced;
}

constexpr std::int64_t kPairwiseBlock = 64;

// Pairwise summation: the error grows with the logarithm of the length (Higham, The Accuracy of Floating Point
// Summation, 1993).
template <typename T>
double pairwise_sum(const T* values, std::int64_t length) {
  if (length <= kPairwiseBlock) {
    double total = 0;
    for (std::int64_t i = 0; i < length; ++i) total += static_cast<double>(values[i]);
    return total;
  }
  const std::int64_t half = length / 2;
  return pairwise_sum(values, half) + pairwise_sum(values + half, length - half);
}

Tensor without_axes(const Tensor& kept, const AxisSet& reduced) {
  Shape shape;
  for (int axis = 0; axis < kept.rank(); ++axis) {
    if (!reduced[static_cast<std::size_t>(axis)]) shape.push_back(kept.shape()[axis]);
  }
  return kept.view(shape, row_major_strides(shape));
}

// Each element of the result is `finish(sum, count)`, rounded once, of the sum of `count` elements.
template <typename Finish>
Tensor reduce(const Tensor& x, std::span<const std::int64_t> axes, bool keep_dims, std::string_view operation,
              Finish finish) {
  const AxisSet reduced = reduced_axes(x, axes, operation);
  // The reduced axes are moved to the end and that is made row-major, so that each sum is over one run of memory.
  std::vector<std::int64_t> order;
  Shape kept = x.shape();
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!reduced[static_cast<std::size_t>(axis)]) order.push_back(axis);
  }
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!reduced[static_cast<std::size_t>(axis)]) continue;
    order.push_back(axis);
    kept[axis] = 1;
  }
  const Tensor source = transpose(x, order).contiguous();
  Tensor result = Tensor::empty(kept, x.dtype());
  // Not the product of the reduced sizes, which overflows where another size is 0.
  const std::int64_t count = result.size() == 0 ? 0 : x.size() / result.size();
  dispatch_dtype(x.dtype(), [&]<typename T>(T) {
    const T* values = source.data<T>();
    T* out = result.data<T>();
    for (std::int64_t i = 0; i < result.size(); ++i) {
      out[i] = static_cast<T>(finish(pairwise_sum(values + i * count, count), count));
    }
  });
  return keep_dims ? result : without_axes(result, reduced);
}

}  // namespace

Tensor sum(const Tensor& x, std::span<const std::int64_t> axes, bool keep_dims) {
  return reduce(x, axes, keep_dims, "sum", [](double total, std::int64_t) { return total; });
}

Tensor mean(const Tensor& x, std::span<const std::int64_t> axes, bool keep_dims) {
  return reduce(x, axes, keep_dims, "mean",
                [](double total, std::int64_t count) { return total / static_cast<double>(count); });
}

}  // namespace minitensor
