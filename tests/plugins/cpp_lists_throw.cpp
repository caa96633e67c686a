// A plugin over plugin.hpp whose custom_operations throws after the plugin's object was made. The object must be
// destroyed: as that happens, it writes to the log.
#include <memory>
#include <stdexcept>

#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "cpp_lists_throw", "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "", "",
                   "")

namespace {

struct Plugin {
  static const mt_plugin_info& info() { return kInfo; }
  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): it is called on an object
  mt::OpList custom_operations() { throw std::runtime_error("the list of ops is lost"); }

  // What is not given back shows in the memory of the process.
  std::unique_ptr<char[]> much = std::make_unique<char[]>(100000);
};

}  // namespace

MINITENSOR_PLUGIN(Plugin)
