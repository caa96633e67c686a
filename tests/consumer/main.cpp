// A plugin of a C++ program's own, and one loaded from a file, given as the argument.

#include <cstdio>
#include <memory>

#include "minitensor/loader/plugin_loader.h"
#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/builtin_ops.h"
#include "minitensor/ops/custom_op_builder.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/plugin/plugin_registry.h"

namespace mt = minitensor;

namespace {

// The class of the original documentation: info, initialize, cleanup, custom operations.
class ExamplePlugin final : public mt::Plugin {
 public:
  const mt::PluginInfo& info() const noexcept override { return info_; }
  void initialize(mt::PluginRegistry&) override { std::puts("initialize"); }
  void cleanup(mt::PluginRegistry&) override { std::puts("cleanup"); }
  std::vector<std::shared_ptr<const mt::Op>> custom_operations() override {
    return {mt::CustomOpBuilder()
                .name("square")
                .num_inputs(1)
                .forward([](std::span<const mt::Tensor> inputs, const mt::Attributes&) {
                  return mt::mul(inputs[0], inputs[0]);
                })
                .build()};
  }

 private:
  mt::PluginInfo info_{"example_plugin", {1, 0, 0}, "Example C++ plugin", "C++ Developer", {0, 1, 0}, std::nullopt};
};

}  // namespace

int main(int count, char** arguments) {
  mt::OpRegistry ops;
  mt::LayerRegistry layers;
  mt::register_builtin_ops(ops);
  mt::PluginRegistry registry(ops, layers);
  registry.register_plugin(std::make_shared<ExamplePlugin>());
  const std::vector<mt::Tensor> inputs = {mt::Tensor::from<float>({1, 2, 3}, {3})};
  for (const double value : ops.execute("square", inputs).to_vector()) std::printf("%g\n", value);
  registry.unregister("example_plugin");

  mt::PluginLoader loader(ops, layers);
  for (int i = 1; i < count; ++i) {
    try {
      const mt::PluginInfo info = loader.load_plugin(arguments[i]);
      std::printf("%s %s\n", info.name.c_str(), to_string(info.version).c_str());
      std::printf("%.6f\n", ops.execute("swish", inputs).to_vector()[0]);
      loader.unload_plugin(info.name);
    } catch (const mt::Error& error) {
      std::printf("%s\n", error.what());
      return 1;
    }
  }
  return 0;
}
