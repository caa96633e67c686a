#include "minitensor/loader/loaded_module.h"

#include <algorithm>
#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/host_table.h"

namespace minitensor {

namespace {

using CreatePlugin = mt_status (*)(const mt_host*, mt_context*, mt_plugin*);

Error create_error(const std::string& plugin, const std::string& what, std::string hint = {}) {
  return Error(ErrorCode::kPlugin, "load_plugin: plugin " + quote(plugin) + ": " + what,
               {.phase = "create", .plugin = plugin, .symbols = {}, .hint = std::move(hint)});
}

}  // namespace

LoadedModule::LoadedModule(const PluginSource& source, const PluginInspection& inspection, OpRegistry& ops,
                           PluginLog log)
    : metadata_(inspection.metadata), ops_(ops), log_(std::move(log)), library_(source, inspection.file) {
  const std::vector<ModuleExport>& exports = inspection.file.exports;
  const bool is_function = std::any_of(exports.begin(), exports.end(), [](const ModuleExport& entry) {
    return entry.name == "create_plugin" && entry.kind == SymbolKind::kFunction;
  });
  const auto create = is_function ? reinterpret_cast<CreatePlugin>(library_.symbol("create_plugin")) : nullptr;
  if (create == nullptr) {
    throw create_error(name(), "the file does not export create_plugin",
                       "define create_plugin as plugin_api.h declares it");
  }
  plugin_.struct_size = sizeof(mt_plugin);
  plugin_.abi_version = MT_PLUGIN_ABI_VERSION;
  bool created = false;
  try {
    const std::string what = "create_plugin";
    mt_context context(*this, what);
    call(context, [&] { return create(&host_table(), &context, &plugin_); });
    created = true;
    require_agreement();
  } catch (const Error& error) {
    // The destructor does not run. A plugin whose create_plugin failed has nothing to destroy.
    if (created) destroy();
    throw create_error(name(), error.message());
  }
}

LoadedModule::~LoadedModule() { destroy(); }

void LoadedModule::destroy() noexcept {
  if (plugin_.destroy != nullptr) run_guarded([this] { plugin_.destroy(plugin_.state); });
}

// The host has checked what the file's section says; a plugin that says something else now was put together wrongly.
void LoadedModule::require_agreement() const {
  if (plugin_.info == nullptr) throw Error(ErrorCode::kPlugin, "create_plugin set no info");
  const mt_plugin_info info = read_abi_struct(plugin_.info);
  const PluginInfo& expected = metadata_.info;
  const std::string maximum =
      expected.max_minitensor_version ? to_string(*expected.max_minitensor_version) : std::string();
  const auto require = [](const char* field, mt_string given, std::string_view in_section) {
    if (view_of(given) == in_section) return;
    throw Error(ErrorCode::kPlugin, std::string("its ") + field + " is " + quote(view_of(given)) +
                                        ", but the file's metadata says " + quote(in_section));
  };
  require("name", info.name, expected.name);
  require("version", info.version, to_string(expected.version));
  require("description", info.description, expected.description);
  require("author", info.author, expected.author);
  require("min_minitensor_version", info.min_minitensor_version, to_string(expected.min_minitensor_version));
  require("max_minitensor_version", info.max_minitensor_version, maximum);
}

void LoadedModule::throw_stopped(const mt_context& context, const std::string& reason) const {
  throw Error(ErrorCode::kPlugin, context.what + " of plugin " + quote(name()) + " stopped: " + reason,
              {.phase = "call",
               .plugin = name(),
               .symbols = {},
               .hint = "this is a fault in the plugin's code; its own state may be damaged"});
}

void LoadedModule::track(const std::shared_ptr<CustomLayer>& layer) {
  std::erase_if(layers_, [](const std::weak_ptr<CustomLayer>& entry) { return entry.expired(); });
  layers_.push_back(layer);
}

std::vector<std::string> LoadedModule::holders() const {
  std::vector<std::string> result;
  for (const std::weak_ptr<CustomLayer>& entry : layers_) {
    if (const auto layer = entry.lock()) result.push_back("layer " + quote(layer->name()));
  }
  if (running_calls_ > 0) result.push_back(std::to_string(running_calls_) + " running call(s)");
  return result;
}

}  // namespace minitensor
