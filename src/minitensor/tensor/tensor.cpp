#include "minitensor/tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "minitensor/tensor/convert.h"
#include "minitensor/tensor/message.h"
#include "minitensor/tensor/strided_loop.h"

namespace minitensor {

namespace {

// Writes the elements of `from` into memory of the shape and strides given.
void copy_elements(const Tensor& from, void* to, const Strides& to_strides, DType to_dtype) {
  const auto* source = static_cast<const std::byte*>(from.raw_data());
  auto* target = static_cast<std::byte*>(to);
  const auto from_size = static_cast<std::int64_t>(dtype_size(from.dtype()));
  const auto to_size = static_cast<std::int64_t>(dtype_size(to_dtype));
  for_each_row<2>(
      from.shape(), {&from.strides(), &to_strides}, [&](const auto& offsets, const auto& steps, std::int64_t length) {
        const std::byte* row = source + offsets[0] * from_size;
        std::byte* out = target + offsets[1] * to_size;
        if (steps[1] == 1 || length == 1) {
          convert_elements(row, from.dtype(), steps[0], out, to_dtype, static_cast<std::size_t>(length));
          return;
        }
        for (std::int64_t i = 0; i < length; ++i) {
          convert_elements(row + i * steps[0] * from_size, from.dtype(), 1, out + i * steps[1] * to_size, to_dtype, 1);
        }
      });
}

}  // namespace

Tensor::Tensor(StoragePointer storage, const Shape& shape, const Strides& strides, std::int64_t offset,
               std::int64_t size, DType dtype)
    : storage_(std::move(storage)), dtype_(dtype), shape_(shape), strides_(strides), offset_(offset), size_(size) {}

Tensor Tensor::empty(const Shape& shape, DType dtype) {
  const std::int64_t size = element_count(shape, "tensor");
  return {Storage::allocate(static_cast<std::size_t>(size) * dtype_size(dtype)),
          shape,
          row_major_strides(shape),
          0,
          size,
          dtype};
}

Tensor Tensor::zeros(const Shape& shape, DType dtype) {
  Tensor result = empty(shape, dtype);
  std::memset(result.raw_data(), 0, result.storage_->size());
  return result;
}

Tensor Tensor::full(const Shape& shape, double value, DType dtype) {
  Tensor result = empty(shape, dtype);
  dispatch_dtype(dtype,
                 [&]<typename T>(T) { std::fill_n(result.data<T>(), result.size(), convert_element<T>(value)); });
  return result;
}

template <typename T>
Tensor Tensor::from(std::span<const T> values, const Shape& shape) {
  Tensor result = empty(shape, DTypeOf<T>::value);
  if (static_cast<std::uint64_t>(result.size()) != values.size()) {
    throw Error(ErrorCode::kShape,
                "tensor: " + std::to_string(values.size()) + " values do not fill the shape " + to_string(shape));
  }
  std::copy(values.begin(), values.end(), result.data<T>());
  return result;
}

#define MT_TENSOR_FROM(name, number, text, type) \
  template Tensor Tensor::from<type>(std::span<const type>, const Shape&);
MT_DTYPES(MT_TENSOR_FROM)
#undef MT_TENSOR_FROM

bool Tensor::is_contiguous() const noexcept {
  if (size_ == 0) return true;  // and the products below could overflow
  std::int64_t expected = 1;
  for (int axis = rank() - 1; axis >= 0; --axis) {
    if (shape_[axis] != 1 && strides_[axis] != expected) return false;
    expected *= shape_[axis];
  }
  return true;
}

void* Tensor::first() const noexcept {
  return storage_->data() + static_cast<std::size_t>(offset_) * dtype_size(dtype_);
}

void Tensor::require_dtype(DType dtype) const {
  if (dtype == dtype_) return;
  throw Error(ErrorCode::kDType,
              "tensor: elements are " + std::string(dtype_name(dtype_)) + ", not " + std::string(dtype_name(dtype)));
}

Tensor Tensor::contiguous() const {
  if (is_contiguous()) return *this;
  Tensor result = clone();
  result.set_gradient_node(node_, output_index_);
  return result;
}

Tensor Tensor::clone() const {
  Tensor result = empty(shape_, dtype_);
  copy_elements(*this, result.first(), result.strides_, dtype_);
  return result;
}

Tensor Tensor::cast(DType dtype) const {
  if (dtype == dtype_) return *this;
  Tensor result = empty(shape_, dtype);
  copy_elements(*this, result.first(), result.strides_, dtype);
  return result;
}

void Tensor::assign(const Tensor& source) {
  if (source.shape() != shape_) {
    throw_error(ErrorCode::kShape, {"assign: the shape is ", shape_, ", that of the source ", source.shape()});
  }
  for (int axis = 0; axis < rank(); ++axis) {
    if (strides_[axis] == 0 && shape_[axis] > 1 && size_ > 0) {
      throw_error(ErrorCode::kValue, {"assign: axis ", axis, " of shape ", shape_,
                                      " repeats the same elements; assign to the tensor that was broadcast"});
    }
  }
  // What shares this storage may overlap with what is written.
  copy_elements(source.shares_storage_with(*this) ? source.clone() : source, raw_data(), strides_, dtype_);
}

Tensor Tensor::detach() const {
  Tensor result = *this;
  result.set_gradient_node(nullptr);
  return result;
}

Tensor Tensor::shell() const {
  static const StoragePointer nothing = Storage::allocate(0);
  return {nothing, shape_, Strides::filled(rank(), 0), 0, size_, dtype_};
}

Tensor Tensor::view(const Shape& shape, const Strides& strides, std::int64_t offset_elements) const {
  return {storage_, shape, strides, offset_ + offset_elements, element_count(shape, "view"), dtype_};
}

Tensor Tensor::broadcast_to(const Shape& shape) const {
  if (shape == shape_) return *this;
  if (broadcast_shapes(shape_, shape, "broadcastTo") != shape) {
    throw Error(ErrorCode::kShape,
                "broadcastTo: shape " + to_string(shape_) + " does not broadcast to " + to_string(shape));
  }
  const int added = shape.rank() - rank();
  Strides strides = Strides::filled(shape.rank(), 0);
  for (int axis = 0; axis < rank(); ++axis) {
    if (shape_[axis] != 1) strides[axis + added] = strides_[axis];
  }
  return view(shape, strides);
}

std::vector<double> Tensor::to_vector() const {
  const Tensor source = cast(DType::kFloat64).contiguous();
  const double* values = source.data<double>();
  return {values, values + source.size()};
}

double Tensor::item() const {
  if (size_ != 1) {
    throw Error(ErrorCode::kShape, "item: the tensor of shape " + to_string(shape_) + " has " + std::to_string(size_) +
                                       " elements, not one");
  }
  return to_vector()[0];
}

}  // namespace minitensor
