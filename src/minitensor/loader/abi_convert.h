#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "minitensor/ops/attributes.h"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor {

/// Throws kPlugin for bytes outside of memory: a damaged plugin may give any pointer. Natively nobody can tell.
void require_in_memory(const void* data, std::uint64_t size);

/// A struct that a plugin made, with everything beyond the size it knows set to zero. Throws as require_in_memory.
template <typename T>
T read_abi_struct(const T* source) {
  T copy{};
  require_in_memory(source, sizeof source->struct_size);
  require_in_memory(source, source->struct_size);
  std::memcpy(static_cast<void*>(&copy), source, std::min<std::size_t>(source->struct_size, sizeof(T)));
  return copy;
}

/// Empty when the text has no data. Throws as require_in_memory.
std::string_view view_of(mt_string text);
inline mt_string mt_string_of(std::string_view text) { return {text.data(), static_cast<std::uint32_t>(text.size())}; }

/// The value that `attribute` holds. Throws kValue, in the name of `subject`, for NULL and for an unknown type.
AttributeValue attribute_from_abi(const mt_attribute* attribute, std::string_view subject);

/// The declarations of an op or a layer type. Throws kValue as check_attribute_specs does.
std::vector<AttributeSpec> attribute_specs_from_abi(const mt_attribute_spec* const* specs, std::uint32_t count,
                                                    std::string_view subject);

/// Attributes in the form in which a plugin is given them. Refers to the Attributes, which must outlive it.
class AbiAttributes {
 public:
  explicit AbiAttributes(const Attributes& attributes) : count_(static_cast<std::uint32_t>(attributes.size())) {
    if (count_ > 0) convert(attributes);
  }
  AbiAttributes(const AbiAttributes&) = delete;
  AbiAttributes& operator=(const AbiAttributes&) = delete;

  std::uint32_t count() const noexcept { return count_; }
  const mt_attribute* const* data() const noexcept { return count_ > kFew ? pointers_.data() : few_pointers_.data(); }

 private:
  void convert(const Attributes& attributes);

  // Most ops have no more than these; what is allocated for a call is most of what a small one costs.
  static constexpr std::size_t kFew = 4;

  std::uint32_t count_;
  std::array<mt_attribute, kFew> few_;
  std::array<const mt_attribute*, kFew> few_pointers_;
  std::vector<mt_attribute> values_;
  std::vector<const mt_attribute*> pointers_;
};

}  // namespace minitensor
