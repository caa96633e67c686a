#include "minitensor/ops/softmax_rows.h"

#include <algorithm>
#include <limits>

#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/reduce_loop.h"

namespace minitensor {

namespace {

// Neither passes NaN over nor must it: the exponentials and their sum are NaN then.
struct Larger {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

template <typename T>
T maximum(const T* row, std::size_t count) {
  const T top = kernel::row<T, T, Larger>(row, count);
  // Of nothing but -Infinity: 0, which leaves them as they are.
  return top == -std::numeric_limits<T>::infinity() ? T{0} : top;
}

template <typename T>
double total(const T* values, std::size_t count) {
  return kernel::row<T, double, kernel::Plus>(values, count);
}

template <typename T>
void probabilities(T* row, std::size_t count) {
  const T top = maximum(row, count);
  for (std::size_t i = 0; i < count; ++i) row[i] -= top;
  kernels::exp(row, row, count);
  const double sum = total(row, count);
  const T divisor = sum == 0 ? T{1} : static_cast<T>(sum);
  for (std::size_t i = 0; i < count; ++i) row[i] /= divisor;
}

template <typename T>
void logarithms(T* row, std::size_t count) {
  constexpr std::size_t kBlock = 256;
  T powers[kBlock];
  const T top = maximum(row, count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) row[i] -= top;
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t size = std::min(kBlock, count - done);
    kernels::exp(row + done, powers, size);
    sum += total(powers, size);
  }
  const T logarithm = static_cast<T>(kernels::float64::log(sum));
  for (std::size_t i = 0; i < count; ++i) row[i] -= logarithm;
}

template <typename T>
void all_rows(Tensor& x, Softmax form, std::int64_t causal_from) {
  if (x.size() == 0) return;
  const std::int64_t length = x.shape()[x.rank() - 1];
  const std::int64_t rows = x.size() / length;
  T* row = x.data<T>();
  for (std::int64_t i = 0; i < rows; ++i, row += length) {
    std::int64_t count = length;
    if (causal_from >= 0) count = std::min(length, causal_from + i % x.shape()[x.rank() - 2] + 1);
    if (form == Softmax::kProbabilities) {
      probabilities(row, static_cast<std::size_t>(count));
    } else {
      logarithms(row, static_cast<std::size_t>(count));
    }
    std::fill(row + count, row + length, T{0});
  }
}

}  // namespace

void softmax_rows(Tensor& x, Softmax form, std::int64_t causal_from) {
  if (x.dtype() == DType::kFloat32) {
    all_rows<float>(x, form, causal_from);
  } else {
    all_rows<double>(x, form, causal_from);
  }
}

}  // namespace minitensor
