#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "minitensor/tensor/dtype.h"
#include "minitensor/tensor/shape.h"
#include "minitensor/tensor/storage.h"

namespace minitensor {

/// Where a tensor comes from, for gradients. Tensors only carry it; the room autograd has what it is.
class GradientNode {
 public:
  GradientNode() = default;
  GradientNode(const GradientNode&) = delete;
  GradientNode& operator=(const GradientNode&) = delete;
  virtual ~GradientNode() = default;
};

/// An n-dimensional array: a typed, strided view of a storage that it shares with its copies and views.
/// Copying a Tensor copies the view, not the elements.
class Tensor {
 public:
  /// No tensor at all: what stands for an optional input that is not given. Only is_defined may be asked of it.
  Tensor() = default;
  bool is_defined() const noexcept { return static_cast<bool>(storage_); }
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

  /// The first element, whatever the type. To ask for it in order to write counts as a write (see version).
  void* raw_data() noexcept {
    storage_->note_write();
    return first();
  }
  const void* raw_data() const noexcept { return first(); }
  /// The first element. Throws kDType when T does not store this tensor's dtype.
  template <typename T>
  T* data();
  template <typename T>
  const T* data() const;

  /// A number that differs after the elements of the storage may have been written.
  std::uint32_t version() const noexcept { return storage_->version(); }
  /// Overwrites the elements with those of `source`, converted to this tensor's dtype. Throws kShape when the shapes
  /// differ, kValue where an axis is broadcast. What shares the storage changes with it.
  void assign(const Tensor& source);

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

  /// The same elements without a way to gradients.
  Tensor detach() const;
  /// A tensor of this shape and dtype that has no elements to read: for what only asks for those.
  Tensor shell() const;
  /// Whether gradients can flow to or through this tensor.
  bool requires_grad() const noexcept { return node_ != nullptr; }
  /// Null when none is required. `output_index`: which of the node's outputs this tensor is.
  const std::shared_ptr<GradientNode>& gradient_node() const noexcept { return node_; }
  std::uint32_t output_index() const noexcept { return output_index_; }
  void set_gradient_node(std::shared_ptr<GradientNode> node, std::uint32_t output_index = 0) noexcept {
    node_ = std::move(node);
    output_index_ = output_index;
  }

  /// The elements in row-major order, converted to double.
  std::vector<double> to_vector() const;
  /// The single element, converted to double. Throws kShape when there is not exactly one.
  double item() const;

 private:
  Tensor(StoragePointer storage, const Shape& shape, const Strides& strides, std::int64_t offset, std::int64_t size,
         DType dtype);
  void* first() const noexcept;
  void require_dtype(DType dtype) const;

  StoragePointer storage_;
  std::shared_ptr<GradientNode> node_;
  std::uint32_t output_index_ = 0;
  DType dtype_ = DType::kFloat32;
  Shape shape_;
  Strides strides_;
  std::int64_t offset_ = 0;  // in elements
  std::int64_t size_ = 0;
};

template <typename T>
T* Tensor::data() {
  require_dtype(DTypeOf<T>::value);
  return static_cast<T*>(raw_data());
}

template <typename T>
const T* Tensor::data() const {
  require_dtype(DTypeOf<T>::value);
  return static_cast<const T*>(first());
}

}  // namespace minitensor
