#include "minitensor/ops/builtin_ops.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "minitensor/ops/op_table.h"
#include "minitensor/ops/signature.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

void require_input(bool is_taken, const Op& op, std::size_t index, const Tensor& input, const char* wanted) {
  if (is_taken) return;
  throw_error(ErrorCode::kDType, {op.name, ": ", op.inputs[std::min(index, op.inputs.size() - 1)], " must be ", wanted,
                                  ", not ", dtype_name(input.dtype())});
}

DType promoted_dtype(const Op& op, std::span<const Tensor> inputs, DTypeRule rule) {
  bool is_first = true;
  DType dtype = DType::kFloat32;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& input = inputs[i];
    if (!input.is_defined()) continue;
    const InputRole role = op.input_roles[std::min(i, op.input_roles.size() - 1)];
    if (role == InputRole::kIndex) require_input(is_integer(input.dtype()), op, i, input, "integers");
    if (role == InputRole::kCondition) require_input(input.dtype() == DType::kBool, op, i, input, "bool");
    if (role != InputRole::kValue) continue;
    dtype = is_first ? input.dtype() : promote_types(dtype, input.dtype());
    is_first = false;
  }
  return is_first ? dtype : computed_dtype(rule, dtype, op.name);
}

// What every entry's function is given. `op` is the one that the entry was made into.
template <typename Result>
Result call_entry(const OpEntry& entry, const Op& op, Result (*function)(const OpCall&), std::span<const Tensor> inputs,
                  const Attributes& attributes) {
  return function({inputs, attributes, promoted_dtype(op, inputs, entry.rule), entry});
}

}  // namespace

Gradients::Gradients(std::size_t count) : std::vector<Tensor>(count) {}

Gradients::Gradients(Tensor a) : Gradients(1) { front() = std::move(a); }

Gradients::Gradients(Tensor a, Tensor b) : Gradients(2) {
  front() = std::move(a);
  back() = std::move(b);
}

Gradients::Gradients(Tensor a, Tensor b, Tensor c) : Gradients(std::move(a), std::move(b)) { push_back(std::move(c)); }

Gradients::Gradients(Tensor a, Tensor b, Tensor c, Tensor d) : Gradients(std::move(a), std::move(b), std::move(c)) {
  push_back(std::move(d));
}

Shape OpCall::shape(std::size_t attribute) const {
  const std::vector<std::int64_t>& sizes = attributes.integers(attribute);
  if (sizes.size() > kMaxRank) {
    const std::string_view signature = entry.signature;
    throw_error(ErrorCode::kShape,
                {signature.substr(0, signature.find('(')), ": a tensor has 0 to ", std::int64_t{kMaxRank},
                 " dimensions, not ", static_cast<std::int64_t>(sizes.size())});
  }
  return Shape(sizes);
}

Tensor run_elementwise(const OpCall& call) { return run_kernels(*call.entry.elementwise, call.inputs); }

std::shared_ptr<const Op> make_builtin_op(const OpEntry& entry) {
  const auto op = std::make_shared<Op>(parse_signature(entry.signature));
  // Not shared: the op would keep itself alive.
  const Op* self = op.get();
  const OpEntry* described = &entry;
  if (entry.forward != nullptr) {
    op->forward = [described, self](std::span<const Tensor> inputs, const Attributes& attributes) {
      // Kernels do these checks themselves.
      if (described->elementwise != nullptr) {
        return described->forward({inputs, attributes, DType::kFloat32, *described});
      }
      return call_entry(*described, *self, described->forward, inputs, attributes);
    };
  }
  if (entry.forward_many != nullptr) {
    op->forward_many = [described, self](std::span<const Tensor> inputs, const Attributes& attributes) {
      return call_entry(*described, *self, described->forward_many, inputs, attributes);
    };
  }
  if (entry.gradient != nullptr) op->backward = entry.gradient;
  op->saves_inputs = (entry.saved & kSaveInputs) != 0;
  op->saves_outputs = (entry.saved & kSaveOutputs) != 0;
  op->fits_gradients = true;
  prepare_default_attributes(*op);
  return op;
}

std::span<const std::span<const OpEntry>> op_families() {
  static const std::span<const OpEntry> families[] = {
      activation_ops(), arithmetic_ops(), attention_ops(),  convolution_ops(), creation_ops(),      division_ops(),
      dropout_ops(),    einsum_ops(),     elementary_ops(), elementwise_ops(), embedding_ops(),     index_ops(),
      join_ops(),       linalg_ops(),     logic_ops(),      loss_ops(),        normalization_ops(), pad_ops(),
      pooling_ops(),    random_ops(),     reduce_ops(),     scan_ops(),        shape_ops(),         softmax_ops(),
      sort_ops(),       statistics_ops(), view_ops()};
  return families;
}

void register_builtin_ops(OpRegistry& registry) {
  for (const auto& family : op_families()) {
    for (const OpEntry& entry : family) registry.add(make_builtin_op(entry), kEngineOwner);
  }
}

}  // namespace minitensor
