#include "minitensor/nn/layer_registry.h"

#include <algorithm>

#include "minitensor/base/error.h"
#include "minitensor/base/owner.h"
#include "minitensor/base/text.h"

namespace minitensor {

LayerRegistry::Id LayerRegistry::add(std::shared_ptr<const LayerType> type, std::string_view owner) {
  if (!type || type->name.empty() || !type->create) {
    throw Error(ErrorCode::kValue, "a layer type needs a name and a create function");
  }
  const auto existing = entries_.find(type->name);
  if (existing != entries_.end()) {
    throw Error(ErrorCode::kValue, "layer type " + quote(type->name) + " of " + describe_owner(owner) +
                                       " is registered already, by " + describe_owner(existing->second.owner));
  }
  check_attribute_specs(type->attributes, "layer type " + quote(type->name));
  const std::string name = type->name;
  entries_.emplace(name, Entry{std::move(type), std::string(owner), next_id_});
  return next_id_++;
}

void LayerRegistry::remove(std::string_view name, std::string_view owner) {
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) {
    throw Error(ErrorCode::kValue, "no layer type " + quote(name) + " is registered");
  }
  if (entry->second.owner != owner) {
    throw Error(ErrorCode::kValue, "layer type " + quote(name) + " belongs to " + describe_owner(entry->second.owner) +
                                       ", not to " + describe_owner(owner));
  }
  // Taken out before it is destroyed: its functions may own what comes back here.
  const auto dying = entries_.extract(entry);
}

void LayerRegistry::remove(Id id) noexcept {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.second.id == id; });
  if (entry != entries_.end()) const auto dying = entries_.extract(entry);
}

std::vector<std::string> LayerRegistry::list() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

const LayerRegistry::Entry& LayerRegistry::require(std::string_view name) const {
  const auto entry = entries_.find(name);
  if (entry != entries_.end()) return entry->second;
  throw Error(ErrorCode::kValue, "no layer type " + quote(name) + " is registered; known are: " + list_quoted(list()));
}

std::shared_ptr<CustomLayer> LayerRegistry::create(std::string_view name, const NamedAttributes& config) const {
  const std::shared_ptr<const LayerType> type = get(name);
  std::shared_ptr<CustomLayer> layer = type->create(Attributes::resolve(type->attributes, config, type->name));
  if (!layer) throw Error(ErrorCode::kValue, "layer type " + quote(name) + " created no layer");
  return layer;
}

}  // namespace minitensor
