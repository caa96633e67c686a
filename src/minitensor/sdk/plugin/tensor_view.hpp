/// \file
/// The tensors of the host, as a plugin sees them. A view is valid until the plugin's function returns.
#ifndef MINITENSOR_SDK_PLUGIN_TENSOR_VIEW_HPP
#define MINITENSOR_SDK_PLUGIN_TENSOR_VIEW_HPP

#include <cstddef>
#include <cstdint>

#include "minitensor/sdk/plugin/values.hpp"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor::sdk {

/// A tensor to be read.
class TensorView {
 public:
  /// An empty tensor.
  constexpr TensorView() = default;
  constexpr explicit TensorView(const mt_tensor* tensor) : tensor_(tensor) {}

  DType dtype() const { return static_cast<DType>(tensor_->dtype); }
  int rank() const { return tensor_->rank; }
  /// The number of elements.
  std::int64_t size() const { return tensor_->size; }
  Shape shape() const { return {tensor_->shape, static_cast<std::size_t>(tensor_->rank)}; }
  /// In elements. They are row-major ones, except for the inputs of an op with strided_inputs.
  Shape strides() const { return {tensor_->strides, static_cast<std::size_t>(tensor_->rank)}; }

  /// The first element; nullptr if T is not the tensor's dtype.
  template <class T>
  const T* data() const {
    return static_cast<const T*>(address<T>());
  }
  /// All elements of a row-major tensor; none if T is not the tensor's dtype.
  template <class T>
  Span<const T> elements() const {
    return {data<T>(), count<T>()};
  }

  constexpr operator const mt_tensor*() const { return tensor_; }

 protected:
  template <class T>
  void* address() const {
    return dtype() == dtype_of<T> ? tensor_->data : nullptr;
  }
  template <class T>
  std::size_t count() const {
    return dtype() == dtype_of<T> ? static_cast<std::size_t>(tensor_->size) : 0;
  }

 private:
  static constexpr mt_tensor kEmpty = {sizeof(mt_tensor), MT_FLOAT32, 0, 0, 0, nullptr, nullptr, nullptr};

  const mt_tensor* tensor_ = &kEmpty;
};

/// A tensor to be written.
class MutableTensorView : public TensorView {
 public:
  constexpr MutableTensorView() = default;
  constexpr explicit MutableTensorView(mt_tensor* tensor) : TensorView(tensor) {}

  /// The first element; nullptr if T is not the tensor's dtype.
  template <class T>
  T* data() const {
    return static_cast<T*>(address<T>());
  }
  /// All elements; none if T is not the tensor's dtype.
  template <class T>
  Span<T> elements() const {
    return {data<T>(), count<T>()};
  }
  /// Sets every element to `value`, which must be in the range of the dtype; in bool, to whether it is not 0.
  void fill(double value) const {
    using D = DType;
    dispatch<D::kFloat32, D::kFloat64, D::kInt32, D::kInt64, D::kUint8, D::kBool>(dtype(), [&](auto type) {
      using T = typename decltype(type)::type;
      for (T& element : elements<T>()) element = static_cast<T>(value);
    });
  }
};

}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_TENSOR_VIEW_HPP
