// The examples of the documentation that the contract comes from, in C++ and by the same names.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "minitensor/nn/custom_layer.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/plugin/plugin_builder.h"
#include "minitensor/plugin/plugin_registry.h"
#include "support/expect_error.h"

namespace minitensor {
namespace {

TEST(Contract, AProgramComparesTheCurrentVersionWithAMinimum) {
  const VersionInfo current_version = VersionInfo::current();
  const VersionInfo minimum{0, 1, 0};

  ASSERT_TRUE(current_version.is_compatible_with(minimum));
  EXPECT_FALSE(to_string(current_version).empty());
}

TEST(Contract, ABuilderMakesAPluginOfItsMetadata) {
  const auto plugin = PluginBuilder()
                          .name("my_custom_plugin")
                          .version({1, 0, 0})
                          .description("Extensions of one project")
                          .author("Your Name")
                          .min_minitensor_version({0, 1, 0})
                          .build();

  const PluginInfo& info = plugin->info();
  EXPECT_EQ(info.name, "my_custom_plugin");
  EXPECT_EQ(to_string(info.version), "1.0.0");
  EXPECT_EQ(info.author, "Your Name");

  EXPECT_MT_ERROR(PluginBuilder().name("my_custom_plugin").build(), ErrorCode::kValue,
                  "version, description, author, min_minitensor_version");
}

TEST(Contract, APluginOfCallbacksIsRegisteredFoundAndUnregistered) {
  std::vector<std::string> printed;
  const auto plugin = PluginBuilder()
                          .name("example_plugin")
                          .version({1, 0, 0})
                          .description("Metadata and callbacks")
                          .author("Plugin Developer")
                          .min_minitensor_version({0, 1, 0})
                          .build();
  plugin->set_initialize_fn([&](PluginRegistry&) { printed.emplace_back("Plugin initialized"); });
  plugin->set_cleanup_fn([&](PluginRegistry&) { printed.emplace_back("Plugin cleaned up"); });
  plugin->set_custom_operations_fn([] { return std::vector<std::shared_ptr<const Op>>(); });

  OpRegistry ops;
  LayerRegistry layers;
  PluginRegistry registry(ops, layers);
  registry.register_plugin(plugin);
  EXPECT_TRUE(registry.is_registered("example_plugin"));
  EXPECT_EQ(registry.get_plugin("example_plugin")->info(), plugin->info());
  EXPECT_MT_ERROR(registry.register_plugin(plugin), ErrorCode::kValue, "\"example_plugin\"");
  registry.unregister("example_plugin");
  EXPECT_FALSE(registry.is_registered("example_plugin"));
  EXPECT_EQ(printed, (std::vector<std::string>{"Plugin initialized", "Plugin cleaned up"}));
}

TEST(Contract, ACustomLayerScalesItsInputByAParameter) {
  CustomLayer layer("scale");
  layer.add_parameter("weight", Tensor::from<float>({2.0F}, {1}));
  EXPECT_MT_ERROR(layer.forward({}), ErrorCode::kNotImplemented, "\"scale\"");

  layer.set_forward([](const CustomLayer& self, std::span<const Tensor> inputs) {
    return mul(inputs[0], self.get_parameter("weight"));
  });
  const std::vector<Tensor> inputs = {Tensor::from<float>({3.0F}, {1})};
  const Tensor out = layer.forward(inputs);
  EXPECT_EQ(out.to_vector(), (std::vector<double>{6}));
  EXPECT_MT_ERROR(layer.get_parameter("bias"), ErrorCode::kKey, "\"bias\"");
}

// A plugin as a class, and the function that makes one.
class ExamplePlugin : public Plugin {
 public:
  const PluginInfo& info() const noexcept override { return info_; }
  void initialize(PluginRegistry&) override {}
  void cleanup(PluginRegistry&) override {}
  std::vector<std::shared_ptr<const Op>> custom_operations() override { return {}; }

 private:
  PluginInfo info_{.name = "example_cpp_plugin",
                   .version = {1, 0, 0},
                   .description = "Example C++ plugin",
                   .author = "C++ Developer",
                   .min_minitensor_version = {0, 1, 0},
                   .max_minitensor_version = std::nullopt};
};

std::shared_ptr<Plugin> create_plugin() { return std::make_shared<ExamplePlugin>(); }

TEST(Contract, APluginIsAClassWithInfoInitializeCleanupAndCustomOperations) {
  OpRegistry ops;
  LayerRegistry layers;
  PluginRegistry registry(ops, layers);
  registry.register_plugin(create_plugin());
  ASSERT_EQ(registry.list_plugins().size(), 1U);
  EXPECT_EQ(registry.list_plugins()[0].name, "example_cpp_plugin");
  EXPECT_EQ(registry.list_plugins()[0].max_minitensor_version, std::nullopt);
  EXPECT_EQ(ops.size(), 0U);
  registry.unregister("example_cpp_plugin");
}

}  // namespace
}  // namespace minitensor
