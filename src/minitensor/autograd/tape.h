#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "minitensor/ops/op_registry.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

// The tape: what was computed from tensors that require a gradient, and the way back (reverse mode). What is recorded
// hangs on the results alone, and goes when they go.

/// Runs `op` as run_op does, and records it when an input requires a gradient and the output is floating-point. The one
/// place where ops are recorded: built-in, JavaScript's and compiled ones. What an op's own functions compute is not.
Tensor execute(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs,
               const NamedAttributes& attributes = {});
/// The same for an op with any number of outputs.
std::vector<Tensor> execute_many(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs,
                                 const NamedAttributes& attributes = {});
/// The same by name. Throws as OpRegistry::get.
Tensor execute(const OpRegistry& registry, std::string_view name, std::span<const Tensor> inputs,
               const NamedAttributes& attributes = {});

/// Whether ops are recorded on this thread; and sets it, which gives what it was.
bool is_recording() noexcept;
bool set_recording(bool on) noexcept;

/// While one is alive, nothing is recorded on this thread. They may be nested.
class NoGradScope {
 public:
  NoGradScope() noexcept : was_recording_(set_recording(false)) {}
  NoGradScope(const NoGradScope&) = delete;
  NoGradScope& operator=(const NoGradScope&) = delete;
  ~NoGradScope() { set_recording(was_recording_); }

 private:
  bool was_recording_;
};

/// Makes `tensor` a leaf, at which backward leaves a gradient, or takes that away again. Copies of it that are made
/// from now on share its gradient. Throws kDType unless it is floating-point, and kValue for the result of a recorded
/// op.
void set_requires_grad(Tensor& tensor, bool required);

/// Tensor::assign. Throws kValue for the result of a recorded op, whose gradient would be that of what it was.
void assign(Tensor& tensor, const Tensor& source);

/// Whether `tensor` is a leaf.
bool is_leaf(const Tensor& tensor) noexcept;

/// What backward has left at a leaf; not defined before.
Tensor gradient_of(const Tensor& tensor);
/// Replaces it, or takes it away: for an undefined `gradient`.
void set_gradient(const Tensor& tensor, Tensor gradient);

/// Adds to each leaf that `root` was computed from the gradient of `root` with respect to it, times `gradient`, which
/// may be undefined for a root of one element: 1. Unless `retain_graph`, what was recorded is released on the way.
/// Throws kValue when root requires no gradient or what it was computed by was released or changed meanwhile, kShape or
/// kDType for a gradient that is not like the root, and kNotImplemented for an op on the way that has no gradient; all
/// of these before anything is computed.
void backward(const Tensor& root, const Tensor& gradient = {}, bool retain_graph = false);

}  // namespace minitensor
