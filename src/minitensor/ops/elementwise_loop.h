#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "minitensor/ops/dtype_rule.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// The most inputs of an elementwise op.
inline constexpr int kMaxOperands = 4;

/// Computes `count` elements of one type, one after the other in memory. `inputs` has an address for each input.
/// `parameters` are numbers that the op's attributes give, or null. An output may be the memory of an input.
using ElementwiseKernel = void (*)(const void* const* inputs, void* output, std::size_t count,
                                   const double* parameters);

/// An op that is computed element by element. Kernels there are for three types only: bool and the smaller integers are
/// computed in int64, whose arithmetic is theirs modulo 2^bits. The output has the inputs' type; of kPredicate, bool.
struct Elementwise {
  const char* name;
  DTypeRule rule;
  ElementwiseKernel f32;
  ElementwiseKernel f64;
  ElementwiseKernel i64 = nullptr;  ///< may be null by the rule kFloat
};

/// Broadcasts the inputs, promotes their dtypes, and computes. Inputs may have any strides. The result is row-major.
/// Throws kShape and kDType.
Tensor run_kernels(const Elementwise& op, std::span<const Tensor> inputs, const double* parameters = nullptr);

namespace kernel {

// Kernels made of a function object F: F()(x) and the like, for one type T. With parameters: F()(x, parameters).

template <typename T, typename Out, typename F>
void unary(const void* const* inputs, void* output, std::size_t count, const double* parameters) {
  const T* x = static_cast<const T*>(inputs[0]);
  Out* out = static_cast<Out*>(output);
  if constexpr (requires { F()(T{}, parameters); }) {
    for (std::size_t i = 0; i < count; ++i) out[i] = F()(x[i], parameters);
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = F()(x[i]);
  }
}

template <typename T, typename Out, typename F>
void binary(const void* const* inputs, void* output, std::size_t count, const double* parameters) {
  const T* a = static_cast<const T*>(inputs[0]);
  const T* b = static_cast<const T*>(inputs[1]);
  Out* out = static_cast<Out*>(output);
  if constexpr (requires { F()(T{}, T{}, parameters); }) {
    for (std::size_t i = 0; i < count; ++i) out[i] = F()(a[i], b[i], parameters);
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = F()(a[i], b[i]);
  }
}

template <typename T, typename Out, typename F>
void ternary(const void* const* inputs, void* output, std::size_t count, const double*) {
  const T* a = static_cast<const T*>(inputs[0]);
  const T* b = static_cast<const T*>(inputs[1]);
  const T* c = static_cast<const T*>(inputs[2]);
  Out* out = static_cast<Out*>(output);
  for (std::size_t i = 0; i < count; ++i) out[i] = F()(a[i], b[i], c[i]);
}

/// A kernel of a function over arrays, such as those of ops/kernels: Function(x, out, count).
template <typename T, void (*Function)(const T*, T*, std::size_t)>
void array(const void* const* inputs, void* output, std::size_t count, const double*) {
  Function(static_cast<const T*>(inputs[0]), static_cast<T*>(output), count);
}

/// The same of two arrays: Function(a, b, out, count).
template <typename T, void (*Function)(const T*, const T*, T*, std::size_t)>
void array2(const void* const* inputs, void* output, std::size_t count, const double*) {
  Function(static_cast<const T*>(inputs[0]), static_cast<const T*>(inputs[1]), static_cast<T*>(output), count);
}

}  // namespace kernel

// An Elementwise from one function object. Without kInteger there is none for integers, as the rule kFloat has it.

template <typename F, bool kInteger = true>
constexpr Elementwise unary_kernels(const char* name, DTypeRule rule) {
  Elementwise op{name, rule, kernel::unary<float, float, F>, kernel::unary<double, double, F>};
  if constexpr (kInteger) op.i64 = kernel::unary<std::int64_t, std::int64_t, F>;
  return op;
}

template <typename F, bool kInteger = true>
constexpr Elementwise binary_kernels(const char* name, DTypeRule rule) {
  Elementwise op{name, rule, kernel::binary<float, float, F>, kernel::binary<double, double, F>};
  if constexpr (kInteger) op.i64 = kernel::binary<std::int64_t, std::int64_t, F>;
  return op;
}

template <typename F>
constexpr Elementwise unary_predicate(const char* name) {
  return {name, DTypeRule::kPredicate, kernel::unary<float, bool, F>, kernel::unary<double, bool, F>,
          kernel::unary<std::int64_t, bool, F>};
}

template <typename F>
constexpr Elementwise binary_predicate(const char* name) {
  return {name, DTypeRule::kPredicate, kernel::binary<float, bool, F>, kernel::binary<double, bool, F>,
          kernel::binary<std::int64_t, bool, F>};
}

/// An Elementwise from a function of ops/kernels/elementary.h of one input, which has its name.
#define MT_ARRAY_KERNELS(name) \
  Elementwise { #name, DTypeRule::kFloat, kernel::array<float, kernels::name>, kernel::array<double, kernels::name> }

/// For rules without float32 and float64: kBits and kIntegers.
template <typename F>
constexpr Elementwise bits_kernels(const char* name, DTypeRule rule = DTypeRule::kBits) {
  return {name, rule, nullptr, nullptr, kernel::binary<std::int64_t, std::int64_t, F>};
}

}  // namespace minitensor
