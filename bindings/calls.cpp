// The way of every function that is not on the hot path: one export for all, so that JavaScript and WebAssembly need no
// code of their own for each.

#include "bindings/calls.h"

#include <utility>

#include "bindings/guard.h"

namespace minitensor::bindings {

namespace {

// Room for short-lived arguments and results, so that an ordinary call needs no allocation.
alignas(16) std::byte scratch[4096];

std::vector<std::byte>& reply() {
  static std::vector<std::byte>& bytes = *new std::vector<std::byte>;
  return bytes;
}

template <typename Write>
void write_reply(Write write) {
  // Taken out meanwhile: what is called may lead to a call of its own.
  WireWriter out(std::exchange(reply(), {}));
  write(out);
  reply() = out.take();
}

void write_names(WireWriter& out) {
  out.list();
  for (const std::span<const Call> calls : all_calls()) {
    for (const Call& call : calls) out.text(call.name);
  }
  out.end();
}

const Call& call_at(std::size_t number) {
  for (const std::span<const Call> calls : all_calls()) {
    if (number < calls.size()) return calls[number];
    number -= calls.size();
  }
  throw Error(ErrorCode::kInternal, "no call has this number");
}

// { code, message, phase, plugin, symbols, hint, callbackError, and cause, another one, if there is one }
void write_error(WireWriter& out, const Error& error) {
  const ErrorDetails& details = error.details();
  out.object();
  out.field("code").text(error_code_text(error.code()));
  out.field("message").text(error.message());
  out.field("phase").text(details.phase);
  out.field("plugin").text(details.plugin);
  out.field("symbols").texts(details.symbols);
  out.field("hint").text(details.hint);
  out.field("callbackError").number(details.callback_error);
  if (details.cause) write_error(out.field("cause"), *details.cause);
  out.end();
}

}  // namespace

extern "C" {

std::byte* mt_scratch() { return scratch; }

std::size_t mt_scratch_size() { return sizeof scratch; }

/// Whether the last call noted an error that JavaScript has not taken yet.
int mt_error_pending() { return noted_error().has_value() ? 1 : 0; }

/// Has the reply be the noted error, which is noted no longer.
void mt_take_error() {
  const Error error = std::exchange(noted_error(), std::nullopt).value();
  write_reply([&](WireWriter& out) { write_error(out, error); });
}

/// Has the reply be the names of all calls, in the order of their numbers.
void mt_calls() { write_reply(write_names); }

/// Runs a call on the arguments at `bytes`, and has the reply be what it gives. 1 when done, 0 when an error is noted.
int mt_call(std::size_t number, const std::byte* bytes, std::size_t size) {
  return guard([&] {
    const Call& call = call_at(number);
    WireReader in({bytes, size});
    write_reply([&](WireWriter& out) { call.run(in, out); });
    return 1;
  });
}

/// The reply of the last call: values, or nothing.
const std::byte* mt_reply() { return reply().data(); }

std::size_t mt_reply_size() { return reply().size(); }

}  // extern "C"

}  // namespace minitensor::bindings
