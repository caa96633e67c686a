#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace minitensor {

/// A version of three unsigned 32-bit numbers.
struct VersionInfo {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;

  /// Exactly `major.minor.patch` in decimal digits. Anything else (missing or extra parts, signs, spaces,
  /// pre-release tags, numbers above 2^32-1) throws kValue, which quotes the input.
  static VersionInfo parse(std::string_view text);
  /// The version of this engine.
  static VersionInfo current() noexcept;

  /// Whether this version can stand in for `other`: the same major number, and not older.
  bool is_compatible_with(const VersionInfo& other) const noexcept { return major == other.major && *this >= other; }

  friend auto operator<=>(const VersionInfo&, const VersionInfo&) = default;
};

/// "1.2.3"
std::string to_string(const VersionInfo& version);

}  // namespace minitensor
