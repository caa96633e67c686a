#pragma once

#include <memory>

#include "bindings/wire.h"
#include "minitensor/ops/op.h"

namespace minitensor::bindings {

/// An op made of JavaScript callbacks, from what js/custom_ops.js makes of the caller's object after it has checked the
/// types: callback, name, number of inputs, summary, attributes as read_attribute_specs reads them, and for each of
/// backward, validate, outputShape and outputDtype whether there is one. Throws kValue as CustomOpBuilder does.
std::shared_ptr<const Op> read_javascript_op(WireReader& in);

}  // namespace minitensor::bindings
