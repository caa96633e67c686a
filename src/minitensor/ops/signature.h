#pragma once

#include <string_view>

#include "minitensor/ops/op.h"

namespace minitensor {

/// Fills in name, inputs, attributes and outputs of an op from one line of text:
///
///   add(a, b)
///   sum(x; axis: integers?, keepDims: boolean = false)
///   where(condition: condition, a, b)
///   layerNorm(x, weight?, bias?; epsilon: number = 0.00001)
///   concat(...tensors; axis: integer = 0)
///   topk(x; k: integer, largest: boolean = true) -> values, indices
///   split(x; sizes: integers, axis: integer = 0) -> ...parts
///
/// Inputs come before the semicolon, attributes behind it. `...` before the last input: any number of tensors; `?`
/// behind an input: it may be left out, as may those after it. An input's role (`condition` or `index`) stands behind a
/// colon. An attribute has a type; `?` makes it optional, `=` gives a default. Without outputs there is one.
/// Throws kInternal for any other text.
Op parse_signature(std::string_view signature);

}  // namespace minitensor
