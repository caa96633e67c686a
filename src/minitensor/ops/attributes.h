#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "minitensor/tensor/dtype.h"

namespace minitensor {

/// What an attribute can be declared as: enumerator, number, name. The first four are the types of values that callers
/// give, in the order of AttributeValue; their numbers are part of the plugin ABI (`mt_attribute_type` in
/// sdk/plugin_api.h), so they never change. An `integer` is given as a number, a `dtype` as the string of its name.
#define MT_ATTRIBUTE_TYPES(X) \
  X(kNumber, 1, "number")     \
  X(kString, 2, "string")     \
  X(kBoolean, 3, "boolean")   \
  X(kIntegers, 4, "integers") \
  X(kInteger, 5, "integer")   \
  X(kDType, 6, "dtype")

enum class AttributeType : std::int32_t {
#define MT_ATTRIBUTE_ENUMERATOR(name, number, text) name = number,
  MT_ATTRIBUTE_TYPES(MT_ATTRIBUTE_ENUMERATOR)
#undef MT_ATTRIBUTE_ENUMERATOR
};

/// The last alternative stands for an optional attribute that is not given.
using AttributeValue = std::variant<double, std::string, bool, std::vector<std::int64_t>, std::monostate>;

/// Whether `number` is a type of values: one of the first four.
bool is_attribute_type_number(std::int32_t number) noexcept;
std::string_view attribute_type_name(AttributeType type) noexcept;
/// Throws kValue, quoting the name and listing the known ones.
AttributeType attribute_type_from_name(std::string_view name);
/// The type of a value that is given.
AttributeType attribute_type_of(const AttributeValue& value) noexcept;

/// One attribute that an op or a layer type declares.
struct AttributeSpec {
  std::string name;
  AttributeType type = AttributeType::kNumber;
  /// Without a default the caller must give the attribute, unless it is optional.
  std::optional<AttributeValue> default_value;
  bool is_optional = false;
};

/// Throws kValue, in the name of `subject`, for an empty or repeated name or a default of another type.
void check_attribute_specs(const std::vector<AttributeSpec>& specs, std::string_view subject);

/// Attributes as a caller gives them, in any order.
using NamedAttributes = std::vector<std::pair<std::string, AttributeValue>>;

/// The values of all declared attributes, in the order of declaration.
class Attributes {
 public:
  Attributes() = default;

  /// Matches what the caller gave with what is declared and fills in the defaults. A number is taken for `integers`,
  /// too. Throws kValue, in the name of `subject`, for an unknown, repeated, ill-typed or missing attribute, and names
  /// it.
  static Attributes resolve(const std::vector<AttributeSpec>& specs, const NamedAttributes& given,
                            std::string_view subject);

  std::size_t size() const noexcept { return values_.size(); }
  const AttributeValue& operator[](std::size_t index) const { return values_[index]; }
  /// The value at the index of declaration. Requires (checked by the variant): it is declared with that type.
  double number(std::size_t index) const { return std::get<double>(values_[index]); }
  std::int64_t integer(std::size_t index) const { return static_cast<std::int64_t>(number(index)); }
  DType dtype(std::size_t index) const { return static_cast<DType>(static_cast<std::int32_t>(number(index))); }
  /// Whether an optional attribute is given.
  bool has(std::size_t index) const { return !std::holds_alternative<std::monostate>(values_[index]); }
  bool boolean(std::size_t index) const { return std::get<bool>(values_[index]); }
  const std::string& string(std::size_t index) const { return std::get<std::string>(values_[index]); }
  const std::vector<std::int64_t>& integers(std::size_t index) const {
    return std::get<std::vector<std::int64_t>>(values_[index]);
  }

 private:
  std::vector<AttributeValue> values_;
};

}  // namespace minitensor
