#include "minitensor/ops/elementwise.h"

#include <cmath>
#include <string_view>

#include "minitensor/tensor/strided_loop.h"

namespace minitensor {

namespace {

template <typename F>
Tensor unary(const Tensor& input, F function) {
  const Tensor x = input.contiguous();
  Tensor result = Tensor::empty(x.shape(), x.dtype());
  dispatch_dtype(x.dtype(), [&]<typename T>(T) {
    const T* source = x.data<T>();
    T* target = result.data<T>();
    for (std::int64_t i = 0, n = x.size(); i < n; ++i) target[i] = function(source[i]);
  });
  return result;
}

// One row of a binary op. Steps of 0 and 1 get loops of their own, which compilers turn into vector code.
template <typename T, typename F>
void binary_row(const T* a, std::int64_t step_a, const T* b, std::int64_t step_b, T* out, std::int64_t length,
                F function) {
  if (step_a == 1 && step_b == 1) {
    for (std::int64_t i = 0; i < length; ++i) out[i] = function(a[i], b[i]);
  } else if (step_a == 1 && step_b == 0) {
    for (std::int64_t i = 0; i < length; ++i) out[i] = function(a[i], *b);
  } else if (step_a == 0 && step_b == 1) {
    for (std::int64_t i = 0; i < length; ++i) out[i] = function(*a, b[i]);
  } else {
    for (std::int64_t i = 0; i < length; ++i) out[i] = function(a[i * step_a], b[i * step_b]);
  }
}

template <typename F>
Tensor binary(const Tensor& a, const Tensor& b, std::string_view operation, F function) {
  const Shape shape = broadcast_shapes(a.shape(), b.shape(), operation);
  const DType dtype = promote_types(a.dtype(), b.dtype());
  const Tensor x = a.cast(dtype);
  const Tensor y = b.cast(dtype);
  Tensor result = Tensor::empty(shape, dtype);
  dispatch_dtype(dtype, [&]<typename T>(T) {
    const T* x_data = x.data<T>();
    const T* y_data = y.data<T>();
    T* out = result.data<T>();
    if (x.shape() == y.shape() && x.is_contiguous() && y.is_contiguous()) {
      binary_row(x_data, 1, y_data, 1, out, result.size(), function);
      return;
    }
    for_each_row<3>(shape, {x.broadcast_to(shape).strides(), y.broadcast_to(shape).strides(), result.strides()},
                    [&](const auto& offsets, const auto& steps, std::int64_t length) {
                      binary_row(x_data + offsets[0], steps[0], y_data + offsets[1], steps[1], out + offsets[2], length,
                                 function);
                    });
  });
  return result;
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  return binary(a, b, "add", [](auto x, auto y) { return x + y; });
}

Tensor sub(const Tensor& a, const Tensor& b) {
  return binary(a, b, "sub", [](auto x, auto y) { return x - y; });
}

Tensor mul(const Tensor& a, const Tensor& b) {
  return binary(a, b, "mul", [](auto x, auto y) { return x * y; });
}

Tensor div(const Tensor& a, const Tensor& b) {
  return binary(a, b, "div", [](auto x, auto y) { return x / y; });
}

Tensor neg(const Tensor& x) {
  return unary(x, [](auto v) { return -v; });
}

Tensor exp(const Tensor& x) {
  return unary(x, [](auto v) { return std::exp(v); });
}

Tensor tanh(const Tensor& x) {
  return unary(x, [](auto v) { return std::tanh(v); });
}

Tensor sigmoid(const Tensor& x) {
  return unary(x, [](auto v) {
    // The exponential of a number that is not positive cannot overflow.
    using T = decltype(v);
    const T e = std::exp(-std::abs(v));
    return (v < 0 ? e : T{1}) / (T{1} + e);
  });
}

Tensor relu(const Tensor& x) {
  // Written so that NaN, which compares with nothing, is kept.
  return unary(x, [](auto v) { return v <= 0 ? decltype(v){0} : v; });
}

}  // namespace minitensor
