#pragma once

#include <span>

#include "bindings/wire.h"

namespace minitensor::bindings {

/// A function for JavaScript: it reads its arguments, all of them before it runs anything that may call back, and
/// writes at most one value. What it throws becomes the noted error.
struct Call {
  const char* name;
  void (*run)(WireReader& in, WireWriter& out);
};

/// What a program has; js/calls.js asks for the names once.
std::span<const std::span<const Call>> all_calls();

// One table a room.
std::span<const Call> engine_calls();
std::span<const Call> op_calls();
std::span<const Call> layer_calls();
std::span<const Call> plugin_calls();
std::span<const Call> loader_calls();

}  // namespace minitensor::bindings
