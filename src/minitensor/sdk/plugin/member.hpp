/// \file
/// Which members a class of the plugin's author has, and its attributes in the form of the ABI.
#ifndef MINITENSOR_SDK_PLUGIN_MEMBER_HPP
#define MINITENSOR_SDK_PLUGIN_MEMBER_HPP

#include <cstddef>
#include <type_traits>
#include <utility>

#include "minitensor/sdk/plugin/attribute.hpp"
#include "minitensor/sdk/plugin/values.hpp"
#include "minitensor/sdk/plugin_api.h"

/// Defines Has_<member><T>: whether the class T has a member of that name. Only the name is asked for, so that one
/// which is declared wrongly is an error of the compiler, and not taken for one that is left out. (The name is
/// ambiguous in a class that inherits it twice.)
#define MINITENSOR_SDK_MEMBER(member)           \
  struct Named_##member {                       \
    int member;                                 \
  };                                            \
  template <class T>                            \
  struct Twice_##member : T, Named_##member {}; \
  template <class T, class = void>              \
  struct Has_##member : std::true_type {};      \
  template <class T>                            \
  struct Has_##member<T, std::void_t<decltype(&Twice_##member<T>::member)>> : std::false_type {}

namespace minitensor::sdk::detail {

MINITENSOR_SDK_MEMBER(attributes);
MINITENSOR_SDK_MEMBER(forward);
MINITENSOR_SDK_MEMBER(summary);

template <class T, class Indices>
struct AttributeTable;
template <class T, std::size_t... I>
struct AttributeTable<T, std::index_sequence<I...>> {
  static constexpr mt_attribute_spec specs[] = {
      {sizeof(mt_attribute_spec), T::attributes[I].value.raw().type, to_mt_string(T::attributes[I].name),
       T::attributes[I].required ? nullptr : &T::attributes[I].value.raw()}...};
  static constexpr const mt_attribute_spec* pointers[] = {&specs[I]...};
};

/// The attributes that T declares.
template <class T>
constexpr Span<const Attribute> attributes_of() {
  if constexpr (Has_attributes<T>::value) {
    return {T::attributes, std::extent_v<decltype(T::attributes)>};
  } else {
    return {};
  }
}

/// The same in the form of the ABI.
template <class T>
constexpr const mt_attribute_spec* const* attribute_specs_of() {
  if constexpr (Has_attributes<T>::value) {
    return AttributeTable<T, std::make_index_sequence<std::extent_v<decltype(T::attributes)>>>::pointers;
  } else {
    return nullptr;
  }
}

}  // namespace minitensor::sdk::detail

#endif  // MINITENSOR_SDK_PLUGIN_MEMBER_HPP
