#include "minitensor/ops/index_loop.h"

#include <cstddef>
#include <cstring>

#include "minitensor/tensor/message.h"
#include "minitensor/tensor/strided_loop.h"

namespace minitensor {

namespace {

// One row of a loop over positions; steps are in elements.
struct Row {
  const std::int64_t* positions;
  std::int64_t position_step;
  std::int64_t axis_step;    // of the tensor that the positions point into
  std::int64_t source_step;  // of that tensor, along the row
  std::int64_t length;
};

template <typename T>
void gather_row(const Row& row, const std::byte* from, std::byte* to) {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < row.length; ++i) {
    target[i] = source[row.positions[i * row.position_step] * row.axis_step + i * row.source_step];
  }
}

// Elements are only moved here, so that their size is all that matters.
void gather_row(const Row& row, const std::byte* from, std::byte* to, std::size_t element_size) {
  if (row.position_step == 0 && row.source_step == 1) {
    const auto size = static_cast<std::int64_t>(element_size);
    std::memcpy(to, from + *row.positions * row.axis_step * size, static_cast<std::size_t>(row.length * size));
  } else if (element_size == 8) {
    gather_row<std::uint64_t>(row, from, to);
  } else if (element_size == 4) {
    gather_row<std::uint32_t>(row, from, to);
  } else {
    gather_row<std::uint8_t>(row, from, to);
  }
}

// Integers wrap around, as those without a sign do by definition.
template <typename T>
void add_positions(const Row& row, std::byte* to, const std::byte* from, std::int64_t step) {
  T* target = reinterpret_cast<T*>(to);
  const T* source = reinterpret_cast<const T*>(from);
  for (std::int64_t i = 0; i < row.length; ++i) {
    target[row.positions[i * row.position_step] * row.axis_step + i * row.source_step] += source[i * step];
  }
}

}  // namespace

Tensor copy_as(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x.clone() : x.cast(dtype); }

Tensor positions_of(const Tensor& indices, std::int64_t size, int axis, const char* operation) {
  Tensor result = copy_as(indices, DType::kInt64);
  auto* positions = static_cast<std::int64_t*>(result.raw_data());
  for (std::int64_t i = 0; i < result.size(); ++i) {
    const std::int64_t index = positions[i];
    if (index < -size || index >= size) {
      throw_error(ErrorCode::kValue,
                  {operation, ": index ", index, " is out of range for axis ", axis, " of size ", size});
    }
    if (index < 0) positions[i] = index + size;
  }
  return result;
}

Tensor gather_positions(const Tensor& x, const Tensor& positions, int axis) {
  Tensor result = Tensor::empty(positions.shape(), x.dtype());
  Strides strides = x.strides();
  for (int other = 0; other < x.rank(); ++other) {
    if (other == axis || x.shape()[other] == 1) strides[other] = 0;
  }
  const std::size_t size = dtype_size(x.dtype());
  const auto* source = static_cast<const std::byte*>(x.raw_data());
  auto* target = static_cast<std::byte*>(result.raw_data());
  const auto* first = positions.data<std::int64_t>();
  for_each_row<3>(positions.shape(), {&positions.strides(), &strides, &result.strides()},
                  [&](const auto& offsets, const auto& steps, std::int64_t length) {
                    const auto bytes = static_cast<std::int64_t>(size);
                    gather_row({first + offsets[0], steps[0], x.strides()[axis], steps[1], length},
                               source + offsets[1] * bytes, target + offsets[2] * bytes, size);
                  });
  return result;
}

void add_at_positions(Tensor& totals, const Tensor& positions, const Tensor& updates, int axis) {
  Strides strides = totals.strides();
  strides[axis] = 0;
  const DType dtype = totals.dtype();
  const auto add_row = dtype == DType::kFloat32   ? add_positions<float>
                       : dtype == DType::kFloat64 ? add_positions<double>
                                                  : add_positions<std::uint64_t>;
  const std::int64_t axis_step = totals.strides()[axis];
  const auto size = static_cast<std::int64_t>(dtype_size(dtype));
  auto* target = static_cast<std::byte*>(totals.raw_data());
  const auto* source = static_cast<const std::byte*>(updates.raw_data());
  const auto* first = positions.data<std::int64_t>();
  for_each_row<3>(positions.shape(), {&positions.strides(), &strides, &updates.strides()},
                  [&](const auto& offsets, const auto& steps, std::int64_t length) {
                    add_row({first + offsets[0], steps[0], axis_step, steps[1], length}, target + offsets[1] * size,
                            source + offsets[2] * size, steps[2]);
                  });
}

Tensor spread_to_positions(const Tensor& values, const Tensor& positions, int axis, std::int64_t size) {
  Shape shape = positions.shape();
  shape[axis] = size;
  Tensor totals = Tensor::zeros(shape, values.dtype());
  add_at_positions(totals, positions, values, axis);
  return totals;
}

}  // namespace minitensor
