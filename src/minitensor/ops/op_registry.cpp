#include "minitensor/ops/op_registry.h"

#include <algorithm>
#include <utility>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

OpRegistry::Id OpRegistry::add(std::shared_ptr<const Op> op, std::string_view owner) {
  if (!op || op->name.empty() || (!op->forward && !op->forward_many)) {
    throw Error(ErrorCode::kValue, "an op needs a name and a forward function");
  }
  check_attribute_specs(op->attributes, "op " + quote(op->name));
  if (contains(op->name)) {
    throw Error(ErrorCode::kValue, "op " + quote(op->name) + " of " + describe_owner(owner) +
                                       " is registered already, by " + describe_owner(owner_of(op->name)));
  }
  const Id id = next_id_;
  const auto name = ids_.emplace(op->name, id).first;
  try {
    entries_.push_back({id, std::move(op), std::string(owner)});
  } catch (...) {
    ids_.erase(name);
    throw;
  }
  ++next_id_;
  return id;
}

void OpRegistry::remove(std::string_view name, std::string_view owner) {
  const Entry& entry = require(name);
  if (entry.owner != owner) {
    throw Error(ErrorCode::kValue, "op " + quote(name) + " belongs to " + describe_owner(entry.owner) + ", not to " +
                                       describe_owner(owner));
  }
  ids_.erase(ids_.find(name));
  const auto place = entries_.begin() + (&entry - entries_.data());
  // Taken out before it is destroyed: the op's functions may own what comes back here.
  const Entry dying = std::move(*place);
  entries_.erase(place);
}

void OpRegistry::remove_custom(std::string_view name) {
  const std::string owner = owner_of(name);
  if (owner == kEngineOwner) {
    throw Error(ErrorCode::kValue, "op " + quote(name) + " belongs to the engine and cannot be removed");
  }
  remove(name, owner);
}

bool OpRegistry::contains(std::string_view name) const { return ids_.find(name) != ids_.end(); }

std::vector<std::string> OpRegistry::list_custom() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.owner != kEngineOwner) names.push_back(entry.op->name);
  }
  return names;
}

std::vector<std::shared_ptr<const Op>> OpRegistry::all() const {
  std::vector<std::shared_ptr<const Op>> ops;
  for (const Entry& entry : entries_) ops.push_back(entry.op);
  return ops;
}

const OpRegistry::Entry* OpRegistry::entry_at(Id id) const {
  // Its number says where it stands when no op before it was removed, as of the engine's, or none after it.
  const std::size_t size = entries_.size();
  for (const std::size_t place : {std::size_t{id} - 1, size - (next_id_ - id)}) {
    if (place < size && entries_[place].id == id) return &entries_[place];
  }
  const auto entry = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
  return entry == entries_.end() || entry->id != id ? nullptr : &*entry;
}

const OpRegistry::Entry& OpRegistry::require(std::string_view name) const {
  if (const Entry* entry = entry_at(find(name))) return *entry;
  throw Error(ErrorCode::kValue,
              "no op " + quote(name) + " is registered; custom ops are: " + list_quoted(list_custom()));
}

std::shared_ptr<const Op> OpRegistry::get(std::string_view name) const { return require(name).op; }

OpRegistry::Id OpRegistry::find(std::string_view name) const {
  const auto id = ids_.find(name);
  return id == ids_.end() ? 0 : id->second;
}

std::shared_ptr<const Op> OpRegistry::at(Id id) const {
  const Entry* entry = entry_at(id);
  return entry == nullptr ? nullptr : entry->op;
}

const std::string& OpRegistry::owner_of(std::string_view name) const { return require(name).owner; }

Tensor OpRegistry::execute(std::string_view name, std::span<const Tensor> inputs,
                           const NamedAttributes& attributes) const {
  const std::shared_ptr<const Op> op = get(name);
  return run_op(*op, inputs, attributes);
}

}  // namespace minitensor
