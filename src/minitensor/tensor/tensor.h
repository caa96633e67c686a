#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "minitensor/tensor/dtype.h"
#include "minitensor/tensor/shape.h"
#include "minitensor/tensor/storage.h"

namespace minitensor {

/// An n-dimensional array: a typed, strided view of a storage that it shares with its copies and views.
/// Copying a Tensor copies the view, not the elements.
class Tensor {
 public:
  /// A new row-major tensor with uninitialised elements. Throws kShape (see element_count) and kMemory.
  static Tensor empty(const Shape& shape, DType dtype);
  static Tensor zeros(const Shape& shape, DType dtype);
  /// Every element `value`, converted to `dtype`.
  static Tensor full(const Shape& shape, double value, DType dtype);
  /// A copy of `values` in row-major order. Throws kShape when their number is not the shape's.
  template <typename T>
  static Tensor from(std::span<const T> values, const Shape& shape);
  template <typename T>
  static Tensor from(std::initializer_list<T> values, const Shape& shape) {
    return from(std::span<const T>(values.begin(), values.size()), shape);
  }

  const Shape& shape() const noexcept { return shape_; }
  /// In elements, not bytes.
  const Strides& strides() const noexcept { return strides_; }
  DType dtype() const noexcept { return dtype_; }
  int rank() const noexcept { return shape_.rank(); }
  /// The number of elements.
  std::int64_t size() const noexcept { return size_; }
  bool is_contiguous() const noexcept;
  bool shares_storage_with(const Tensor& other) const noexcept { return storage_ == other.storage_; }

  /// The first element, whatever the type.
  void* raw_data() noexcept { return first(); }
  const void* raw_data() const noexcept { return first(); }
  /// The first element. Throws kDType when T does not store this tensor's dtype.
  template <typename T>
  T* data();
  template <typename T>
  const T* data() const;

  /// This tensor when it is row-major already, else a row-major copy.
  Tensor contiguous() const;
  /// A row-major copy.
  Tensor clone() const;
  /// A row-major copy with elements converted to `dtype`; this tensor itself when it has that dtype.
  Tensor cast(DType dtype) const;
  /// A view of the same storage. Requires (not checked): every element reachable lies inside this tensor's storage.
  Tensor view(const Shape& shape, const Strides& strides, std::int64_t offset_elements = 0) const;
  /// A view that repeats axes of size 1 (stride 0). Throws kShape.
  Tensor broadcast_to(const Shape& shape) const;

  /// The elements in row-major order, converted to double.
  std::vector<double> to_vector() const;
  /// The single element, converted to double. Throws kShape when there is not exactly one.
  double item() const;

 private:
  Tensor(std::shared_ptr<Storage> storage, const Shape& shape, const Strides& strides, std::int64_t offset,
         std::int64_t size, DType dtype);
  void* first() const noexcept;
  void require_dtype(DType dtype) const;

  std::shared_ptr<Storage> storage_;
  Shape shape_;
  Strides strides_;
  std::int64_t offset_ = 0;  // in elements
  std::int64_t size_ = 0;
  DType dtype_ = DType::kFloat32;
};

template <typename T>
T* Tensor::data() {
  require_dtype(DTypeOf<T>::value);
  return static_cast<T*>(first());
}

template <typename T>
const T* Tensor::data() const {
  require_dtype(DTypeOf<T>::value);
  return static_cast<const T*>(first());
}

}  // namespace minitensor
