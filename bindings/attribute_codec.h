#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bindings/wire.h"
#include "minitensor/ops/attributes.h"

namespace minitensor::bindings {

// Attributes are wire values as JavaScript has them: integers are a list of numbers.

void write(WireWriter& out, const AttributeValue& value);
AttributeValue read_attribute_value(WireReader& in);

/// A list of names and values in turn; without any bytes: none. Throws kInternal for bytes that are not of this form.
NamedAttributes decode_named(std::span<const std::byte> bytes);
NamedAttributes read_named(WireReader& in);

void write(WireWriter& out, const std::vector<AttributeSpec>& specs);
/// From a list of lists of name, type, and default or undefined. Throws kValue for an unknown type.
std::vector<AttributeSpec> read_attribute_specs(WireReader& in);

/// The values in the order of declaration.
std::vector<std::byte> encode_ordered(const Attributes& attributes);

}  // namespace minitensor::bindings
