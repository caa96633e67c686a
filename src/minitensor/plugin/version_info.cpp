#include "minitensor/plugin/version_info.h"

#include <charconv>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/base/version.h"

namespace minitensor {

VersionInfo VersionInfo::parse(std::string_view text) {
  VersionInfo version;
  const char* position = text.data();
  const char* const end = text.data() + text.size();
  for (std::uint32_t* part : {&version.major, &version.minor, &version.patch}) {
    const bool first = part == &version.major;
    const bool separated = first || (position != end && *position == '.');
    if (separated && !first) ++position;
    const auto [rest, error] = std::from_chars(position, end, *part);
    if (!separated || error != std::errc()) {
      throw Error(ErrorCode::kValue, "VersionInfo: " + quote(text) +
                                         " is not three numbers from 0 to 4294967295 in the form major.minor.patch");
    }
    position = rest;
  }
  if (position != end) {
    throw Error(ErrorCode::kValue, "VersionInfo: " + quote(text) + " has more than major.minor.patch");
  }
  return version;
}

VersionInfo VersionInfo::current() noexcept { return {kVersionMajor, kVersionMinor, kVersionPatch}; }

std::string to_string(const VersionInfo& version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' + std::to_string(version.patch);
}

}  // namespace minitensor
