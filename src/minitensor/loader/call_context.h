#pragma once

#include <array>
#include <cstddef>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/loader/abi_convert.h"
#include "minitensor/nn/custom_layer.h"
#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/op_registry.h"
#include "minitensor/sdk/plugin_api.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

class LoadedModule;

/// What a plugin registers in its initialize, until the registration is committed.
struct StagedRegistrations {
  std::vector<std::shared_ptr<const Op>> ops;
  std::vector<std::shared_ptr<const LayerType>> layer_types;
};

/// What a plugin means by a status. Numbers that the ABI does not have are kInternal, also those that the engine's own
/// codes go on with, which are not for others to throw.
inline ErrorCode code_of_status(mt_status status) noexcept {
  return status > MT_ERROR_MEMORY ? ErrorCode::kInternal : error_code_from_number(status);
}

}  // namespace minitensor

/// One call of a plugin's function, as the host's functions see it: which plugin, the tensors it was lent, and the
/// error it noted. The ABI declares this type and leaves its content to the host.
struct mt_context {
  /// `called_function`, which must outlive the context, names the call in errors: `op "swish"`.
  mt_context(minitensor::LoadedModule& called_module, const std::string& called_function)
      : module(called_module), what(called_function) {}
  mt_context(minitensor::LoadedModule& called_module, std::string&& called_function) = delete;
  mt_context(const mt_context&) = delete;
  mt_context& operator=(const mt_context&) = delete;

  /// A view of `tensor`, which outlives the context and does not change meanwhile. It is valid as long as the context.
  mt_tensor* lend_alive(const minitensor::Tensor& tensor);
  /// The same of a tensor that the context is to keep alive.
  mt_tensor* lend(minitensor::Tensor tensor);
  /// The tensor behind a view that this context lent. Throws kPlugin for any other pointer.
  const minitensor::Tensor& borrowed(const mt_tensor* view) const;

  void note(const minitensor::Error& error) {
    noted_ = error;
    is_out_of_memory_ = false;
  }
  /// Notes that memory ran out, which takes none.
  void note_out_of_memory() noexcept { is_out_of_memory_ = true; }
  /// The code of the error noted last. Requires that there is one.
  minitensor::ErrorCode noted_code() const {
    return is_out_of_memory_ ? minitensor::ErrorCode::kMemory : noted_->code();
  }
  /// The error to throw for a status that the plugin returned.
  minitensor::Error error_for(mt_status status) const;
  /// How errors name the function: `op "swish" of plugin "activations"`, or `create_plugin`.
  std::string full_name() const;

  minitensor::LoadedModule& module;
  const std::string& what;
  minitensor::StagedRegistrations* staged = nullptr;  ///< only in initialize
  minitensor::CustomLayer* new_layer = nullptr;       ///< only while a layer is created
  bool is_life_cycle = false;                         ///< create_plugin, initialize or cleanup
  const mt_context* outer_call = nullptr;             ///< the plugin's call that this one runs in
  int depth = 0;                                      ///< of how many calls of the plugin it is the innermost

 private:
  struct Lent {
    const minitensor::Tensor* tensor;
    mt_tensor view;
  };

  // Most calls lend no more than these; what is allocated for a call is most of what a small one costs.
  std::array<Lent, 4> first_lent_;  // the first first_count_ of them
  std::size_t first_count_ = 0;
  std::forward_list<Lent> more_lent_;           // in a list because views must not move
  std::forward_list<minitensor::Tensor> kept_;  // what is lent and nobody else keeps alive
  std::optional<minitensor::Error> noted_;
  bool is_out_of_memory_ = false;  // and that was noted after noted_
};

inline mt_tensor* mt_context::lend_alive(const minitensor::Tensor& tensor) {
  Lent& lent = first_count_ < first_lent_.size() ? first_lent_[first_count_++] : more_lent_.emplace_front();
  lent.tensor = &tensor;
  mt_tensor& view = lent.view;
  view.struct_size = sizeof(mt_tensor);
  view.dtype = static_cast<mt_dtype>(tensor.dtype());
  view.rank = tensor.rank();
  view.reserved = 0;
  view.size = tensor.size();
  view.shape = tensor.shape().data();
  view.strides = tensor.strides().data();
  // Which tensors may be written to, the ABI says.
  view.data = const_cast<void*>(tensor.raw_data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return &view;
}
