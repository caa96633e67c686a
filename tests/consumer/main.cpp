// Loads the compiled plugins that are given as arguments, and runs the op "swish" of each.

#include <cstdio>
#include <vector>

#include "minitensor/loader/plugin_loader.h"
#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/builtin_ops.h"

int main(int count, char** arguments) {
  minitensor::OpRegistry ops;
  minitensor::LayerRegistry layers;
  minitensor::register_builtin_ops(ops);
  minitensor::PluginLoader loader(ops, layers);
  const std::vector<minitensor::Tensor> inputs = {minitensor::Tensor::from<float>({1}, {1})};
  for (int i = 1; i < count; ++i) {
    try {
      const minitensor::PluginInfo info = loader.load_plugin(arguments[i]);
      std::printf("%s %s\n", info.name.c_str(), to_string(info.version).c_str());
      std::printf("%.6f\n", ops.execute("swish", inputs).item());
      loader.unload_plugin(info.name);
    } catch (const minitensor::Error& error) {
      std::printf("%s\n", error.what());
      return 1;
    }
  }
  return 0;
}
