#include "minitensor/loader/call_context.h"

#include "minitensor/loader/loaded_module.h"

using minitensor::Error;
using minitensor::ErrorCode;
using minitensor::Tensor;

mt_context::Lent::Lent(Tensor lent)
    : tensor(std::move(lent)),
      view{.struct_size = sizeof(mt_tensor),
           .dtype = static_cast<mt_dtype>(tensor.dtype()),
           .rank = tensor.rank(),
           .reserved = 0,
           .size = tensor.size(),
           .shape = tensor.shape().data(),
           .strides = tensor.strides().data(),
           .data = tensor.raw_data()} {}

mt_tensor* mt_context::lend(Tensor tensor) { return &lent_.emplace_front(std::move(tensor)).view; }

const Tensor& mt_context::borrowed(const mt_tensor* view) const {
  for (const Lent& entry : lent_) {
    if (&entry.view == view) return entry.tensor;
  }
  throw Error(ErrorCode::kPlugin, what + ": a tensor is used that does not belong to this call",
              {.phase = "call", .plugin = module.name(), .symbols = {}, .hint = {}});
}

Error mt_context::error_for(mt_status status) const {
  const ErrorCode code = minitensor::error_code_from_number(status);
  if (noted_ && noted_->code() == code) return *noted_;
  return Error(
      ErrorCode::kPlugin,
      what + " of plugin \"" + module.name() + "\" failed with status " + std::to_string(status) + " and no message",
      {.phase = "call", .plugin = module.name(), .symbols = {}, .hint = {}});
}
