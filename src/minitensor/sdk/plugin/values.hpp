/// \file
/// The small values that plugins and host exchange: error codes, dtypes, texts, shapes, outcomes.
#ifndef MINITENSOR_SDK_PLUGIN_VALUES_HPP
#define MINITENSOR_SDK_PLUGIN_VALUES_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "minitensor/sdk/plugin_api.h"

namespace minitensor::sdk {

/// What kind of error a plugin reports.
enum class ErrorCode : mt_status {
  kValue = MT_ERROR_VALUE,
  kKey = MT_ERROR_KEY,
  kNotImplemented = MT_ERROR_NOT_IMPLEMENTED,
  kShape = MT_ERROR_SHAPE,
  kDType = MT_ERROR_DTYPE,
  kPlugin = MT_ERROR_PLUGIN,
  kMemory = MT_ERROR_MEMORY
};

/// The type of a tensor's elements. Each is stored as one C++ type: float, double, std::int32_t, std::int64_t,
/// std::uint8_t, bool.
enum class DType : mt_dtype {
  kFloat32 = MT_FLOAT32,
  kFloat64 = MT_FLOAT64,
  kInt32 = MT_INT32,
  kInt64 = MT_INT64,
  kUint8 = MT_UINT8,
  kBool = MT_BOOL
};

/// A C++ type as a value; see dispatch.
template <class T>
struct Type {
  using type = T;
};

namespace detail {

template <DType dtype>
struct StorageOf;
template <class T>
struct DTypeOf;

#define MINITENSOR_SDK_DTYPE(T, dtype)         \
  template <>                                  \
  struct StorageOf<DType::dtype> : Type<T> {}; \
  template <>                                  \
  struct DTypeOf<T> : std::integral_constant<DType, DType::dtype> {}
MINITENSOR_SDK_DTYPE(float, kFloat32);
MINITENSOR_SDK_DTYPE(double, kFloat64);
MINITENSOR_SDK_DTYPE(std::int32_t, kInt32);
MINITENSOR_SDK_DTYPE(std::int64_t, kInt64);
MINITENSOR_SDK_DTYPE(std::uint8_t, kUint8);
MINITENSOR_SDK_DTYPE(bool, kBool);
#undef MINITENSOR_SDK_DTYPE

}  // namespace detail

/// The DType that is stored as the C++ type T.
template <class T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

/// The C++ type that stores a DType.
template <DType dtype>
using ElementOf = typename detail::StorageOf<dtype>::type;

/// Calls `f(Type<T>())` with the C++ type T that stores `dtype`, and returns what it returns. `dtype` must be one of
/// those given: `dispatch<DType::kInt32, DType::kInt64>(dtype, f)`.
template <DType First, DType... Rest, class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  if constexpr (sizeof...(Rest) == 0) {
    return f(Type<ElementOf<First>>());
  } else {
    return dtype == First ? f(Type<ElementOf<First>>()) : dispatch<Rest...>(dtype, f);
  }
}

/// The same for float32 and float64.
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  return dispatch<DType::kFloat64, DType::kFloat32>(dtype, f);
}

/// A text as the ABI has it. It points into `text`.
constexpr mt_string to_mt_string(std::string_view text) {
  return {text.data(), static_cast<std::uint32_t>(text.size())};
}

/// A text of the ABI. It points into `text`.
constexpr std::string_view to_string_view(mt_string text) {
  return text.size ? std::string_view(text.data, text.size) : std::string_view();
}

/// Values that stand one after the other and belong to somebody else.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](std::size_t index) const { return data_[index]; }
  /// The last value. There must be one.
  constexpr T& back() const { return data_[size_ - 1]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Several integers that belong to somebody else: an attribute's value.
using Integers = Span<const std::int64_t>;

/// The sizes of a tensor's dimensions, or its strides in elements.
using Shape = Integers;

/// A shape that owns its sizes: what an op's output_shape returns.
class Dims {
 public:
  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<std::int64_t> sizes) : Dims(Shape(sizes.begin(), sizes.size())) {}
  constexpr explicit Dims(Shape sizes) {
    for (const std::int64_t size : sizes) push_back(size);
  }

  /// Adds a dimension at the end. One above MT_MAX_RANK is counted but not kept; the host refuses the shape then.
  constexpr void push_back(std::int64_t size) {
    if (rank_ < MT_MAX_RANK) sizes_[rank_] = size;
    ++rank_;
  }
  constexpr int rank() const { return rank_; }
  constexpr std::int64_t& operator[](int axis) { return sizes_[axis]; }
  constexpr operator Shape() const {
    return {sizes_, static_cast<std::size_t>(rank_ < MT_MAX_RANK ? rank_ : MT_MAX_RANK)};
  }

 private:
  std::int64_t sizes_[MT_MAX_RANK] = {};
  int rank_ = 0;
};

/// How a call ended. The default is success; errors come from Host::error and the other functions of Host.
class [[nodiscard]] Status {
 public:
  constexpr Status() = default;
  constexpr explicit Status(mt_status code) : code_(code) {}

  constexpr bool ok() const { return code_ == MT_OK; }
  constexpr mt_status code() const { return code_; }

 private:
  mt_status code_ = MT_OK;
};

/// A value, or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  constexpr Result(T value) : value_(value) {}
  constexpr Result(Status error) : status_(error) {}

  constexpr explicit operator bool() const { return status_.ok(); }
  constexpr Status status() const { return status_; }
  /// The value. There must be one.
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }

 private:
  Status status_;
  T value_{};
};

}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_VALUES_HPP
