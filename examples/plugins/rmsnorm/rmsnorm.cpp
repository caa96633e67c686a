// The op "rmsnorm", root mean square layer normalisation (Zhang and Sennrich, 2019), with its gradients, and the layer
// type "RMSNorm", which keeps the weight. A complete plugin, in C++.
#include <cmath>
#include <cstdint>

#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "rmsnorm", "1.0.0", "Root mean square layer normalisation", "The MiniTensor authors", "0.1.0",
                   "", "", "rmsnorm", "RMSNorm")

namespace {

constexpr mt::Attribute kEpsilon = mt::number("epsilon", 1e-5);

/// y = x / sqrt(mean(x^2) + epsilon) * weight, the mean over the last axis of x. The weight has one number for each
/// place of that axis. Sums are kept in double.
struct RmsNorm {
  static constexpr auto name = "rmsnorm";
  static constexpr auto summary = "x / sqrt(mean(x^2) + epsilon) * weight, the mean over the last axis";
  static constexpr int input_count = 2;
  static constexpr const char* input_names[] = {"x", "weight"};
  static constexpr mt::Attribute attributes[] = {kEpsilon};

  static mt::Status validate(const mt::OpCall& call) {
    const mt::Shape x = call.input(0).shape();
    const mt::Shape weight = call.input(1).shape();
    if (x.empty()) return call.error(mt::ErrorCode::kShape, "x must have an axis, but it is a scalar");
    if (weight.size() != 1 || weight[0] != x.back()) {
      return call.error(mt::ErrorCode::kShape, "weight must be of shape [", x.back(),
                        "], the size of the last axis of x, but it is ", weight);
    }
    if (!(call.number("epsilon") >= 0)) {
      return call.error(mt::ErrorCode::kValue, "epsilon must not be negative, but it is ", call.number("epsilon"));
    }
    return {};
  }

  template <class T>
  static void forward(const mt::OpCall& call) {
    const double epsilon = call.number("epsilon");
    const std::int64_t columns = call.input(1).size();
    const T* weight = call.input(1).data<T>();
    const T* x = call.input(0).data<T>();
    const T* end = x + call.input(0).size();
    T* y = call.output().data<T>();
    for (; x != end; x += columns, y += columns) {
      const double scale = inverse_rms(x, columns, epsilon);
      for (std::int64_t i = 0; i < columns; ++i) y[i] = static_cast<T>(x[i] * scale * weight[i]);
    }
  }

  /// With r = 1 / sqrt(mean(x^2) + epsilon), n columns and g = dy * weight, in each row:
  /// dx = r * g - x * r^3 / n * sum(g * x), and dweight = dy * x * r, summed over the rows.
  template <class T>
  static void backward(const mt::OpCall& call) {
    const double epsilon = call.number("epsilon");
    const std::int64_t columns = call.input(1).size();
    const T* weight = call.input(1).data<T>();
    const T* x = call.input(0).data<T>();
    const T* end = x + call.input(0).size();
    const T* dy = call.grad_output().data<T>();
    T* dx = call.grad_input(0).data<T>();
    T* dweight = call.grad_input(1).data<T>();
    for (; x != end; x += columns, dx += columns, dy += columns) {
      const double r = inverse_rms(x, columns, epsilon);
      double dot = 0;
      for (std::int64_t i = 0; i < columns; ++i) dot += static_cast<double>(dy[i]) * weight[i] * x[i];
      const double pull = dot * r * r * r / static_cast<double>(columns);
      for (std::int64_t i = 0; i < columns; ++i) {
        dx[i] = static_cast<T>(r * dy[i] * weight[i] - pull * x[i]);
        dweight[i] += static_cast<T>(r * dy[i] * x[i]);
      }
    }
  }

 private:
  template <class T>
  static double inverse_rms(const T* row, std::int64_t columns, double epsilon) {
    double squares = 0;
    for (std::int64_t i = 0; i < columns; ++i) squares += static_cast<double>(row[i]) * row[i];
    return 1 / std::sqrt(squares / static_cast<double>(columns) + epsilon);
  }
};

/// Applies rmsnorm with a weight of its own, a float32 tensor of `size` ones to begin with.
struct RmsNormLayer {
  static constexpr auto name = "RMSNorm";
  static constexpr mt::Attribute attributes[] = {mt::number("size"), kEpsilon};

  static mt::Status create(const mt::LayerCall& call) {
    const double size = call.number("size");
    if (!(size >= 1 && size <= 2147483647 && size == std::floor(size))) {
      return call.error(mt::ErrorCode::kValue, "RMSNorm: size must be a positive integer, but it is ", size);
    }
    const auto weight = call.create_tensor(mt::DType::kFloat32, {static_cast<std::int64_t>(size)});
    if (!weight) return weight.status();
    weight->fill(1);
    return call.add_parameter("weight", *weight);
  }

  static mt::Result<mt::TensorView> forward(const mt::LayerCall& call) {
    return call.call_op("rmsnorm", {call.input(0), call.parameter(0)}, {{"epsilon", call.number("epsilon")}});
  }
};

struct RmsNormPlugin {
  static const mt_plugin_info& info() { return kInfo; }
  static mt::OpList custom_operations() { return mt::ops<RmsNorm>; }
  static mt::LayerList custom_layers() { return mt::layers<RmsNormLayer>; }
};

}  // namespace

MINITENSOR_PLUGIN(RmsNormPlugin)
