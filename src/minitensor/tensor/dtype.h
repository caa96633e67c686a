#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "minitensor/base/error.h"

namespace minitensor {

/// The element types: enumerator, number, name (the Python array API's spelling), C++ type.
/// The numbers are part of the plugin ABI (`mt_dtype` in sdk/plugin_api.h), so they never change. An element of a bool
/// tensor is one byte, 0 or 1.
#define MT_DTYPES(X)                  \
  X(kFloat32, 1, "float32", float)    \
  X(kFloat64, 2, "float64", double)   \
  X(kInt32, 3, "int32", std::int32_t) \
  X(kInt64, 4, "int64", std::int64_t) \
  X(kUInt8, 5, "uint8", std::uint8_t) \
  X(kBool, 6, "bool", bool)

enum class DType : std::int32_t {
#define MT_DTYPE_ENUMERATOR(name, number, text, type) name = number,
  MT_DTYPES(MT_DTYPE_ENUMERATOR)
#undef MT_DTYPE_ENUMERATOR
};

/// Whether `number` is the number of a dtype: numbers arrive from plugins and from JavaScript.
bool is_dtype_number(std::int32_t number) noexcept;

/// "float32", …
std::string_view dtype_name(DType dtype) noexcept;

/// The dtype of this name. Throws kDType, quoting the name and listing the known ones.
DType dtype_from_name(std::string_view name);

/// Bytes of one element.
std::size_t dtype_size(DType dtype) noexcept;

/// The dtype of a result of `a` and `b`, by the Python array API's type promotion tables. What they leave open: bool
/// and a number give the number's dtype; an integer and a floating-point dtype give the floating-point one.
DType promote_types(DType a, DType b) noexcept;

/// Whether the dtype is float32 or float64: only these have gradients.
bool is_floating(DType dtype) noexcept;
/// Whether the dtype is int32, int64 or uint8.
bool is_integer(DType dtype) noexcept;

/// The dtype that stores the C++ type T.
template <typename T>
struct DTypeOf;

#define MT_DTYPE_OF(name, number, text, type)   \
  template <>                                   \
  struct DTypeOf<type> {                        \
    static constexpr DType value = DType::name; \
  };
MT_DTYPES(MT_DTYPE_OF)
#undef MT_DTYPE_OF

/// Calls `f(T{})` with the C++ type that stores `dtype`, and returns what it returns.
template <typename F>
decltype(auto) dispatch_dtype(DType dtype, F&& f) {
  switch (dtype) {
#define MT_DTYPE_CASE(name, number, text, type) \
  case DType::name:                             \
    return f(type{});
    MT_DTYPES(MT_DTYPE_CASE)
#undef MT_DTYPE_CASE
  }
  throw Error(ErrorCode::kInternal, "dispatch_dtype: not a dtype");
}

}  // namespace minitensor
