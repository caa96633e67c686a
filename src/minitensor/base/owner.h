#pragma once

#include <string>
#include <string_view>

namespace minitensor {

/// The owner of what is built in. Elsewhere an owner is the name of a plugin, or empty for the application itself.
inline constexpr std::string_view kEngineOwner = "minitensor";

/// How messages speak of an owner: `the engine`, `the application`, `plugin "x"`.
std::string describe_owner(std::string_view owner);

}  // namespace minitensor
