// The op "my_plugin": x / (1 + |x|), known as softsign, element by element, with its gradient.
#include <cmath>
#include <cstdint>

#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "my_plugin", "1.0.0", "x / (1 + |x|), element by element", "Your name", "0.1.0", "", "",
                   "my_plugin", "")

namespace {

struct Op {
  static constexpr auto name = "my_plugin";
  static constexpr auto summary = "x / (1 + |x|), element by element";
  static constexpr int input_count = 1;
  static constexpr const char* input_names[] = {"x"};

  /// Fills the output, which the host has made: here of the input's shape and dtype.
  template <class T>
  static void forward(const mt::OpCall& call) {
    const T* x = call.input(0).data<T>();
    T* y = call.output().data<T>();
    for (std::int64_t i = 0; i < call.input(0).size(); ++i) y[i] = x[i] / (1 + std::abs(x[i]));
  }

  /// Fills the gradient of each input. The derivative is 1 / (1 + |x|)^2.
  template <class T>
  static void backward(const mt::OpCall& call) {
    const T* x = call.input(0).data<T>();
    const T* dy = call.grad_output().data<T>();
    T* dx = call.grad_input(0).data<T>();
    for (std::int64_t i = 0; i < call.input(0).size(); ++i) {
      const T scale = 1 / (1 + std::abs(x[i]));
      dx[i] = dy[i] * scale * scale;
    }
  }
};

struct Plugin {
  static const mt_plugin_info& info() { return kInfo; }
  static mt::OpList custom_operations() { return mt::ops<Op>; }
};

}  // namespace

MINITENSOR_PLUGIN(Plugin)
