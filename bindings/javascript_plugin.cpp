#include "bindings/javascript_plugin.h"

#include <utility>

namespace minitensor::bindings {

std::vector<std::shared_ptr<const Op>> JavaScriptPlugin::custom_operations() {
  // What an enclosing call has staged is set aside, and put back whatever happens.
  struct SetAside {
    std::vector<std::shared_ptr<const Op>> ops = std::exchange(engine().staged_ops, {});
    ~SetAside() { engine().staged_ops = std::move(ops); }
  } set_aside;
  callback_->call(CallbackRole::kPluginCustomOperations);
  return std::exchange(engine().staged_ops, {});
}

}  // namespace minitensor::bindings
