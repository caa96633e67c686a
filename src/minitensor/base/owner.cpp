#include "minitensor/base/owner.h"

#include "minitensor/base/text.h"

namespace minitensor {

std::string describe_owner(std::string_view owner) {
  if (owner == kEngineOwner) return "the engine";
  if (owner.empty()) return "the application";
  return "plugin " + quote(owner);
}

}  // namespace minitensor
