#include "minitensor/ops/chain_rule.h"

namespace minitensor {

namespace {

template <typename T>
void multiply(const T* g, const T* v, T* out, std::int64_t count, double (*derivative)(double)) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = static_cast<T>(static_cast<double>(g[i]) * derivative(static_cast<double>(v[i])));
  }
}

}  // namespace

Tensor chain_rule(const Tensor& g, const Tensor& v, double (*derivative)(double v)) {
  const Tensor gradient = g.contiguous();
  const Tensor values = v.cast(g.dtype()).contiguous();
  Tensor result = Tensor::empty(g.shape(), g.dtype());
  if (g.dtype() == DType::kFloat32) {
    multiply(gradient.data<float>(), values.data<float>(), result.data<float>(), g.size(), derivative);
  } else {
    multiply(gradient.data<double>(), values.data<double>(), result.data<double>(), g.size(), derivative);
  }
  return result;
}

Gradients zero_gradient(const BackwardArguments& at) {
  return {Tensor::zeros(at.grad_output.shape(), at.grad_output.dtype())};
}

}  // namespace minitensor
