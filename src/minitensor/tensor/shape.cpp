#include "minitensor/tensor/shape.h"

#include <algorithm>
#include <limits>

#include "minitensor/base/error.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// A storage's bytes must fit the address space, with elements of the widest dtype.
constexpr std::int64_t kMaxElements = std::numeric_limits<std::ptrdiff_t>::max() / 8;

[[noreturn]] void throw_rank(std::int64_t rank) {
  throw_error(ErrorCode::kShape, {"a tensor has 0 to ", std::int64_t{kMaxRank}, " dimensions, not ", rank});
}

}  // namespace

Dims::Dims(std::initializer_list<std::int64_t> values)
    : Dims(std::span<const std::int64_t>(values.begin(), values.size())) {}

Dims::Dims(std::span<const std::int64_t> values) {
  if (values.size() > kMaxRank) throw_rank(static_cast<std::int64_t>(values.size()));
  std::copy(values.begin(), values.end(), values_.begin());
  rank_ = static_cast<int>(values.size());
}

Dims& Dims::operator=(const Dims& other) noexcept {
  rank_ = other.rank_;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(rank_); ++axis) values_[axis] = other.values_[axis];
  return *this;
}

Dims Dims::filled(int rank, std::int64_t value) {
  if (rank < 0 || rank > kMaxRank) throw_rank(rank);
  Dims dims;
  dims.rank_ = rank;
  std::fill_n(dims.values_.begin(), rank, value);
  return dims;
}

void Dims::push_back(std::int64_t value) {
  if (rank_ == kMaxRank) throw_rank(kMaxRank + 1);
  values_[static_cast<std::size_t>(rank_++)] = value;
}

std::string to_string(const Dims& dims) {
  std::string text = "[";
  for (int axis = 0; axis < dims.rank(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(dims[axis]);
  }
  return text + "]";
}

std::int64_t element_count(const Shape& shape, std::string_view operation) {
  // An empty tensor is empty however large its other sizes, but those must still be sizes.
  std::int64_t count = 1;
  bool too_large = false;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) {
      throw_error(ErrorCode::kShape, {operation, ": negative size in shape ", shape});
    }
    if (size == 0) {
      empty = true;
    } else if (count > kMaxElements / size) {
      too_large = true;
    } else {
      count *= size;
    }
  }
  if (empty) return 0;
  if (too_large) {
    throw_error(ErrorCode::kShape, {operation, ": shape ", shape, " has more than ", kMaxElements,
                                    " elements, the most that a tensor has here"});
  }
  return count;
}

Strides row_major_strides(const Shape& shape) {
  Strides strides = Strides::filled(shape.rank(), 1);
  // Sizes of 0 count as 1: no element is ever addressed by such strides, and they stay within range.
  std::int64_t step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = step;
    const std::int64_t size = std::max<std::int64_t>(shape[axis], 1);
    step = step > kMaxElements / size ? kMaxElements : step * size;
  }
  return strides;
}

Shape broadcast_shapes(const Shape& a, const Shape& b, std::string_view operation) {
  const int rank = std::max(a.rank(), b.rank());
  Shape result = Shape::filled(rank, 1);
  for (int axis = 0; axis < rank; ++axis) {
    const int in_a = axis - (rank - a.rank());
    const int in_b = axis - (rank - b.rank());
    const std::int64_t size_a = in_a < 0 ? 1 : a[in_a];
    const std::int64_t size_b = in_b < 0 ? 1 : b[in_b];
    if (size_a != size_b && size_a != 1 && size_b != 1) {
      throw_error(ErrorCode::kShape, {operation, ": shapes do not broadcast: ", a, " and ", b});
    }
    result[axis] = size_a == 1 ? size_b : size_a;
  }
  return result;
}

int normalize_axis(std::int64_t axis, int rank, std::string_view operation) {
  if (axis < -rank || axis >= rank) {
    throw_error(ErrorCode::kShape,
                {operation, ": axis ", axis, " is out of range for rank ", static_cast<std::int64_t>(rank)});
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace minitensor
