#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "minitensor/base/code_holders.h"
#include "minitensor/ops/attributes.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// What a gradient function is given.
struct BackwardArguments {
  std::span<const Tensor> inputs;
  const Attributes& attributes;
  const Tensor& output;
  const Tensor& grad_output;  ///< the gradient with respect to the output; has the output's shape and dtype
  /// Of an op with several outputs: all of them, and their gradients. A gradient that is not defined is 0.
  std::span<const Tensor> outputs = {};
  std::span<const Tensor> grad_outputs = {};
  /// Bit i: the gradient of input i is wanted. Those of others may be left undefined.
  std::uint64_t wanted = ~std::uint64_t{0};

  bool wants(std::size_t input) const noexcept { return (wanted >> input & 1U) != 0; }
};

/// How an input takes part in an op.
enum class InputRole : std::uint8_t {
  kValue,      ///< one of those whose dtypes are promoted to one
  kIndex,      ///< positions: an integer dtype, given to the op as int64
  kCondition,  ///< true or false: dtype bool
};

/// One operation: what it is called, what it takes, what it promises, and how it is computed. Built-in ops, ops
/// made of JavaScript callbacks and ops of compiled plugins are all of this one type.
struct Op {
  using Forward = std::function<Tensor(std::span<const Tensor>, const Attributes&)>;
  /// As many tensors as the op has outputs.
  using ForwardMany = std::function<std::vector<Tensor>(std::span<const Tensor>, const Attributes&)>;
  /// One gradient for each input, of that input's shape and dtype. Of the engine's own ops a gradient may have the
  /// shape that the input was broadcast to, and another floating-point dtype.
  using Backward = std::function<std::vector<Tensor>(const BackwardArguments&)>;
  /// Throws when the inputs or attributes are not acceptable.
  using Validate = std::function<void(std::span<const Tensor>, const Attributes&)>;
  using OutputShape = std::function<Shape(std::span<const Tensor>, const Attributes&)>;
  using OutputDType = std::function<DType(std::span<const Tensor>, const Attributes&)>;

  std::string name;
  std::vector<std::string> inputs;     ///< the inputs' names
  std::vector<InputRole> input_roles;  ///< of as many; empty: all are values
  std::size_t optional_inputs = 0;     ///< that many of the last inputs may be left out, or be given undefined
  bool is_variadic = false;            ///< the last input stands for any number of tensors, at least one
  std::vector<std::string> outputs;    ///< the outputs' names; empty: there is one
  bool has_variadic_output = false;    ///< the one output stands for any number of tensors
  std::vector<AttributeSpec> attributes;
  std::string summary;  ///< one line: what it computes
  Forward forward;
  ForwardMany forward_many;  ///< in place of forward for an op with several outputs
  Backward backward;         ///< may be empty: the op has no gradient
  Validate validate;         ///< may be empty
  OutputShape output_shape;  ///< may be empty: nothing is promised
  OutputDType output_dtype;  ///< may be empty: nothing is promised
  /// The attributes of a call that gives none; see prepare_default_attributes. Empty: they are resolved at each call.
  std::optional<Attributes> default_attributes;
  bool saves_inputs = true;     ///< backward looks at the inputs' elements, not only at shapes and dtypes
  bool saves_outputs = true;    ///< the same of the outputs
  bool fits_gradients = false;  ///< gradients are summed and cast to the inputs' shapes and dtypes by who asks for them
  /// Who has recorded a gradient of this op; null for an op whose code is never unloaded.
  std::shared_ptr<const CodeHolders> recorded_gradients;

  std::size_t output_count() const noexcept { return outputs.empty() ? 1 : outputs.size(); }
};

/// Kept by a recorded gradient of `op` as long as it may call backward: unloading the op's plugin is then refused, and
/// names it.
inline CodeHold hold_for_gradient(const Op& op) {
  return op.recorded_gradients ? op.recorded_gradients->hold() : nullptr;
}

/// Resolves the attributes of calls that give none, where none is required, once for all of them.
void prepare_default_attributes(Op& op);

/// The attributes of a call: what the caller gave, completed by the defaults. `storage` keeps them where they have to
/// be made. Throws as Attributes::resolve does.
const Attributes& resolve_attributes(const Op& op, const NamedAttributes& given, std::optional<Attributes>& storage);

/// Runs `op` with attributes that are resolved, by the rules of run_op.
Tensor run_resolved(const Op& op, std::span<const Tensor> inputs, const Attributes& attributes);
/// The same for an op with any number of outputs.
std::vector<Tensor> run_resolved_many(const Op& op, std::span<const Tensor> inputs, const Attributes& attributes);

/// Runs `op` by the rules every op obeys: checks the number of inputs, resolves the attributes, validates, computes,
/// and checks that the result is what output_shape and output_dtype promise. Throws kValue for the count and the
/// attributes, kShape or kDType for a broken promise, and whatever the op's own functions throw.
Tensor run_op(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes);

/// The same for an op with any number of outputs. run_op itself throws kValue for one that has several.
std::vector<Tensor> run_op_many(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes);

/// Throws kShape or kDType, in the name of `operation`, unless `gradient` is one with respect to `value`, which
/// messages call `what`: of its shape and dtype.
void require_gradient_of(const Tensor& value, const Tensor& gradient, std::string_view operation, const char* what);

/// The gradients of `op`, one for each input that wants one, checked for number, shape and dtype.
/// Throws kNotImplemented when the op has none.
std::vector<Tensor> run_backward(const Op& op, const BackwardArguments& arguments);
std::vector<Tensor> run_op_backward(const Op& op, std::span<const Tensor> inputs, const NamedAttributes& attributes,
                                    const Tensor& output, const Tensor& grad_output);

}  // namespace minitensor
