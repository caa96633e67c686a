#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace minitensor {

/// What an attribute of an op can hold: enumerator, number, name, C++ type. The order is that of AttributeValue.
/// The numbers are part of the plugin ABI (`mt_attribute_type` in sdk/plugin_api.h), so they never change.
#define MT_ATTRIBUTE_TYPES(X)          \
  X(kNumber, 1, "number", double)      \
  X(kString, 2, "string", std::string) \
  X(kBoolean, 3, "boolean", bool)      \
  X(kIntegers, 4, "integers", std::vector<std::int64_t>)

enum class AttributeType : std::int32_t {
#define MT_ATTRIBUTE_ENUMERATOR(name, number, text, type) name = number,
  MT_ATTRIBUTE_TYPES(MT_ATTRIBUTE_ENUMERATOR)
#undef MT_ATTRIBUTE_ENUMERATOR
};

using AttributeValue = std::variant<double, std::string, bool, std::vector<std::int64_t>>;

bool is_attribute_type_number(std::int32_t number) noexcept;
std::string_view attribute_type_name(AttributeType type) noexcept;
/// Throws kValue, quoting the name and listing the known ones.
AttributeType attribute_type_from_name(std::string_view name);
AttributeType attribute_type_of(const AttributeValue& value) noexcept;

/// One attribute that an op or a layer type declares.
struct AttributeSpec {
  std::string name;
  AttributeType type = AttributeType::kNumber;
  /// Without a default the caller must give the attribute.
  std::optional<AttributeValue> default_value;
};

/// Throws kValue, in the name of `subject`, for an empty or repeated name or a default of another type.
void check_attribute_specs(const std::vector<AttributeSpec>& specs, std::string_view subject);

/// Attributes as a caller gives them, in any order.
using NamedAttributes = std::vector<std::pair<std::string, AttributeValue>>;

/// The values of all declared attributes, in the order of declaration.
class Attributes {
 public:
  Attributes() = default;

  /// Matches what the caller gave with what is declared and fills in the defaults. Throws kValue, in the name of
  /// `subject`, for an unknown, repeated, ill-typed or missing attribute, and names it.
  static Attributes resolve(const std::vector<AttributeSpec>& specs, const NamedAttributes& given,
                            std::string_view subject);

  std::size_t size() const noexcept { return values_.size(); }
  const AttributeValue& operator[](std::size_t index) const { return values_[index]; }
  /// The value at the index of declaration. Requires (checked by the variant): it is declared with that type.
  double number(std::size_t index) const { return std::get<double>(values_[index]); }
  bool boolean(std::size_t index) const { return std::get<bool>(values_[index]); }
  const std::string& string(std::size_t index) const { return std::get<std::string>(values_[index]); }
  const std::vector<std::int64_t>& integers(std::size_t index) const {
    return std::get<std::vector<std::int64_t>>(values_[index]);
  }

 private:
  std::vector<AttributeValue> values_;
};

}  // namespace minitensor
