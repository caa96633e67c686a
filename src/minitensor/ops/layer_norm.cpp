// layerNorm and rmsNorm: the last axes of a tensor as rows, each normalized in one go.
#include <array>
#include <cmath>

#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce_loop.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using Backward = const BackwardArguments&;

struct Plus {
  double operator()(double a, double b) const { return a + b; }
};

// What a row is shifted and scaled by.
struct Moments {
  double mean;
  double scale;
};

template <typename T>
double sum_of_squares(const T* x, double mean, std::size_t count) {
  constexpr std::size_t kLanes = 4;
  std::array<double, kLanes> totals{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double d = static_cast<double>(x[i + lane]) - mean;
      totals[lane] += d * d;
    }
  }
  for (; i < count; ++i) {
    const double d = static_cast<double>(x[i]) - mean;
    totals[0] += d * d;
  }
  return (totals[0] + totals[1]) + (totals[2] + totals[3]);
}

template <typename T>
Moments moments_of(const T* x, std::size_t count, bool is_centered, double eps) {
  const auto n = static_cast<double>(count);
  const double mean = is_centered ? kernel::row<T, double, Plus>(x, count) / n : 0;
  return {mean, 1 / std::sqrt(sum_of_squares(x, mean, count) / n + eps)};
}

// One call: rows of `length` elements; undefined weight and bias stand for ones and zeros.
struct Normalization {
  const char* name;
  bool is_centered;
  std::int64_t length;
  double eps;
  Tensor x;
  Tensor weight;
  Tensor bias;
};

template <typename T>
const T* elements(const Tensor& x) {
  return x.is_defined() ? x.data<T>() : nullptr;
}

template <typename T>
void normalize_rows(const Normalization& by, T* out) {
  const T* x = by.x.data<T>();
  const T* weight = elements<T>(by.weight);
  const T* bias = elements<T>(by.bias);
  const auto length = static_cast<std::size_t>(by.length);
  for (std::int64_t done = 0; done < by.x.size(); done += by.length, x += length, out += length) {
    const auto [mean, scale] = moments_of(x, length, by.is_centered, by.eps);
    for (std::size_t i = 0; i < length; ++i) {
      double y = (static_cast<double>(x[i]) - mean) * scale;
      if (weight != nullptr) y *= static_cast<double>(weight[i]);
      if (bias != nullptr) y += static_cast<double>(bias[i]);
      out[i] = static_cast<T>(y);
    }
  }
}

// With n = (x - mean) scale and h = g weight: dx = scale (h - mean(h) - n mean(h n)), where mean(h) is of layerNorm
// only; dweight is the sum of g n over the rows. In float64.
void normalization_gradient_rows(const Normalization& by, const double* g, double* dx, double* dweight) {
  const double* x = by.x.data<double>();
  const double* weight = elements<double>(by.weight);
  const auto length = static_cast<std::size_t>(by.length);
  for (std::int64_t done = 0; done < by.x.size(); done += by.length, x += length, g += length, dx += length) {
    const auto [mean, scale] = moments_of(x, length, by.is_centered, by.eps);
    double h_total = 0;
    double hn_total = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const double n = (x[i] - mean) * scale;
      const double h = weight != nullptr ? g[i] * weight[i] : g[i];
      dx[i] = h;
      h_total += h;
      hn_total += h * n;
      dweight[i] += g[i] * n;
    }
    const double h_mean = by.is_centered ? h_total / static_cast<double>(by.length) : 0;
    const double hn_mean = hn_total / static_cast<double>(by.length);
    for (std::size_t i = 0; i < length; ++i) dx[i] = scale * (dx[i] - h_mean - (x[i] - mean) * scale * hn_mean);
  }
}

// The axes that are normalized together: this one and those behind it.
Shape row_shape(const Tensor& x, const Attributes& attributes, const char* name) {
  const int first = normalize_axis(attributes.integer(0), x.rank(), name);
  return Shape(x.shape().span().subspan(static_cast<std::size_t>(first)));
}

Tensor parameter(const Tensor& given, const Shape& shape, const char* name, const char* what, DType dtype) {
  if (!given.is_defined()) return given;
  if (given.shape() != shape) {
    throw_error(ErrorCode::kShape, {name, ": the ", what, " must have the shape of the normalized axes, ", shape,
                                    ", not ", given.shape()});
  }
  return given.cast(dtype).contiguous();
}

Normalization normalization(std::span<const Tensor> inputs, const Attributes& attributes, bool is_centered,
                            DType dtype) {
  const char* name = is_centered ? "layerNorm" : "rmsNorm";
  const Shape shape = row_shape(inputs[0], attributes, name);
  const double eps = attributes.number(1);
  if (!(eps >= 0)) throw_error(ErrorCode::kValue, {name, ": eps must not be negative"});
  const auto given = [&](std::size_t i) { return i < inputs.size() ? inputs[i] : Tensor(); };
  return {name,
          is_centered,
          element_count(shape, name),
          eps,
          inputs[0].cast(dtype).contiguous(),
          parameter(given(1), shape, name, "weight", dtype),
          parameter(given(2), shape, name, "bias", dtype)};
}

template <bool kIsCentered>
Tensor forward(const OpCall& call) {
  const Normalization by = normalization(call.inputs, call.attributes, kIsCentered, call.dtype);
  Tensor result = Tensor::empty(by.x.shape(), call.dtype);
  if (result.size() == 0) return result;
  if (call.dtype == DType::kFloat32) {
    normalize_rows(by, result.data<float>());
  } else {
    normalize_rows(by, result.data<double>());
  }
  return result;
}

template <bool kIsCentered>
Gradients gradient(Backward at) {
  const Normalization by = normalization(at.inputs, at.attributes, kIsCentered, DType::kFloat64);
  const Tensor g = at.grad_output.cast(DType::kFloat64).contiguous();
  const Shape shape = row_shape(by.x, at.attributes, by.name);
  Tensor dx = Tensor::empty(by.x.shape(), DType::kFloat64);
  Tensor dweight = Tensor::zeros(shape, DType::kFloat64);
  if (dx.size() > 0) normalization_gradient_rows(by, g.data<double>(), dx.data<double>(), dweight.data<double>());
  Gradients gradients{dx, dweight, g};  // the caller sums g over the rows
  gradients.resize(at.inputs.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!at.inputs[i].is_defined()) gradients[i] = Tensor();
  }
  return gradients;
}

constexpr OpEntry kOps[] = {
    {"layerNorm(x, weight?, bias?; axis: integer = -1, eps: number = 0.00001)", DTypeRule::kFloat, forward<true>,
     gradient<true>, kSaveInputs},
    {"rmsNorm(x, weight?; axis: integer = -1, eps: number = 0.00001)", DTypeRule::kFloat, forward<false>,
     gradient<false>, kSaveInputs},
};

}  // namespace

std::span<const OpEntry> layer_norm_ops() { return kOps; }

}  // namespace minitensor
