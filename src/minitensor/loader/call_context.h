#pragma once

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

}  // namespace minitensor

/// One call of a plugin's function, as the host's functions see it: which plugin, the tensors it was lent, and the
/// error it noted. The ABI declares this type and leaves its content to the host.
struct mt_context {
  /// `what` names the call in errors: `op "swish"`.
  mt_context(minitensor::LoadedModule& called_module, std::string called_function)
      : module(called_module), what(std::move(called_function)) {}
  mt_context(const mt_context&) = delete;
  mt_context& operator=(const mt_context&) = delete;

  /// A view of `tensor` for the plugin, valid as long as this context.
  mt_tensor* lend(minitensor::Tensor tensor);
  /// The tensor behind a view that this context lent. Throws kPlugin for any other pointer.
  const minitensor::Tensor& borrowed(const mt_tensor* view) const;

  void note(const minitensor::Error& error) { noted_ = error; }
  /// The code of the error noted last. Requires that there is one.
  minitensor::ErrorCode noted_code() const { return noted_->code(); }
  /// The error to throw for a status that the plugin returned.
  minitensor::Error error_for(mt_status status) const;

  minitensor::LoadedModule& module;
  std::string what;
  minitensor::StagedRegistrations* staged = nullptr;  ///< only in initialize
  minitensor::CustomLayer* new_layer = nullptr;       ///< only while a layer is created

 private:
  struct Lent {
    explicit Lent(minitensor::Tensor lent);
    minitensor::Tensor tensor;
    mt_tensor view;
  };
  std::forward_list<Lent> lent_;  // a list, because views must not move
  std::optional<minitensor::Error> noted_;
};
