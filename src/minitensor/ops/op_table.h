#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "minitensor/ops/elementwise_loop.h"
#include "minitensor/ops/op.h"

namespace minitensor {

struct OpEntry;

/// What a built-in op's function is given.
struct OpCall {
  std::span<const Tensor> inputs;
  const Attributes& attributes;
  /// What the value inputs are promoted to by the entry's rule; those inputs still have dtypes of their own.
  DType dtype;
  const OpEntry& entry;

  const Tensor& operator[](std::size_t index) const { return inputs[index]; }
  /// A value input in the promoted dtype.
  Tensor promoted(std::size_t index) const { return inputs[index].cast(dtype); }
  /// The shape that an attribute of integers is. Throws kShape, in the op's name, for one of too many axes.
  Shape shape(std::size_t attribute) const;
  /// Whether an optional input is given.
  bool has(std::size_t index) const { return index < inputs.size() && inputs[index].is_defined(); }
};

/// A gradient for each input. Its constructors are functions of their own, since braces around tensors would be code
/// that copies them, for each of some hundred gradients.
class Gradients : public std::vector<Tensor> {
 public:
  explicit Gradients(std::size_t count = 0);
  // NOLINTBEGIN(google-explicit-constructor): a gradient gives {of_a, of_b}
  Gradients(Tensor a);
  Gradients(Tensor a, Tensor b);
  Gradients(Tensor a, Tensor b, Tensor c);
  Gradients(Tensor a, Tensor b, Tensor c, Tensor d);
  // NOLINTEND(google-explicit-constructor)
};

/// What of a call its gradient looks at beyond shapes and dtypes. The rest is not kept in memory.
enum Saved : std::uint8_t { kSaveNothing = 0, kSaveInputs = 1, kSaveOutputs = 2, kSaveBoth = 3 };

/// One op of the engine: the one place where it is described. docs/ARCHITECTURE.md says how to add one.
struct OpEntry {
  const char* signature;  ///< see parse_signature
  DTypeRule rule;         ///< which dtypes it takes, computes in, and gives
  Tensor (*forward)(const OpCall& call);
  Gradients (*gradient)(const BackwardArguments& arguments) = nullptr;  ///< null: not differentiable
  Saved saved = kSaveBoth;
  const Elementwise* elementwise = nullptr;                           ///< for run_elementwise
  std::vector<Tensor> (*forward_many)(const OpCall& call) = nullptr;  ///< in place of forward, for several outputs
};

/// The forward of an op that only is its elementwise kernels.
Tensor run_elementwise(const OpCall& call);

/// An op that is computed element by element: its entry in the table.
constexpr OpEntry elementwise_op(const char* signature, const Elementwise& kernels,
                                 Gradients (*gradient)(const BackwardArguments&) = nullptr, Saved saved = kSaveBoth) {
  return {signature, kernels.rule, run_elementwise, gradient, saved, &kernels};
}

/// The table, a family in each file of ops/table/.
/// The table: each family stands at the end of the file that computes it.
std::span<const OpEntry> activation_ops();
std::span<const OpEntry> arithmetic_ops();
std::span<const OpEntry> attention_ops();
std::span<const OpEntry> convolution_ops();
std::span<const OpEntry> creation_ops();
std::span<const OpEntry> division_ops();
std::span<const OpEntry> dropout_ops();
std::span<const OpEntry> einsum_ops();
std::span<const OpEntry> elementary_ops();
std::span<const OpEntry> elementwise_ops();
std::span<const OpEntry> embedding_ops();
std::span<const OpEntry> index_ops();
std::span<const OpEntry> join_ops();
std::span<const OpEntry> linalg_ops();
std::span<const OpEntry> logic_ops();
std::span<const OpEntry> loss_ops();
std::span<const OpEntry> normalization_ops();
std::span<const OpEntry> pad_ops();
std::span<const OpEntry> pooling_ops();
std::span<const OpEntry> random_ops();
std::span<const OpEntry> reduce_ops();
std::span<const OpEntry> scan_ops();
std::span<const OpEntry> shape_ops();
std::span<const OpEntry> softmax_ops();
std::span<const OpEntry> sort_ops();
std::span<const OpEntry> statistics_ops();
std::span<const OpEntry> view_ops();

/// All families.
std::span<const std::span<const OpEntry>> op_families();

/// The Op of an entry, which must outlive it.
std::shared_ptr<const Op> make_builtin_op(const OpEntry& entry);

}  // namespace minitensor
