#include "minitensor/ops/attributes.h"

#include <algorithm>
#include <cmath>

#include "minitensor/base/error.h"
#include "minitensor/base/number_text.h"
#include "minitensor/base/text.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

constexpr AttributeType kAll[] = {
#define MT_ATTRIBUTE_ENTRY(name, number, text) AttributeType::name,
    MT_ATTRIBUTE_TYPES(MT_ATTRIBUTE_ENTRY)
#undef MT_ATTRIBUTE_ENTRY
};

[[noreturn]] void fail(std::string_view subject, const std::string& name, const char* what) {
  throw_error(ErrorCode::kValue, {subject, ": attribute ", quote(name), what});
}

constexpr std::size_t kValueTypes = std::variant_size_v<AttributeValue> - 1;

constexpr double kLargestSafeInteger = 9007199254740991;  // 2^53 - 1: beyond it numbers are not all integers

[[noreturn]] void throw_type(const AttributeSpec& spec, const AttributeValue& value, std::string_view subject,
                             std::string_view role) {
  const auto* number = std::get_if<double>(&value);
  throw_error(
      ErrorCode::kValue,
      {subject, ": ", role, " ", quote(spec.name), " must be of type ", attribute_type_name(spec.type), ", not ",
       attribute_type_name(attribute_type_of(value)), number ? " " : "", number ? number_text(*number) : ""});
}

// The value as the declared type holds it: an integer and the number of a dtype are kept as numbers.
AttributeValue converted(const AttributeSpec& spec, const AttributeValue& value, std::string_view subject,
                         std::string_view role) {
  const auto* number = std::get_if<double>(&value);
  const bool is_integer =
      number != nullptr && std::abs(*number) <= kLargestSafeInteger && *number == std::trunc(*number);
  if (spec.type == AttributeType::kInteger && is_integer) return value;
  if (spec.type == AttributeType::kIntegers && is_integer) return std::vector{static_cast<std::int64_t>(*number)};
  if (spec.type == AttributeType::kDType && std::holds_alternative<std::string>(value)) {
    try {
      return static_cast<double>(dtype_from_name(std::get<std::string>(value)));
    } catch (const Error& error) {
      throw_error(error.code(), {subject, ": ", error.what()});
    }
  }
  if (attribute_type_of(value) != spec.type) throw_type(spec, value, subject, role);
  return value;
}

std::string list_names(const std::vector<AttributeSpec>& specs) {
  std::vector<std::string> names;
  for (const AttributeSpec& spec : specs) names.push_back(spec.name);
  return list_quoted(names);
}

}  // namespace

bool is_attribute_type_number(std::int32_t number) noexcept {
  return number >= 1 && number <= static_cast<std::int32_t>(kValueTypes);
}

std::string_view attribute_type_name(AttributeType type) noexcept {
  switch (type) {
#define MT_ATTRIBUTE_NAME(name, number, text) \
  case AttributeType::name:                   \
    return text;
    MT_ATTRIBUTE_TYPES(MT_ATTRIBUTE_NAME)
#undef MT_ATTRIBUTE_NAME
  }
  return "unknown";
}

AttributeType attribute_type_from_name(std::string_view name) {
  std::vector<std::string> known;
  for (const AttributeType type : kAll) {
    if (attribute_type_name(type) == name) return type;
    known.emplace_back(attribute_type_name(type));
  }
  throw Error(ErrorCode::kValue, "unknown attribute type " + quote(name) + "; known are: " + join(known, ", "));
}

AttributeType attribute_type_of(const AttributeValue& value) noexcept { return kAll[value.index()]; }

void check_attribute_specs(const std::vector<AttributeSpec>& specs, std::string_view subject) {
  for (auto spec = specs.begin(); spec != specs.end(); ++spec) {
    if (spec->name.empty()) throw_error(ErrorCode::kValue, {subject, ": an attribute has no name"});
    const bool repeated =
        std::any_of(specs.begin(), spec, [&](const AttributeSpec& before) { return before.name == spec->name; });
    if (repeated) fail(subject, spec->name, " is declared twice");
    if (spec->default_value) converted(*spec, *spec->default_value, subject, "the default of attribute");
  }
}

Attributes Attributes::resolve(const std::vector<AttributeSpec>& specs, const NamedAttributes& given,
                               std::string_view subject) {
  std::vector<const AttributeValue*> found(specs.size(), nullptr);
  for (const auto& [name, value] : given) {
    const auto spec =
        std::find_if(specs.begin(), specs.end(), [&wanted = name](const AttributeSpec& s) { return s.name == wanted; });
    if (spec == specs.end()) {
      throw_error(ErrorCode::kValue,
                  {subject, ": unknown attribute ", quote(name), "; declared are: ", list_names(specs)});
    }
    const AttributeValue*& place = found[static_cast<std::size_t>(spec - specs.begin())];
    if (place != nullptr) fail(subject, name, " is given twice");
    place = &value;
  }
  Attributes result;
  result.values_.reserve(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const AttributeSpec& spec = specs[i];
    if (found[i] != nullptr) {
      result.values_.push_back(converted(spec, *found[i], subject, "attribute"));
    } else if (spec.default_value) {
      result.values_.push_back(converted(spec, *spec.default_value, subject, "the default of attribute"));
    } else if (spec.is_optional) {
      result.values_.emplace_back(std::monostate{});
    } else {
      fail(subject, spec.name, " is required");
    }
  }
  return result;
}

}  // namespace minitensor
