#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/nn/custom_layer.h"
#include "minitensor/ops/attributes.h"

namespace minitensor {

/// A kind of layer that can be created by name.
struct LayerType {
  using Create = std::function<std::shared_ptr<CustomLayer>(const Attributes& config)>;

  std::string name;
  std::string summary;                    ///< one line: what it computes; may be empty
  std::vector<AttributeSpec> attributes;  ///< what its configuration may contain
  Create create;
};

/// The one table of layer types, by name.
class LayerRegistry {
 public:
  /// A number that stands for one registration: never 0, and never given to another type later.
  using Id = std::uint32_t;

  /// Throws kValue for an incomplete type, and when the name is taken: the message names both owners.
  Id add(std::shared_ptr<const LayerType> type, std::string_view owner);
  /// Removes a type of `owner`. Throws kValue when there is none, or when it is another owner's.
  void remove(std::string_view name, std::string_view owner);
  /// Removes the type that was added with this number, if it is still there.
  void remove(Id id) noexcept;

  bool contains(std::string_view name) const { return entries_.find(name) != entries_.end(); }
  /// In alphabetical order.
  std::vector<std::string> list() const;
  /// Throws kValue for an unknown type, listing the known ones.
  std::shared_ptr<const LayerType> get(std::string_view name) const { return require(name).type; }
  const std::string& owner_of(std::string_view name) const { return require(name).owner; }
  /// Throws kValue for an unknown type (listing the known ones), a configuration the type does not declare, or when the
  /// type creates nothing, and whatever creating the layer throws.
  std::shared_ptr<CustomLayer> create(std::string_view name, const NamedAttributes& config) const;

 private:
  struct Entry {
    std::shared_ptr<const LayerType> type;
    std::string owner;
    Id id;
  };
  const Entry& require(std::string_view name) const;

  std::map<std::string, Entry, std::less<>> entries_;
  Id next_id_ = 1;
};

}  // namespace minitensor
