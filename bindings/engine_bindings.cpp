#include "bindings/calls.h"
#include "bindings/engine.h"
#include "minitensor/tensor/storage.h"

namespace minitensor::bindings {

namespace {

/// What is alive: { tensors, bytes, layers, registries, ops, plugins }.
void count_live(WireReader&, WireWriter& out) {
  const auto write_count = [&](const char* name, std::size_t count) {
    out.field(name).number(static_cast<double>(count));
  };
  out.object();
  write_count("tensors", engine().tensors.live());
  write_count("bytes", Storage::live_bytes());
  write_count("layers", engine().layers.live());
  write_count("registries", engine().registries.live());
  write_count("ops", engine().ops.list_custom().size());
  write_count("plugins", engine().loader.list_plugins().size());
  out.end();
}

}  // namespace

std::span<const Call> engine_calls() {
  static constexpr Call kCalls[] = {{"countLive", count_live}};
  return kCalls;
}

}  // namespace minitensor::bindings
