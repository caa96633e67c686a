#include "minitensor/loader/call_context.h"

#include <utility>

#include "minitensor/loader/loaded_module.h"

using minitensor::Error;
using minitensor::ErrorCode;
using minitensor::Tensor;

mt_tensor mt_context::Lent::view_of(const Tensor& tensor) {
  return {.struct_size = sizeof(mt_tensor),
          .dtype = static_cast<mt_dtype>(tensor.dtype()),
          .rank = tensor.rank(),
          .reserved = 0,
          .size = tensor.size(),
          .shape = tensor.shape().data(),
          .strides = tensor.strides().data(),
          // Which tensors may be written to, the ABI says.
          .data = const_cast<void*>(tensor.raw_data())};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

template <typename T>
mt_tensor* mt_context::add_lent(T&& lent) {
  if (first_count_ < first_lent_.size()) return &first_lent_[first_count_++].emplace(std::forward<T>(lent)).view;
  return &lent_.emplace_front(std::forward<T>(lent)).view;
}

mt_tensor* mt_context::lend(Tensor tensor) { return add_lent(std::move(tensor)); }

mt_tensor* mt_context::lend_alive(const Tensor& tensor) { return add_lent(&tensor); }

const Tensor& mt_context::borrowed(const mt_tensor* view) const {
  for (const std::optional<Lent>& entry : first_lent_) {
    if (entry && &entry->view == view) return entry->tensor;
  }
  for (const Lent& entry : lent_) {
    if (&entry.view == view) return entry.tensor;
  }
  throw Error(ErrorCode::kPlugin, what + ": a tensor is used that does not belong to this call",
              {.phase = "call", .plugin = module.name(), .symbols = {}, .hint = {}});
}

Error mt_context::error_for(mt_status status) const {
  const ErrorCode code = minitensor::error_code_from_number(status);
  if (is_out_of_memory_ && code == ErrorCode::kMemory) {
    return Error(ErrorCode::kMemory, what + ": out of memory",
                 {.phase = "call", .plugin = module.name(), .symbols = {}, .hint = {}});
  }
  if (noted_ && noted_->code() == code) return *noted_;
  return Error(
      ErrorCode::kPlugin,
      what + " of plugin \"" + module.name() + "\" failed with status " + std::to_string(status) + " and no message",
      {.phase = "call", .plugin = module.name(), .symbols = {}, .hint = {}});
}
