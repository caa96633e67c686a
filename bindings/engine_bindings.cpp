#include <emscripten/bind.h>

#include <utility>

#include "bindings/convert.h"
#include "bindings/guard.h"
#include "minitensor/tensor/storage.h"

namespace minitensor::bindings {

namespace {

using emscripten::val;

/// The noted error, which is noted no longer: { code, message, phase, plugin, symbols, hint, callbackError }.
val take_error() {
  const Error error = std::exchange(engine().error, std::nullopt).value();
  const ErrorDetails& details = error.details();
  val object = val::object();
  object.set("code", std::string(error_code_text(error.code())));
  object.set("message", error.message());
  object.set("phase", details.phase);
  object.set("plugin", details.plugin);
  object.set("symbols", to_javascript(details.symbols));
  object.set("hint", details.hint);
  object.set("callbackError", details.callback_error);
  return object;
}

/// The lists that js/ mirrors, so that a test can compare: { errors: { code: class }, dtypes: { name: number } }.
val describe_enums() {
  val errors = val::object();
#define MT_DESCRIBE_ERROR(name, number, text, js_class) errors.set(text, std::string(js_class));
  MT_ERROR_CODES(MT_DESCRIBE_ERROR)
#undef MT_DESCRIBE_ERROR
  val dtypes = val::object();
#define MT_DESCRIBE_DTYPE(name, number, text, type) dtypes.set(text, number);
  MT_DTYPES(MT_DESCRIBE_DTYPE)
#undef MT_DESCRIBE_DTYPE
  val result = val::object();
  result.set("errors", errors);
  result.set("dtypes", dtypes);
  return result;
}

/// What is alive: { tensors, bytes, layers, registries, ops, plugins }.
val count_live() {
  val object = val::object();
  object.set("tensors", engine().tensors.live());
  object.set("bytes", Storage::live_bytes());
  object.set("layers", engine().layers.live());
  object.set("registries", engine().registries.live());
  object.set("ops", engine().ops.list_custom().size());
  object.set("plugins", engine().loader.list_plugins().size());
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(engine) {
  emscripten::function("takeError", &take_error);
  emscripten::function("describeEnums", &describe_enums);
  emscripten::function("countLive", &count_live);
}

}  // namespace minitensor::bindings
