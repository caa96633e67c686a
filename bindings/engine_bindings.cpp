#include "bindings/calls.h"
#include "bindings/engine.h"
#include "minitensor/tensor/storage.h"

namespace minitensor::bindings {

namespace {

/// The lists that js/ mirrors, so that a test can compare: { errors: { code: class }, dtypes: { name: number } }.
void describe_enums(WireReader&, WireWriter& out) {
  out.object();
  out.field("errors").object();
#define MT_DESCRIBE_ERROR(name, value, code, js_class) out.field(code).text(js_class);
  MT_ERROR_CODES(MT_DESCRIBE_ERROR)
#undef MT_DESCRIBE_ERROR
  out.end();
  out.field("dtypes").object();
#define MT_DESCRIBE_DTYPE(name, value, key, type) out.field(key).number(value);
  MT_DTYPES(MT_DESCRIBE_DTYPE)
#undef MT_DESCRIBE_DTYPE
  out.end();
  out.end();
}

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
  static constexpr Call kCalls[] = {{"describeEnums", describe_enums}, {"countLive", count_live}};
  return kCalls;
}

}  // namespace minitensor::bindings
