// A plugin over plugin.hpp with exceptions, a state, and ops that show what becomes of a C++ author's mistakes.
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "cpp_plugin", "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "",
                   "cpp_calls,cpp_throws,cpp_throws_number,cpp_out_of_memory,cpp_misuse,cpp_late", "CppScale")

namespace {

/// Its state is what the op cpp_calls returns.
class CppPlugin {
 public:
  static const mt_plugin_info& info() { return kInfo; }
  static mt::OpList custom_operations();
  static mt::LayerList custom_layers();
  mt::Status initialize(const mt::Registry& registry);
  void cleanup(const mt::Host& host) const { host.log("cpp_plugin: ", calls_.size(), " calls"); }

  double count(double number) {
    calls_.push_back(number);
    return static_cast<double>(calls_.size());
  }

 private:
  std::vector<double> calls_;
};

/// The number of calls so far.
struct Calls {
  static constexpr auto name = "cpp_calls";
  static constexpr int input_count = 1;
  static void forward(const mt::OpCall& call) { call.output().fill(call.plugin<CppPlugin>().count(1)); }
};

/// Throws what it is told to.
struct Throws {
  static constexpr auto name = "cpp_throws";
  static constexpr int input_count = 1;
  static constexpr mt::Attribute attributes[] = {mt::text("message", "thrown")};
  static void forward(const mt::OpCall& call) { throw std::runtime_error(std::string(call.text("message"))); }
};

struct ThrowsNumber {
  static constexpr auto name = "cpp_throws_number";
  static constexpr int input_count = 1;
  static void forward(const mt::OpCall&) { throw 42; }
};

struct OutOfMemory {
  static constexpr auto name = "cpp_out_of_memory";
  static constexpr int input_count = 1;
  static void forward(const mt::OpCall&) { throw std::bad_alloc(); }
};

/// Asks for an attribute and an input that there are not, and goes on as if nothing had happened.
struct Misuse {
  static constexpr auto name = "cpp_misuse";
  static constexpr int input_count = 1;
  static constexpr mt::Attribute attributes[] = {mt::number("epsilon", 1), mt::boolean("ask_for_input", false)};
  static void forward(const mt::OpCall& call) {
    if (call.boolean("ask_for_input")) {
      call.output().fill(static_cast<double>(call.input(1).size()));
    } else {
      call.output().fill(call.number("epsilom"));
    }
  }
};

/// Registered by initialize.
struct Late {
  static constexpr auto name = "cpp_late";
  static constexpr int input_count = 1;
  static constexpr auto forward = [](const mt::OpCall& call) { call.output().fill(7); };
};

/// Multiplies by a parameter, through the engine's mul.
struct Scale {
  static constexpr auto name = "CppScale";
  static constexpr mt::Attribute attributes[] = {mt::number("by")};
  static mt::Status create(const mt::LayerCall& call) {
    const auto factor = call.create_tensor(mt::DType::kFloat32, {});
    if (!factor) return factor.status();
    factor->fill(call.number("by"));
    return call.add_parameter("factor", *factor);
  }
  static mt::Result<mt::TensorView> forward(const mt::LayerCall& call) {
    return call.call_op("mul", {call.input(0), call.parameter(0)});
  }
};

mt::OpList CppPlugin::custom_operations() { return mt::ops<Calls, Throws, ThrowsNumber, OutOfMemory, Misuse>; }
mt::LayerList CppPlugin::custom_layers() { return mt::layers<Scale>; }
mt::Status CppPlugin::initialize(const mt::Registry& registry) { return registry.register_op<Late>(); }

}  // namespace

MINITENSOR_PLUGIN(CppPlugin)
