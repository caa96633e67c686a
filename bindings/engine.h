#pragma once

#include <memory>
#include <vector>

#include "bindings/handle_table.h"
#include "bindings/wire.h"
#include "minitensor/base/error.h"
#include "minitensor/loader/plugin_loader.h"
#include "minitensor/nn/custom_layer.h"
#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/op_registry.h"
#include "minitensor/plugin/plugin_registry.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor::bindings {

/// Everything of one instance. A WebAssembly instance has one engine, since every instance has a memory of its own.
struct Engine {
  Engine();

  OpRegistry ops;
  LayerRegistry layer_types;
  PluginLoader loader{ops, layer_types};
  HandleTable<Tensor> tensors;
  HandleTable<std::shared_ptr<CustomLayer>> layers;
  HandleTable<std::unique_ptr<PluginRegistry>> registries;

  /// What a JavaScript plugin's custom-operations callback has given so far.
  std::vector<std::shared_ptr<const Op>> staged_ops;
  /// The handles of what the last op gave that may have several outputs.
  std::vector<std::uint32_t> results;
};

Engine& engine();

/// The object behind a handle. Throws kDisposed, in the name of `kind` ("tensor", "layer", …).
template <typename T>
T& require(HandleTable<T>& table, std::uint32_t handle, const char* kind) {
  if (T* found = table.find(handle)) return *found;
  throw Error(ErrorCode::kDisposed, std::string("this ") + kind + " is disposed");
}

inline const Tensor& tensor_at(std::uint32_t handle) { return require(engine().tensors, handle, "tensor"); }

/// The tensors behind `handles`, as copies: they stay alive whatever the call does. A handle of 0 is an input that is
/// not given.
std::vector<Tensor> tensors_at(const std::uint32_t* handles, std::size_t count);
/// The same from a list of handles.
std::vector<Tensor> read_tensors(WireReader& in);

}  // namespace minitensor::bindings
