#pragma once

#include "minitensor/tensor/tensor.h"

namespace minitensor {

// Activations of neural networks, element by element; of bool and integers in float32. NaN stays NaN. relu, sigmoid and
// tanh are in elementwise.h.

Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);  ///< x, or negative_slope x for x < 0
Tensor elu(const Tensor& x, double alpha = 1);                     ///< x, or alpha (e^x - 1) for x < 0
/// scale elu(x, alpha) with the constants of Klambauer, Unterthiner, Mayr and Hochreiter, Self-normalizing neural
/// networks, 2017.
Tensor selu(const Tensor& x);
Tensor silu(const Tensor& x);                     ///< x sigmoid(x)
Tensor mish(const Tensor& x);                     ///< x tanh(softplus(x))
Tensor gelu(const Tensor& x, bool tanh = false);  ///< x Phi(x), Phi the normal distribution, or its form with tanh
Tensor softplus(const Tensor& x);                 ///< log(1 + e^x)
Tensor hard_swish(const Tensor& x);               ///< x min(max(x + 3, 0), 6) / 6

}  // namespace minitensor
