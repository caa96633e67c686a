#pragma once

#include "minitensor/ops/op_registry.h"

namespace minitensor {

/// Adds the engine's own ops: the one table that describes each of them. The JavaScript functions, their types and
/// the tests that enumerate ops are made from it.
void register_builtin_ops(OpRegistry& registry);

}  // namespace minitensor
