#include "bindings/engine.h"

#include "bindings/calls.h"
#include "minitensor/ops/builtin_ops.h"

// In callbacks.js.
extern "C" void mt_plugin_log(const char* plugin, std::size_t plugin_size, const char* message,
                              std::size_t message_size);

namespace minitensor::bindings {

Engine::Engine() {
  register_builtin_ops(ops);
  loader.set_log([](std::string_view plugin, std::string_view message) {
    mt_plugin_log(plugin.data(), plugin.size(), message.data(), message.size());
  });
}

Engine& engine() {
  // Never destroyed: handles may be released by JavaScript's collector at any time, even while the page goes away.
  static Engine& instance = *new Engine;
  return instance;
}

std::vector<Tensor> tensors_at(const std::uint32_t* handles, std::size_t count) {
  std::vector<Tensor> tensors;
  tensors.reserve(count);
  for (std::size_t i = 0; i < count; ++i) tensors.push_back(handles[i] == 0 ? Tensor() : tensor_at(handles[i]));
  return tensors;
}

std::vector<Tensor> read_tensors(WireReader& in) {
  std::vector<std::uint32_t> handles;
  for (in.list(); in.more();) handles.push_back(in.handle());
  return tensors_at(handles.data(), handles.size());
}

std::span<const std::span<const Call>> all_calls() {
  static const std::span<const Call> tables[] = {engine_calls(), op_calls(), layer_calls(), plugin_calls(),
                                                 loader_calls()};
  return tables;
}

}  // namespace minitensor::bindings
