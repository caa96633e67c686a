#pragma once

#include <span>
#include <vector>

#include "bindings/engine.h"
#include "minitensor/ops/attributes.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor::bindings {

/// What a callback is called for. js/callbacks.js knows these numbers.
enum class CallbackRole : int {
  kOpForward = 0,
  kOpBackward = 1,
  kOpValidate = 2,
  kOpOutputShape = 3,
  kOpOutputDType = 4,
  kLayerForward = 5,
  kPluginInitialize = 6,
  kPluginCleanup = 7,
  kPluginCustomOperations = 8,
};

/// An object of JavaScript, by the number under which js/callbacks.js keeps it. Released with the last copy.
class JavaScriptCallback {
 public:
  explicit JavaScriptCallback(int id) : id_(id) {}
  JavaScriptCallback(const JavaScriptCallback&) = delete;
  JavaScriptCallback& operator=(const JavaScriptCallback&) = delete;
  ~JavaScriptCallback();

  int id() const noexcept { return id_; }

  /// Calls it. `tensors` are handed over as handles that live as long as the call. What comes back depends on the
  /// role: sizes, a dtype, or nothing. Throws kCallback with the number of the exception when the callback throws.
  std::vector<double> call(CallbackRole role, std::span<const Tensor> tensors = {},
                           const Attributes* attributes = nullptr) const;
  /// The same for a role that gives tensors.
  std::vector<Tensor> call_for_tensors(CallbackRole role, std::span<const Tensor> tensors,
                                       const Attributes* attributes = nullptr) const;

 private:
  int id_;
};

}  // namespace minitensor::bindings
