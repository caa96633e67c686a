#include "minitensor/loader/compiled_plugin.h"

#include <algorithm>
#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/compiled_layer.h"
#include "minitensor/loader/compiled_op.h"
#include "minitensor/loader/host_table.h"

namespace minitensor {

namespace {

using LifecycleFunction = mt_status (*)(const mt_host*, mt_context*, void*);

// Whatever goes wrong in a plugin's life cycle is a plugin error, with the plugin's own words in it.
void call_lifecycle(LoadedModule& module, LifecycleFunction function, const char* phase, StagedRegistrations* staged) {
  try {
    const std::string what = phase;
    mt_context context(module, what);
    context.is_life_cycle = true;
    context.staged = staged;
    module.call(context, [&] { return function(&host_table(), &context, module.plugin().state); });
  } catch (const Error& error) {
    ErrorDetails details = error.details();
    details.phase = phase;
    details.plugin = module.name();
    throw Error(ErrorCode::kPlugin, error.message(), std::move(details));
  }
}

template <typename Item>
void require_array(const LoadedModule& module, std::uint32_t count, Item array, const char* kind) {
  if (count == 0 || array != nullptr) return;
  throw module.error("initialize", std::string("has ") + kind + ", but they are NULL");
}

template <typename Item>
void require_named_in_metadata(const LoadedModule& module, const char* kind,
                               const std::vector<std::shared_ptr<const Item>>& items,
                               const std::vector<std::string>& declared) {
  std::vector<std::string> registered;
  for (const auto& item : items) registered.push_back(item->name);
  // Not by sorting: std::sort of strings is 4 KB of code.
  if (std::is_permutation(registered.begin(), registered.end(), declared.begin(), declared.end())) return;
  throw Error(
      ErrorCode::kPlugin,
      std::string("registers the ") + kind + " [" + join(registered, ", ") + "], but its metadata names [" +
          join(declared, ", ") + "]",
      {.phase = "initialize", .plugin = module.name(), .symbols = {}, .hint = "list every name in MT_PLUGIN_METADATA"});
}

}  // namespace

void CompiledPlugin::initialize(PluginRegistry&) {
  staged_ = {};
  const mt_plugin& plugin = module_->plugin();
  require_array(*module_, plugin.op_count, plugin.ops, "ops");
  require_array(*module_, plugin.layer_type_count, plugin.layer_types, "layer types");
  for (std::uint32_t i = 0; i < plugin.op_count; ++i) {
    staged_.ops.push_back(make_compiled_op(module_, plugin.ops[i]));
  }
  for (std::uint32_t i = 0; i < plugin.layer_type_count; ++i) {
    staged_.layer_types.push_back(make_compiled_layer_type(module_, plugin.layer_types[i]));
  }
  if (plugin.initialize != nullptr) call_lifecycle(*module_, plugin.initialize, "initialize", &staged_);
}

void CompiledPlugin::cleanup(PluginRegistry&) {
  const mt_plugin& plugin = module_->plugin();
  if (plugin.cleanup != nullptr) call_lifecycle(*module_, plugin.cleanup, "cleanup", nullptr);
}

std::vector<std::shared_ptr<const Op>> CompiledPlugin::custom_operations() {
  require_named_in_metadata(*module_, "ops", staged_.ops, module_->metadata().ops);
  return std::exchange(staged_.ops, {});
}

std::vector<std::shared_ptr<const LayerType>> CompiledPlugin::custom_layers() {
  require_named_in_metadata(*module_, "layer types", staged_.layer_types, module_->metadata().layers);
  return std::exchange(staged_.layer_types, {});
}

}  // namespace minitensor
