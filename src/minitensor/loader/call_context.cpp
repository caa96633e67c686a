#include "minitensor/loader/call_context.h"

#include <span>
#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/loaded_module.h"

using minitensor::Error;
using minitensor::ErrorCode;
using minitensor::quote;
using minitensor::Tensor;

mt_tensor* mt_context::lend(Tensor tensor) { return lend_alive(kept_.emplace_front(std::move(tensor))); }

const Tensor& mt_context::borrowed(const mt_tensor* view) const {
  for (const Lent& entry : std::span(first_lent_).first(first_count_)) {
    if (&entry.view == view) return *entry.tensor;
  }
  for (const Lent& entry : more_lent_) {
    if (&entry.view == view) return *entry.tensor;
  }
  throw module.error("call", what + ": a tensor is used that does not belong to this call");
}

// Who loads or unloads the plugin names it.
std::string mt_context::full_name() const { return is_life_cycle ? what : what + " of plugin " + quote(module.name()); }

Error mt_context::error_for(mt_status status) const {
  const ErrorCode code = minitensor::code_of_status(status);
  if (is_out_of_memory_ && code == ErrorCode::kMemory) return Error(ErrorCode::kMemory, "out of memory");
  // What the host has noted, the plugin passes on by its number.
  const bool is_noted = noted_ && (noted_->code() == code || static_cast<mt_status>(noted_->code()) == status);
  if (is_noted) return *noted_;
  return module.error("call", full_name() + " failed with status " + std::to_string(status) + " and no message");
}
