#include "minitensor/loader/call_context.h"

#include <span>
#include <utility>

#include "minitensor/loader/loaded_module.h"

using minitensor::Error;
using minitensor::ErrorCode;
using minitensor::Tensor;

mt_tensor* mt_context::lend_alive(const Tensor& tensor) {
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

mt_tensor* mt_context::lend(Tensor tensor) { return lend_alive(kept_.emplace_front(std::move(tensor))); }

const Tensor& mt_context::borrowed(const mt_tensor* view) const {
  for (const Lent& entry : std::span(first_lent_).first(first_count_)) {
    if (&entry.view == view) return *entry.tensor;
  }
  for (const Lent& entry : more_lent_) {
    if (&entry.view == view) return *entry.tensor;
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
