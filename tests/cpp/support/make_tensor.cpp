#include "support/make_tensor.h"

#include <limits>

namespace minitensor::test {

Tensor make_tensor(const std::vector<double>& values, const Shape& shape, DType dtype) {
  return Tensor::from(std::span<const double>(values), shape).cast(dtype);
}

Tensor iota(const Shape& shape, DType dtype) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape, "iota")));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return make_tensor(values, shape, dtype);
}

Tensor pseudo_random(const Shape& shape, DType dtype, std::uint32_t seed) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape, "pseudo_random")));
  std::uint32_t state = seed;
  for (double& value : values) {
    // The linear congruential generator of Numerical Recipes; its high bits are good enough.
    state = state * 1664525U + 1013904223U;
    value = static_cast<double>(state >> 16U) / 65535.0 * 64.0;
    value = (static_cast<double>(static_cast<int>(value)) - 32.0) / 8.0;
  }
  return make_tensor(values, shape, dtype);
}

Tensor with_gaps(const Tensor& x) {
  const auto values = x.to_vector();
  std::vector<double> spread{std::numeric_limits<double>::quiet_NaN()};
  for (const double value : values) {
    spread.push_back(value);
    spread.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  const Tensor memory = make_tensor(spread, {static_cast<std::int64_t>(spread.size())}, x.dtype());
  Strides strides = row_major_strides(x.shape());
  for (int axis = 0; axis < strides.rank(); ++axis) strides[axis] *= 2;
  return memory.view(x.shape(), strides, 1);
}

Tensor with_reversed_axes(const Tensor& x) {
  Tensor memory = Tensor::empty(x.shape(), x.dtype());
  Shape reversed = Shape::filled(x.rank(), 0);
  for (int axis = 0; axis < x.rank(); ++axis) reversed[axis] = x.shape()[x.rank() - 1 - axis];
  const Strides steps = row_major_strides(reversed);
  Strides strides = Strides::filled(x.rank(), 0);
  for (int axis = 0; axis < x.rank(); ++axis) strides[axis] = steps[x.rank() - 1 - axis];

  // Each element of x, in row-major order, to its place.
  const auto values = x.to_vector();
  Shape index = Shape::filled(x.rank(), 0);
  for (const double value : values) {
    std::int64_t offset = 0;
    for (int axis = 0; axis < x.rank(); ++axis) offset += index[axis] * strides[axis];
    dispatch_dtype(x.dtype(), [&]<typename T>(T) { memory.data<T>()[offset] = static_cast<T>(value); });
    for (int axis = x.rank() - 1; axis >= 0; --axis) {
      if (++index[axis] < x.shape()[axis]) break;
      index[axis] = 0;
    }
  }
  return memory.view(x.shape(), strides);
}

}  // namespace minitensor::test
