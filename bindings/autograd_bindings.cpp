// Plain exports, as in tensor_bindings.cpp: gradients.

#include <cstdint>

#include "bindings/engine.h"
#include "bindings/guard.h"
#include "minitensor/autograd/tape.h"

namespace minitensor::bindings {

extern "C" {

/// 0: no gradient is required; 1: the tensor was computed from such that require one; 2: it is a leaf.
int mt_tensor_requires_grad(std::uint32_t handle) {
  return guard([&] {
    const Tensor& tensor = tensor_at(handle);
    return is_leaf(tensor) ? 2 : static_cast<int>(tensor.requires_grad());
  });
}

/// 1 when done.
int mt_tensor_set_requires_grad(std::uint32_t handle, int required) {
  return guard([&] {
    set_requires_grad(require(engine().tensors, handle, "tensor"), required != 0);
    return 1;
  });
}

/// The gradient under a handle of its own. 0 when there is none, which is not an error.
std::uint32_t mt_tensor_grad(std::uint32_t handle) {
  return guard([&] {
    const Tensor gradient = gradient_of(tensor_at(handle));
    return gradient.is_defined() ? engine().tensors.add(gradient) : 0;
  });
}

/// `gradient` may be 0: none. 1 when done.
int mt_tensor_set_grad(std::uint32_t handle, std::uint32_t gradient) {
  return guard([&] {
    set_gradient(tensor_at(handle), gradient == 0 ? Tensor() : tensor_at(gradient));
    return 1;
  });
}

/// The same elements without a way to gradients, under a handle of their own.
std::uint32_t mt_tensor_detach(std::uint32_t handle) {
  return guard([&] { return engine().tensors.add(tensor_at(handle).detach()); });
}

/// Overwrites the elements. 1 when done.
int mt_tensor_assign(std::uint32_t handle, std::uint32_t source) {
  return guard([&] {
    assign(require(engine().tensors, handle, "tensor"), tensor_at(source));
    return 1;
  });
}

/// `gradient` may be 0. 1 when done.
int mt_backward(std::uint32_t handle, std::uint32_t gradient, int retain_graph) {
  return guard([&] {
    const Tensor root = tensor_at(handle);
    backward(root, gradient == 0 ? Tensor() : tensor_at(gradient), retain_graph != 0);
    return 1;
  });
}

int mt_is_recording() { return static_cast<int>(is_recording()); }

/// Whether ops were recorded before.
int mt_set_recording(int on) { return static_cast<int>(set_recording(on != 0)); }

}  // extern "C"

}  // namespace minitensor::bindings
