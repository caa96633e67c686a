#include "minitensor/plugin/plugin_registry.h"

#include <algorithm>
#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

namespace {

// Marks an entry as running one of its callbacks.
class BusyScope {
 public:
  explicit BusyScope(bool& busy) : busy_(busy) { busy_ = true; }
  BusyScope(const BusyScope&) = delete;
  BusyScope& operator=(const BusyScope&) = delete;
  ~BusyScope() { busy_ = false; }

 private:
  bool& busy_;
};

template <typename Entries, typename Entry>
void remove_entry(Entries& entries, const std::shared_ptr<Entry>& entry) {
  entries.erase(std::find(entries.begin(), entries.end(), entry));
}

}  // namespace

PluginRegistry::~PluginRegistry() {
  while (!entries_.empty()) {
    const std::shared_ptr<Entry> entry = entries_.back();
    entries_.pop_back();
    remove_contents(*entry);
  }
}

void PluginRegistry::register_plugin(std::shared_ptr<Plugin> plugin) {
  if (!plugin) throw Error(ErrorCode::kValue, "register_plugin: the plugin is null");
  const auto entry = std::make_shared<Entry>();
  entry->info = plugin->info();
  entry->plugin = std::move(plugin);
  const std::string& name = entry->info.name;
  if (name.empty()) throw Error(ErrorCode::kValue, "register_plugin: the plugin's name is empty");
  if (name == kEngineOwner) {
    throw Error(ErrorCode::kValue, "register_plugin: the name " + quote(name) + " stands for the engine itself");
  }
  if (is_registered(name)) throw Error(ErrorCode::kValue, "plugin " + quote(name) + " is registered already");
  if (find(pending_, name)) {
    throw Error(ErrorCode::kValue, "plugin " + quote(name) + " is being registered already");
  }
  require_accepted_version(entry->info, VersionInfo::current());

  entries_.reserve(entries_.size() + pending_.size() + 1);  // so that the commit cannot fail
  pending_.push_back(entry);
  bool initialized = false;
  try {
    const BusyScope busy(entry->busy);
    entry->plugin->initialize(*this);
    initialized = true;
    // The lists grow before the tables do, so that what is added is always remembered.
    const auto ops = entry->plugin->custom_operations();
    entry->ops.reserve(ops.size());
    for (const auto& op : ops) entry->ops.push_back(ops_.add(op, name));
    const auto layers = entry->plugin->custom_layers();
    entry->layers.reserve(layers.size());
    for (const auto& layer : layers) entry->layers.push_back(layers_.add(layer, name));
  } catch (...) {
    if (initialized) {
      try {
        const BusyScope busy(entry->busy);
        entry->plugin->cleanup(*this);
      } catch (...) {
        // The error that ended the registration is the one to report.
      }
    }
    remove_contents(*entry);
    remove_entry(pending_, entry);
    throw;
  }
  remove_entry(pending_, entry);
  entries_.push_back(entry);
}

void PluginRegistry::unregister(std::string_view name) {
  const std::shared_ptr<Entry> entry = find(entries_, name);
  if (!entry && find(pending_, name)) {
    throw Error(ErrorCode::kValue, "unregister: plugin " + quote(name) + " is being registered");
  }
  if (!entry) {
    throw Error(ErrorCode::kValue, "unregister: no plugin " + quote(name) + " is registered");
  }
  if (entry->busy) {
    throw Error(ErrorCode::kValue, "unregister: a callback of plugin " + quote(name) + " is running");
  }
  const auto remove = [&] {
    // Out of the list first: what ends with an op may use the registry.
    remove_entry(entries_, entry);
    remove_contents(*entry);
  };
  try {
    const BusyScope busy(entry->busy);
    entry->plugin->cleanup(*this);
  } catch (...) {
    remove();
    throw;
  }
  remove();
}

bool PluginRegistry::is_registered(std::string_view name) const { return find(entries_, name) != nullptr; }

std::shared_ptr<Plugin> PluginRegistry::get_plugin(std::string_view name) const {
  if (const auto entry = find(entries_, name)) return entry->plugin;
  std::vector<std::string> known;
  for (const PluginInfo& info : list_plugins()) known.push_back(info.name);
  throw Error(ErrorCode::kKey,
              "get_plugin: no plugin " + quote(name) + " is registered; registered are: " + list_quoted(known));
}

std::vector<PluginInfo> PluginRegistry::list_plugins() const {
  std::vector<PluginInfo> infos;
  for (const auto& entry : entries_) infos.push_back(entry->info);
  return infos;
}

std::shared_ptr<PluginRegistry::Entry> PluginRegistry::find(const Entries& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const std::shared_ptr<Entry>& entry) { return entry->info.name == name; });
  return found == entries.end() ? nullptr : *found;
}

void PluginRegistry::remove_contents(Entry& entry) noexcept {
  // By number: the application may have removed an op before, and its name may be another's by now.
  for (const OpRegistry::Id id : std::exchange(entry.ops, {})) {
    if (const auto op = ops_.at(id)) ops_.remove(op->name, ops_.owner_of(op->name));
  }
  for (const LayerRegistry::Id id : std::exchange(entry.layers, {})) layers_.remove(id);
}

}  // namespace minitensor
