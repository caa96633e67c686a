/// \file
/// Attributes: what an op or a layer type declares, and what a call of another op is given.
#ifndef MINITENSOR_SDK_PLUGIN_ATTRIBUTE_HPP
#define MINITENSOR_SDK_PLUGIN_ATTRIBUTE_HPP

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "minitensor/sdk/plugin/values.hpp"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor::sdk {

/// The value of an attribute: a number, a bool, a text or Integers. It points into the latter two.
class AttributeValue {
 public:
  template <class T>
  constexpr AttributeValue(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      raw_.type = MT_BOOLEAN;
      raw_.boolean = value ? 1 : 0;
    } else if constexpr (std::is_arithmetic_v<T>) {
      raw_.type = MT_NUMBER;
      raw_.number = static_cast<double>(value);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      raw_.type = MT_TEXT;
      raw_.text = to_mt_string(value);
    } else {
      const Integers integers = value;
      raw_.type = MT_INTEGERS;
      raw_.integers = integers.data();
      raw_.integer_count = static_cast<std::uint32_t>(integers.size());
    }
  }

  constexpr const mt_attribute& raw() const { return raw_; }

 private:
  mt_attribute raw_ = {sizeof(mt_attribute), MT_NUMBER, 0, {nullptr, 0}, nullptr, 0, 0};
};

/// An attribute that an op or a layer type declares. Made by number, text, boolean and integers.
struct Attribute {
  std::string_view name;
  AttributeValue value;  ///< of the declared type; the default, unless `required`
  bool required;         ///< the caller must give it
};

/// Declares a number: `number("epsilon", 1e-5)`. Without a default, the caller must give it.
constexpr Attribute number(std::string_view name, double value) { return {name, value, false}; }
constexpr Attribute number(std::string_view name) { return {name, 0, true}; }

/// Declares a text. Without a default, the caller must give it.
constexpr Attribute text(std::string_view name, std::string_view value) { return {name, value, false}; }
constexpr Attribute text(std::string_view name) { return {name, "", true}; }

/// Declares a boolean. Without a default, the caller must give it.
constexpr Attribute boolean(std::string_view name, bool value) { return {name, value, false}; }
constexpr Attribute boolean(std::string_view name) { return {name, false, true}; }

/// Declares a list of integers. The default must have static storage. Without a default, the caller must give it.
constexpr Attribute integers(std::string_view name, Integers value) { return {name, value, false}; }
constexpr Attribute integers(std::string_view name) { return {name, Integers(), true}; }

/// The name and the value of an attribute, for Host::call_op: {"axis", 1}.
struct Argument {
  template <class T>
  constexpr Argument(std::string_view argument_name, const T& argument_value)
      : name(argument_name), value(argument_value) {}

  std::string_view name;
  AttributeValue value;
};

}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_ATTRIBUTE_HPP
