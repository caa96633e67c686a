// A plugin as a class of a C++ program's own. Built against the installed package: find_package(MiniTensor), then
// target_link_libraries(... minitensor::core).

#include <cstdio>
#include <memory>
#include <vector>

#include "minitensor/nn/layer_registry.h"
#include "minitensor/ops/builtin_ops.h"
#include "minitensor/ops/custom_op_builder.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/plugin/plugin_registry.h"

namespace mt = minitensor;

class ExamplePlugin final : public mt::Plugin {
 public:
  const mt::PluginInfo& info() const noexcept override { return info_; }
  void initialize(mt::PluginRegistry&) override { std::puts("Plugin initialized"); }
  void cleanup(mt::PluginRegistry&) override { std::puts("Plugin cleaned up"); }
  std::vector<std::shared_ptr<const mt::Op>> custom_operations() override {
    return {mt::CustomOpBuilder()
                .name("cube")
                .num_inputs(1)
                .forward([](std::span<const mt::Tensor> inputs, const mt::Attributes&) {
                  return mt::mul(mt::mul(inputs[0], inputs[0]), inputs[0]);
                })
                .build()};
  }

 private:
  mt::PluginInfo info_{"example_cpp_plugin", {1, 0, 0}, "Example C++ plugin", "C++ Developer", {0, 1, 0}, std::nullopt};
};

int main() {
  mt::OpRegistry ops;
  mt::LayerRegistry layers;
  mt::register_builtin_ops(ops);
  mt::PluginRegistry registry(ops, layers);

  registry.register_plugin(std::make_shared<ExamplePlugin>());
  const std::vector<mt::Tensor> inputs = {mt::Tensor::from<float>({1, 2, 3}, {3})};
  for (const double value : ops.execute("cube", inputs).to_vector()) std::printf("%g\n", value);
  registry.unregister("example_cpp_plugin");
}
