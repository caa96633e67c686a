#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/base/code_holders.h"
#include "minitensor/loader/call_context.h"
#include "minitensor/loader/dynamic_library.h"
#include "minitensor/loader/plugin_call.h"
#include "minitensor/loader/plugin_metadata.h"
#include "minitensor/loader/plugin_source.h"
#include "minitensor/ops/op_registry.h"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

/// What to do about errors that are the plugin's own.
inline constexpr const char* kForTheAuthor = "this is for the plugin's author to mend";

/// The code of one plugin in this process, from create_plugin to destroy. Everything made of that code holds a
/// reference, and calls the code through `call` alone, which refuses when the code has been unloaded.
class LoadedModule : public std::enable_shared_from_this<LoadedModule> {
 public:
  /// Links the file and calls create_plugin. Throws kPlugin of phase "link" or "create".
  LoadedModule(const PluginSource& source, PluginMetadata metadata, const ModuleFile& file, OpRegistry& ops,
               PluginLog log);
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  /// Closes it, if that was not done.
  ~LoadedModule() { close(); }

  const std::string& name() const noexcept { return metadata_.info.name; }
  const PluginMetadata& metadata() const noexcept { return metadata_; }
  const std::string& origin() const noexcept { return origin_; }
  const mt_plugin& plugin() const noexcept { return plugin_; }
  /// Throws kPlugin when the engine that loaded the plugin is gone.
  OpRegistry& ops(const std::string& what) const;
  void log(std::string_view message) const {
    if (log_) log_(name(), message);
  }

  /// Calls a function of the plugin that returns a status. Throws the error that it noted, or a kPlugin error when it
  /// noted none, was stopped, found no memory, or when the plugin has been unloaded.
  template <typename F>
  void call(mt_context& context, F&& function) {
    struct Work {
      F& function;
      mt_status status = MT_OK;
    } work{function};
    run(context, [](void* of) { static_cast<Work*>(of)->status = static_cast<Work*>(of)->function(); }, &work);
    if (work.status != MT_OK) throw_failed(context, work.status);
  }

  int calls_running() const noexcept { return running_ == nullptr ? 0 : running_->depth; }
  /// What is running, as errors name it, the innermost first: `op "swish"`.
  std::vector<std::string> running_calls() const;
  /// Throws kPlugin, in the name of `what`, when the plugin has been unloaded.
  void require_open(const std::string& what) const {
    if (is_closed_) throw_closed(what);
  }
  /// What first stopped a call of the plugin (`op "x": unreachable`), or the first time that it found no memory; empty
  /// when nothing has.
  const std::string& fault() const noexcept { return fault_; }

  /// A kPlugin error about something that the plugin does wrong.
  Error error(const char* phase, const std::string& message) const;

  /// A new list of those who mean to call this module's code later; see CodeHolders.
  std::shared_ptr<const CodeHolders> add_holders(std::string what);
  /// Those who keep the module from being unloaded, the calls that are running apart: `layer "RMSNorm" (2)`.
  std::vector<std::string> holders() const;

  /// Calls destroy and unloads the code. What still refers to it throws when it is used. Gives what stopped destroy or
  /// a static destructor; the code is unloaded all the same. Nothing happens the second time. Requires that no call is
  /// running.
  std::optional<std::string> close() noexcept;
  /// The engine is going: what still runs calls its ops no more.
  void forget_engine() noexcept { ops_ = nullptr; }

 private:
  void run(mt_context& context, void (*function)(void*), void* argument);
  [[noreturn]] void throw_closed(const std::string& what) const;
  [[noreturn]] void throw_stopped(const mt_context& context, const Stopped& stopped);
  [[noreturn]] void throw_failed(const mt_context& context, mt_status status);
  void require_agreement() const;

  PluginMetadata metadata_;
  std::string origin_;
  OpRegistry* ops_;
  PluginLog log_;
  DynamicLibrary library_;
  bool is_closed_ = false;
  mt_plugin plugin_{};
  const mt_context* running_ = nullptr;  // the innermost call
  std::string fault_;
  std::vector<std::shared_ptr<const CodeHolders>> holders_;
};

// Here, so that the way of most calls has it within.
inline void LoadedModule::run(mt_context& context, void (*function)(void*), void* argument) {
  require_open(context.what);
  context.outer_call = running_;
  context.depth = calls_running() + 1;
  running_ = &context;
  const std::optional<Stopped> stopped = run_guarded(function, argument);
  running_ = context.outer_call;
  if (stopped) throw_stopped(context, *stopped);
}

}  // namespace minitensor
