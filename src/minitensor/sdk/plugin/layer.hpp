/// \file
/// Layer types, from classes to the structs of the ABI.
#ifndef MINITENSOR_SDK_PLUGIN_LAYER_HPP
#define MINITENSOR_SDK_PLUGIN_LAYER_HPP

#include <cstdint>

#include "minitensor/sdk/plugin/call.hpp"
#include "minitensor/sdk/plugin/guard.hpp"
#include "minitensor/sdk/plugin/member.hpp"
#include "minitensor/sdk/plugin/values.hpp"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor::sdk {
namespace detail {

MINITENSOR_SDK_MEMBER(create);

/// The functions of a layer type as the ABI calls them.
template <class Layer>
struct LayerFunctions {
  static mt_status create(const mt_layer_call* raw) {
    return run(raw, [](const LayerCall& call) { return Layer::create(call); });
  }

  static mt_status forward(const mt_layer_call* raw, const mt_tensor** output) {
    return run(raw, [&](const LayerCall& call) {
      const Result<TensorView> result = Layer::forward(call);
      if (result) *output = *result;
      return result.status();
    });
  }

 private:
  template <class Body>
  static mt_status run(const mt_layer_call* raw, const Body& body) {
    const LayerCall call(*raw, attributes_of<Layer>());
    return call.end(guard(call, [&] { return body(call); })).code();
  }
};

template <class Layer>
constexpr mt_layer_type make_layer_type() {
  static_assert(Has_forward<Layer>::value, "a layer type needs forward(const LayerCall&)");
  mt_layer_type type = {};
  type.struct_size = sizeof(mt_layer_type);
  type.attribute_count = static_cast<std::uint32_t>(attributes_of<Layer>().size());
  type.name = to_mt_string(Layer::name);
  type.attributes = attribute_specs_of<Layer>();
  if constexpr (Has_create<Layer>::value) type.create = LayerFunctions<Layer>::create;
  type.forward = LayerFunctions<Layer>::forward;
  if constexpr (Has_summary<Layer>::value) type.summary = to_mt_string(Layer::summary);
  return type;
}

template <class Layer>
inline constexpr mt_layer_type kLayerType = make_layer_type<Layer>();
template <class... Layer>
inline constexpr const mt_layer_type* kLayerTypes[] = {&kLayerType<Layer>...};

}  // namespace detail

/// A list of layer types, as a plugin's custom_layers returns it.
using LayerList = Span<const mt_layer_type* const>;

/// The layer types made of these classes. The members of such a class, all static, are
///   name                       a constant; required
///   summary                    a constant: one line that says what the layer computes
///   attributes                 a constant array of Attribute: the configuration of a layer
///   create(const LayerCall&)   adds the parameters of a new layer; returns Status or void
///   forward(const LayerCall&)  returns a Result<TensorView>; required
/// The class must not be final.
template <class... Layer>
inline constexpr LayerList layers{detail::kLayerTypes<Layer...>, sizeof...(Layer)};

}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_LAYER_HPP
