#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/base/owner.h"
#include "minitensor/ops/op.h"

namespace minitensor {

/// The one table of operations, by name. Whoever executes an op cannot tell where it came from.
class OpRegistry {
 public:
  /// A number that stands for one registration: never 0, and never given to another op later.
  using Id = std::uint32_t;

  /// Adds `op` for `owner` (kEngineOwner, the name of a plugin, or empty for the application itself).
  /// Throws kValue when the op has no name or no forward, when its attributes are not well declared, or when the name
  /// is taken: the message names both owners then.
  Id add(std::shared_ptr<const Op> op, std::string_view owner);
  /// Removes an op of `owner`. Throws kValue when there is none of that name, or when it is another owner's.
  void remove(std::string_view name, std::string_view owner);
  /// Removes the application's or a plugin's op, whoever owns it. Throws kValue when there is none, or when it is
  /// the engine's.
  void remove_custom(std::string_view name);

  bool contains(std::string_view name) const;
  /// The names of all ops that are not the engine's, in order of registration.
  std::vector<std::string> list_custom() const;
  /// All ops, in order of registration.
  std::vector<std::shared_ptr<const Op>> all() const;
  /// Throws kValue, listing the known custom ops.
  std::shared_ptr<const Op> get(std::string_view name) const;
  /// The number of the op of this name, 0 when there is none.
  Id find(std::string_view name) const;
  /// Null when there is no such op any more.
  std::shared_ptr<const Op> at(Id id) const;
  /// Throws kValue when there is none of that name.
  const std::string& owner_of(std::string_view name) const;
  std::size_t size() const { return entries_.size(); }

  /// get(name), then run_op. An op that unregisters itself while it runs stays alive until it returns.
  Tensor execute(std::string_view name, std::span<const Tensor> inputs, const NamedAttributes& attributes = {}) const;

 private:
  struct Entry {
    Id id;
    std::shared_ptr<const Op> op;
    std::string owner;
  };

  /// Null when there is no such op any more.
  const Entry* entry_at(Id id) const;
  const Entry& require(std::string_view name) const;

  std::vector<Entry> entries_;  // in order of registration; ids grow
  std::map<std::string, Id, std::less<>> ids_;
  Id next_id_ = 1;
};

}  // namespace minitensor
