#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "minitensor/ops/attributes.h"

namespace minitensor::bindings {

// Attributes cross the boundary as bytes; js/attributes.js has the other half. Little-endian, nothing aligned:
//   text     = length u32, UTF-8 bytes
//   value    = type i32 (AttributeType), then: number f64 | text | boolean u8 | count u32 and that many f64
//   named    = count u32, then that many times: name as text, value
//   ordered  = values in the order of declaration

/// Throws kInternal for bytes that are not of this form.
NamedAttributes decode_named(std::span<const std::byte> bytes);

std::vector<std::byte> encode_ordered(const Attributes& attributes);

}  // namespace minitensor::bindings
