#pragma once

#include <emscripten/val.h>

#include <memory>

#include "minitensor/ops/op.h"

namespace minitensor::bindings {

/// An op made of JavaScript callbacks. `definition` is what js/custom_ops.js makes of the caller's object after it has
/// checked the types: { name, summary, numInputs, attributes: [{ name, type, default? }], callback, roles: { forward,
/// backward, validate, outputShape, outputDtype } }. Throws kValue as CustomOpBuilder does.
std::shared_ptr<const Op> make_javascript_op(const emscripten::val& definition);

}  // namespace minitensor::bindings
