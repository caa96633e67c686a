#pragma once

#include <cstddef>
#include <span>

namespace minitensor::test {

/// Gives `bytes` to the readers of plugin files, as a file, or as a mangled name ("_Z…") or metadata ("abi=…") when
/// they begin like that. Throws std::logic_error when what comes out is not what the readers promise for any input: an
/// error of phase "read" or "metadata" that says something, or an inspection that agrees with itself.
void inspect_anything(std::span<const std::byte> bytes);

}  // namespace minitensor::test
