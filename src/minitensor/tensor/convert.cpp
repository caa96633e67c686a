#include "minitensor/tensor/convert.h"

#include <algorithm>
#include <cstring>

namespace minitensor {

namespace {

constexpr std::size_t kBlock = 256;

template <typename T>
void gather(const void* from, std::int64_t step, void* to, std::size_t count) {
  const T* source = static_cast<const T*>(from);
  T* target = static_cast<T*>(to);
  if (step == 0) {
    std::fill_n(target, count, *source);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) target[i] = source[static_cast<std::int64_t>(i) * step];
}

// Elements are only moved here, so that their size is all that matters.
void gather(const void* from, std::int64_t step, std::size_t element_size, void* to, std::size_t count) {
  if (step == 1) {
    std::memcpy(to, from, count * element_size);
  } else if (element_size == 8) {
    gather<std::uint64_t>(from, step, to, count);
  } else if (element_size == 4) {
    gather<std::uint32_t>(from, step, to, count);
  } else {
    gather<std::uint8_t>(from, step, to, count);
  }
}

template <typename From, typename To>
void convert(const void* from, void* to, std::size_t count) {
  const From* source = static_cast<const From*>(from);
  To* target = static_cast<To*>(to);
  for (std::size_t i = 0; i < count; ++i) target[i] = convert_element<To>(source[i]);
}

// A bool is a byte of 0 or 1, so that it is read as a uint8.
template <typename F>
void dispatch_source(DType dtype, F&& f) {
  if (dtype == DType::kBool) dtype = DType::kUInt8;
  dispatch_dtype(dtype, [&]<typename T>(T) {
    if constexpr (!std::is_same_v<T, bool>) f(T{});
  });
}

void convert(const void* from, DType from_dtype, void* to, DType to_dtype, std::size_t count) {
  dispatch_source(from_dtype, [&]<typename From>(From) {
    dispatch_dtype(to_dtype, [&]<typename To>(To) {
      if constexpr (!std::is_same_v<From, To>) {
        convert<From, To>(from, to, count);
      } else {
        std::memcpy(to, from, count * sizeof(To));  // uint8 of bool
      }
    });
  });
}

}  // namespace

void convert_elements(const void* from, DType from_dtype, std::int64_t step, void* to, DType to_dtype,
                      std::size_t count) {
  if (count == 0) return;
  const std::size_t size = dtype_size(from_dtype);
  if (from_dtype == to_dtype) {
    gather(from, step, size, to, count);
    return;
  }
  if (step == 1) {
    convert(from, from_dtype, to, to_dtype, count);
    return;
  }
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  alignas(16) std::byte block[kBlock * 8];
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t length = std::min(kBlock, count - done);
    gather(source, step, size, block, length);
    convert(block, from_dtype, target, to_dtype, length);
    source += static_cast<std::int64_t>(length) * step * static_cast<std::int64_t>(size);
    target += length * dtype_size(to_dtype);
  }
}

}  // namespace minitensor
