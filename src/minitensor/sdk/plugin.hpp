/// \file
/// C++ over the plugin ABI of plugin_api.h. Header-only, C++17 or newer, with or without exceptions and RTTI.
///
/// An op is a class with static members, and so is a layer type; a plugin is a class that lists them:
///
///     namespace mt = minitensor::sdk;
///
///     MT_PLUGIN_METADATA(kInfo, "scale", "1.0.0", "Multiplies by a number", "Ada", "0.1.0", "", "", "scale", "")
///
///     struct Scale {
///       static constexpr auto name = "scale";
///       static constexpr int input_count = 1;
///       static constexpr mt::Attribute attributes[] = {mt::number("by", 2)};
///
///       template <class T>  // float or double: the dtype of the first input
///       static void forward(const mt::OpCall& call) {
///         const auto by = static_cast<T>(call.number("by"));
///         const T* x = call.input(0).data<T>();
///         for (T& y : call.output().elements<T>()) y = by * *x++;
///       }
///     };
///
///     struct ScalePlugin {
///       static const mt_plugin_info& info() { return kInfo; }
///       static mt::OpList custom_operations() { return mt::ops<Scale>; }
///     };
///
///     MINITENSOR_PLUGIN(ScalePlugin)
///
/// What an op or a layer type may have stands at ops and layers (plugin/op.hpp, plugin/layer.hpp), what a plugin may
/// have at MINITENSOR_PLUGIN, and what the host offers at Host (plugin/call.hpp).
///
/// All of it lives inside the plugin: the host sees the structs of C only. An exception that leaves the plugin's code
/// ends as the error of that call, with what() as its message. Without exceptions, nothing here needs the C++ library
/// at run time.
#ifndef MINITENSOR_SDK_PLUGIN_HPP
#define MINITENSOR_SDK_PLUGIN_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>
#include <type_traits>

#include "minitensor/sdk/plugin/call.hpp"
#include "minitensor/sdk/plugin/guard.hpp"
#include "minitensor/sdk/plugin/layer.hpp"
#include "minitensor/sdk/plugin/member.hpp"
#include "minitensor/sdk/plugin/op.hpp"
#include "minitensor/sdk/plugin_api.h"

/// MINITENSOR_PLUGIN(Class) defines create_plugin, the one export of a plugin. Use it once, at file scope. The members
/// of the class, static or not, are
///   info()                       a reference to what MT_PLUGIN_METADATA defined; static, required
///   custom_operations()          returns an OpList: ops<...>
///   custom_layers()              returns a LayerList: layers<...>
///   initialize(const Registry&)  called when the plugin has been created; returns Status or void
///   cleanup(const Host&)         called before it is unloaded, unless initialize failed; returns Status or void
/// One object of the class lives from create_plugin until the plugin is unloaded; the functions of its ops and layers
/// reach it by call.plugin<Class>(). A class without data members gets no such object, and the plugin then allocates
/// nothing.
#define MINITENSOR_PLUGIN(Class)                                                             \
  mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {     \
    return ::minitensor::sdk::detail::PluginFunctions<Class>::create(host, context, plugin); \
  }

namespace minitensor::sdk {

/// What a plugin's initialize is given: the host, and the way to add ops and layer types beside the listed ones.
class Registry : public Host {
 public:
  using Host::Host;

  template <class Op>
  Status register_op() const {
    return Status(raw_host()->register_op(raw_context(), &detail::kOp<Op>));
  }
  template <class Layer>
  Status register_layer() const {
    return Status(raw_host()->register_layer_type(raw_context(), &detail::kLayerType<Layer>));
  }
};

namespace detail {

MINITENSOR_SDK_MEMBER(initialize);
MINITENSOR_SDK_MEMBER(cleanup);
MINITENSOR_SDK_MEMBER(custom_operations);
MINITENSOR_SDK_MEMBER(custom_layers);

/// The functions of a plugin as the ABI calls them.
template <class Plugin>
struct PluginFunctions {
  static constexpr bool kHasState = !std::is_empty_v<Plugin> || !std::is_trivially_destructible_v<Plugin>;
  static_assert(alignof(Plugin) <= alignof(std::max_align_t), "the object of a plugin is allocated by malloc");

  static mt_status create(const mt_host* raw_host, mt_context* context, mt_plugin* raw) {
    const Host host(raw_host, context);
    if (raw->abi_version != MT_PLUGIN_ABI_VERSION) {
      const Status error = host.error(ErrorCode::kPlugin, "made for plugin ABI ", MT_PLUGIN_ABI_VERSION,
                                      ", but the host has ", raw->abi_version);
      return error.code();
    }
    if constexpr (kHasState) {
      void* memory = std::malloc(sizeof(Plugin));
      if (!memory) return host.error(ErrorCode::kMemory, "out of memory").code();
      const Status status = guard(host, [&] { raw->state = ::new (memory) Plugin(); });
      if (!status.ok()) {
        std::free(memory);
        return status.code();
      }
      raw->destroy = destroy;
    }
    raw->info = &Plugin::info();
    if constexpr (Has_initialize<Plugin>::value) raw->initialize = initialize;
    if constexpr (Has_cleanup<Plugin>::value) raw->cleanup = cleanup;
    const mt_status status = run(host, raw->state, [&]([[maybe_unused]] Plugin& plugin) {
      if constexpr (Has_custom_operations<Plugin>::value) {
        const OpList list = plugin.custom_operations();
        raw->op_count = static_cast<std::uint32_t>(list.size());
        raw->ops = list.data();
      }
      if constexpr (Has_custom_layers<Plugin>::value) {
        const LayerList list = plugin.custom_layers();
        raw->layer_type_count = static_cast<std::uint32_t>(list.size());
        raw->layer_types = list.data();
      }
    });
    // Of a plugin that was not created, the host calls nothing more.
    if constexpr (kHasState) {
      if (status != MT_OK) destroy(raw->state);
    }
    return status;
  }

 private:
  template <class Body>
  static mt_status run(const Host& host, [[maybe_unused]] void* state, const Body& body) {
    const Status status = guard(host, [&] {
      if constexpr (kHasState) {
        return body(*static_cast<Plugin*>(state));
      } else {
        Plugin plugin;
        return body(plugin);
      }
    });
    return status.code();
  }

  static mt_status initialize(const mt_host* host, mt_context* context, void* state) {
    const Registry registry(host, context);
    return run(registry, state, [&](Plugin& plugin) { return plugin.initialize(registry); });
  }

  static mt_status cleanup(const mt_host* raw_host, mt_context* context, void* state) {
    const Host host(raw_host, context);
    return run(host, state, [&](Plugin& plugin) { return plugin.cleanup(host); });
  }

  static void destroy(void* state) {
    static_cast<Plugin*>(state)->~Plugin();
    std::free(state);
  }
};

}  // namespace detail
}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_HPP
