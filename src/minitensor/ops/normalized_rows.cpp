#include "minitensor/ops/normalized_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "minitensor/ops/kernels/loop.h"
#include "minitensor/ops/reduce_loop.h"

namespace minitensor {

namespace {

template <typename T>
double sum_of_squares(const T* x, double mean, std::size_t count) {
  constexpr std::size_t kLanes = 8;
  double totals[kLanes] = {};
  const auto square = [mean](T value) {
    const double d = static_cast<double>(value) - mean;
    return d * d;
  };
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) totals[lane] += square(x[i + lane]);
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) totals[lane] += totals[lane + half];
  }
  MT_COMPACT
  for (; i < count; ++i) totals[0] += square(x[i]);
  return totals[0];
}

// The exponent of x as of frexp; 0 for 0 and what is not finite.
int exponent_of(double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return exponent;
}

// In T, but neither out of its range nor with fewer digits beside a large mean: elements are first multiplied with a
// power of 2, which is exact, that brings their deviations near 1, and the mean is in two parts.
template <typename T>
void normalize_row(const T* x, double row_mean, double row_scale, const T* weight, const T* bias, T* out,
                   std::size_t count) {
  constexpr int kHighest = std::numeric_limits<T>::max_exponent - 1;
  constexpr int kRoom = 28;  // for deviations that are larger than the mean
  const int exponent =
      std::clamp(std::min(exponent_of(row_scale), kHighest - kRoom - exponent_of(row_mean)), -kHighest - 1, kHighest);
  const double power = std::ldexp(1.0, exponent);
  const T factor = static_cast<T>(power);
  const T mean = static_cast<T>(row_mean * power);
  const T mean_rest = static_cast<T>(row_mean * power - static_cast<double>(mean));
  const T scale = static_cast<T>(row_scale / power);
  MT_VECTORIZE
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = (x[i] * factor - mean - mean_rest) * scale * weight[i] + bias[i];
  }
}

template <typename T>
void normalize(const Tensor& rows, const RowNormalization& by, const T* weight, const T* bias, T* out, double* scales) {
  const T* x = rows.data<T>();
  const auto length = static_cast<std::size_t>(rows.shape()[1]);
  const auto n = static_cast<double>(length);
  for (std::int64_t i = 0; i < rows.shape()[0]; ++i, x += length, out += length) {
    const double mean = by.is_centered ? kernel::row<T, double, kernel::Plus>(x, length) / n : 0;
    scales[i] = 1 / std::sqrt(sum_of_squares(x, mean, length) / n + by.eps);
    normalize_row(x, mean, scales[i], weight, bias, out, length);
  }
}

}  // namespace

Tensor normalized_rows(const Tensor& x, const RowNormalization& by, const Tensor& weight, const Tensor& bias,
                       Tensor& scales) {
  Tensor result = Tensor::empty(x.shape(), x.dtype());
  scales = Tensor::zeros({x.shape()[0], 1}, DType::kFloat64);
  if (x.size() == 0) return result;
  double* scale = scales.data<double>();
  if (x.dtype() == DType::kFloat32) {
    normalize(x, by, weight.data<float>(), bias.data<float>(), result.data<float>(), scale);
  } else {
    normalize(x, by, weight.data<double>(), bias.data<double>(), result.data<double>(), scale);
  }
  return result;
}

}  // namespace minitensor
