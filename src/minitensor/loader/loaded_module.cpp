#include "minitensor/loader/loaded_module.h"

#include <utility>

#include "minitensor/base/text.h"
#include "minitensor/loader/host_table.h"

namespace minitensor {

namespace {

using CreatePlugin = mt_status (*)(const mt_host*, mt_context*, mt_plugin*);

}  // namespace

LoadedModule::LoadedModule(const PluginSource& source, PluginMetadata metadata, const ModuleFile& file, OpRegistry& ops,
                           PluginLog log)
    : metadata_(std::move(metadata)), origin_(source.origin), ops_(&ops), log_(std::move(log)), library_(source, file) {
  // That it is a function, the inspection has seen.
  const auto create = reinterpret_cast<CreatePlugin>(library_.symbol("create_plugin"));
  if (create == nullptr) throw error("create", "the file does not export create_plugin");
  plugin_.struct_size = sizeof(mt_plugin);
  plugin_.abi_version = MT_PLUGIN_ABI_VERSION;
  try {
    const std::string what = "create_plugin";
    mt_context context(*this, what);
    context.is_life_cycle = true;
    try {
      call(context, [&] { return create(&host_table(), &context, &plugin_); });
    } catch (...) {
      plugin_.destroy = nullptr;  // nothing was created that it could destroy
      throw;
    }
    require_agreement();
  } catch (const Error& error) {
    close();  // since the destructor does not run
    ErrorDetails details = error.details();
    details.phase = "create";
    throw Error(ErrorCode::kPlugin, error.message(), std::move(details));
  } catch (...) {
    close();
    throw;
  }
}

std::optional<std::string> LoadedModule::close() noexcept {
  // First of all: what the plugin does at its end finds it closed.
  if (std::exchange(is_closed_, true)) return std::nullopt;
  std::optional<std::string> stopped;
  if (plugin_.destroy != nullptr) {
    const std::optional<Stopped> in_destroy = run_guarded([this] { plugin_.destroy(plugin_.state); });
    if (in_destroy) stopped = "destroy: " + in_destroy->reason;
  }
  if (const auto reason = library_.close(); reason && !stopped) stopped = "a static destructor: " + *reason;
  return stopped;
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

OpRegistry& LoadedModule::ops(const std::string& what) const {
  if (ops_ != nullptr) return *ops_;
  throw Error(
      ErrorCode::kPlugin, what + ": the engine that loaded plugin " + quote(name()) + " is gone",
      {.phase = "call", .plugin = name(), .symbols = {}, .hint = "let the engine outlive the calls of its ops"});
}

Error LoadedModule::error(const char* phase, const std::string& message) const {
  return Error(
      ErrorCode::kPlugin, message,
      {.phase = phase, .plugin = name(), .symbols = {}, .hint = kForTheAuthor, .callback_error = 0, .cause = {}});
}

void LoadedModule::throw_closed(const std::string& what) const {
  throw Error(
      ErrorCode::kPlugin, what + ": plugin " + quote(name()) + " was unloaded",
      {.phase = "call", .plugin = name(), .symbols = {}, .hint = "load the plugin again, and make anew what is used"});
}

void LoadedModule::throw_stopped(const mt_context& context, const Stopped& stopped) {
  if (fault_.empty()) fault_ = context.what + ": " + stopped.reason;
  throw Error(ErrorCode::kPlugin, context.full_name() + " stopped: " + stopped.reason,
              {.phase = "call",
               .plugin = name(),
               .symbols = {},
               .hint = "this is a fault in the plugin's code; its own state may be damaged",
               .callback_error = stopped.error,
               .cause = {}});
}

// That memory has run out is not the caller's mistake, and the plugin may be what takes it without end.
void LoadedModule::throw_failed(const mt_context& context, mt_status status) {
  const Error error = context.error_for(status);
  if (error.code() != ErrorCode::kMemory) throw Error(error);
  if (fault_.empty()) fault_ = context.what + ": " + error.message();
  throw Error(ErrorCode::kPlugin, context.full_name() + ": " + error.message(),
              {.phase = "call",
               .plugin = name(),
               .symbols = {},
               .hint = "dispose what is not needed, or give the instance more memory",
               .callback_error = 0,
               .cause = std::make_shared<const Error>(error)});
}

std::vector<std::string> LoadedModule::running_calls() const {
  std::vector<std::string> result;
  for (const mt_context* call = running_; call != nullptr; call = call->outer_call) result.push_back(call->what);
  return result;
}

std::shared_ptr<const CodeHolders> LoadedModule::add_holders(std::string what) {
  return holders_.emplace_back(std::make_shared<const CodeHolders>(std::move(what)));
}

std::vector<std::string> LoadedModule::holders() const {
  std::vector<std::string> result;
  for (const auto& kind : holders_) {
    const std::size_t count = kind->count();
    if (count > 0) result.push_back(kind->what() + (count == 1 ? "" : " (" + std::to_string(count) + ")"));
  }
  return result;
}

}  // namespace minitensor
