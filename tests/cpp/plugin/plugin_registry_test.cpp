#include "minitensor/plugin/plugin_registry.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "minitensor/plugin/plugin_builder.h"
#include "plugin/test_plugin.h"
#include "support/expect_error.h"

namespace minitensor {
namespace {

using test::Engine;
using test::make_op;
using test::make_plugin;
using test::names_of;
using test::Strings;

Tensor run(const OpRegistry& ops, std::string_view name) {
  const std::vector<Tensor> inputs = {Tensor::full({1}, 3, DType::kFloat32)};
  return ops.execute(name, inputs);
}

TEST(PluginRegistry, StartsEmpty) {
  const Engine engine;
  EXPECT_EQ(engine.registry.size(), 0U);
  EXPECT_TRUE(engine.registry.list_plugins().empty());
  EXPECT_FALSE(engine.registry.is_registered("alpha"));
}

TEST(PluginRegistry, RegisteringMakesThePluginItsOpsAndItsLayersKnown) {
  Engine engine;
  const auto plugin = make_plugin("alpha", {"double", "triple"}, {"dense", "conv"});
  engine.registry.register_plugin(plugin);
  EXPECT_TRUE(engine.registry.is_registered("alpha"));
  EXPECT_EQ(engine.registry.size(), 1U);
  EXPECT_EQ(engine.registry.get_plugin("alpha"), plugin);
  ASSERT_EQ(engine.registry.list_plugins().size(), 1U);
  EXPECT_EQ(engine.registry.list_plugins()[0], plugin->info());
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"double", "triple"}));
  EXPECT_EQ(engine.ops.owner_of("double"), "alpha");
  EXPECT_EQ(engine.ops.get("double"), plugin->ops[0]);
  EXPECT_EQ(run(engine.ops, "double").item(), 3);
  EXPECT_EQ(engine.layers.list(), (Strings{"conv", "dense"}));
  EXPECT_EQ(engine.layers.create("dense", {})->name(), "dense");
  EXPECT_EQ(plugin->log, (Strings{"initialize", "custom_operations", "custom_layers"}));
}

TEST(PluginRegistry, CallbacksGetTheRegistryThatRunsThem) {
  Engine engine;
  const auto plugin = make_plugin("alpha");
  plugin->on_initialize = [&](PluginRegistry& registry) { EXPECT_EQ(&registry, &engine.registry); };
  plugin->on_cleanup = [&](PluginRegistry& registry) { EXPECT_EQ(&registry, &engine.registry); };
  engine.registry.register_plugin(plugin);
  engine.registry.unregister("alpha");
  EXPECT_EQ(plugin->log.back(), "cleanup");
}

TEST(PluginRegistry, UnregisteringLeavesEverythingAsItWas) {
  Engine engine;
  const Strings before = engine.contents();
  const auto plugin = make_plugin("alpha", {"double", "triple"}, {"dense"});
  engine.registry.register_plugin(plugin);
  engine.registry.unregister("alpha");
  EXPECT_EQ(engine.contents(), before);
  EXPECT_EQ(plugin->log, (Strings{"initialize", "custom_operations", "custom_layers", "cleanup"}));
  EXPECT_EQ(plugin.use_count(), 1);
}

TEST(PluginRegistry, APluginCanBeRegisteredAgainAfterUnregistering) {
  Engine engine;
  const auto plugin = make_plugin("alpha", {"double"}, {"dense"});
  engine.registry.register_plugin(plugin);
  const Strings registered = engine.contents();
  for (int i = 0; i < 100; ++i) {
    engine.registry.unregister("alpha");
    engine.registry.register_plugin(plugin);
  }
  EXPECT_EQ(engine.contents(), registered);
}

TEST(PluginRegistry, CleanupStillSeesThePluginItsOpsAndItsLayers) {
  Engine engine;
  const auto plugin = make_plugin("alpha", {"double"}, {"dense"});
  plugin->on_cleanup = [&](PluginRegistry& registry) {
    EXPECT_TRUE(registry.is_registered("alpha"));
    EXPECT_EQ(run(engine.ops, "double").item(), 3);
    EXPECT_TRUE(engine.layers.contains("dense"));
  };
  engine.registry.register_plugin(plugin);
  engine.registry.unregister("alpha");
  EXPECT_FALSE(engine.ops.contains("double"));
}

TEST(PluginRegistry, ACleanupThatThrowsIsReportedAfterTheRemoval) {
  Engine engine;
  const Strings before = engine.contents();
  const auto plugin = make_plugin("alpha", {"double"}, {"dense"});
  plugin->on_cleanup = [](PluginRegistry&) { throw Error(ErrorCode::kCallback, "cleanup failed"); };
  engine.registry.register_plugin(plugin);
  EXPECT_MT_ERROR(engine.registry.unregister("alpha"), ErrorCode::kCallback, "cleanup failed");
  EXPECT_EQ(engine.contents(), before);
  EXPECT_EQ(plugin.use_count(), 1);

  plugin->on_cleanup = [](PluginRegistry&) { throw std::runtime_error("stray"); };
  engine.registry.register_plugin(plugin);
  EXPECT_THROW(engine.registry.unregister("alpha"), std::runtime_error);
  EXPECT_EQ(engine.contents(), before);

  plugin->on_cleanup = nullptr;
  engine.registry.register_plugin(plugin);
  EXPECT_TRUE(engine.registry.is_registered("alpha"));
}

TEST(PluginRegistry, ListsInOrderOfRegistration) {
  Engine engine;
  for (const char* name : {"gamma", "alpha", "beta"}) engine.registry.register_plugin(make_plugin(name));
  EXPECT_EQ(names_of(engine.registry.list_plugins()), (Strings{"gamma", "alpha", "beta"}));
  engine.registry.unregister("gamma");
  EXPECT_EQ(names_of(engine.registry.list_plugins()), (Strings{"alpha", "beta"}));
  engine.registry.register_plugin(make_plugin("gamma"));
  EXPECT_EQ(names_of(engine.registry.list_plugins()), (Strings{"alpha", "beta", "gamma"}));
}

TEST(PluginRegistry, UnregisteringAnUnknownNameIsAValueErrorThatQuotesIt) {
  Engine engine;
  engine.registry.register_plugin(make_plugin("alpha"));
  EXPECT_MT_ERROR(engine.registry.unregister("beta"), ErrorCode::kValue, "\"beta\"");
  EXPECT_MT_ERROR(engine.registry.unregister(""), ErrorCode::kValue, "\"\"");
  engine.registry.unregister("alpha");
  EXPECT_MT_ERROR(engine.registry.unregister("alpha"), ErrorCode::kValue, "\"alpha\"");
}

TEST(PluginRegistry, GettingAnUnknownNameIsAKeyErrorThatListsTheKnownOnes) {
  Engine engine;
  EXPECT_MT_ERROR(engine.registry.get_plugin("alpha"), ErrorCode::kKey, "none");
  engine.registry.register_plugin(make_plugin("beta"));
  engine.registry.register_plugin(make_plugin("alpha"));
  EXPECT_MT_ERROR(engine.registry.get_plugin("gamma"), ErrorCode::kKey, "\"gamma\"");
  EXPECT_MT_ERROR(engine.registry.get_plugin("gamma"), ErrorCode::kKey, "\"beta\", \"alpha\"");
  EXPECT_MT_ERROR(engine.registry.get_plugin("Alpha"), ErrorCode::kKey, "\"Alpha\"");
}

TEST(PluginRegistry, NamesAreUniqueInARegistryOnly) {
  Engine engine;
  PluginRegistry other(engine.ops, engine.layers);
  engine.registry.register_plugin(make_plugin("alpha", {"double"}));
  EXPECT_FALSE(other.is_registered("alpha"));
  other.register_plugin(make_plugin("alpha", {"triple"}));
  other.unregister("alpha");
  EXPECT_TRUE(engine.registry.is_registered("alpha"));
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"double"}));
}

TEST(PluginRegistry, OneRegistryNeverRemovesAnOpThatAnotherOneAdded) {
  // Two registries with a plugin of the same name; the application removes the first one's op, and the second one's
  // plugin then takes the free name.
  Engine engine;
  PluginRegistry other(engine.ops, engine.layers);
  engine.registry.register_plugin(make_plugin("alpha", {"double"}, {"dense"}));
  engine.ops.remove_custom("double");
  engine.layers.remove("dense", "alpha");
  other.register_plugin(make_plugin("alpha", {"double"}, {"dense"}));
  engine.registry.unregister("alpha");
  EXPECT_TRUE(engine.ops.contains("double"));
  EXPECT_TRUE(engine.layers.contains("dense"));
  other.unregister("alpha");
  EXPECT_FALSE(engine.ops.contains("double"));
  EXPECT_FALSE(engine.layers.contains("dense"));
}

TEST(PluginRegistry, UnregisteringDoesNotMissWhatTheApplicationRemovedBefore) {
  Engine engine;
  engine.registry.register_plugin(make_plugin("alpha", {"double", "triple"}, {"conv", "dense"}));
  engine.ops.remove_custom("double");
  engine.layers.remove("dense", "alpha");
  engine.registry.unregister("alpha");
  EXPECT_EQ(engine.ops.list_custom(), Strings{});
  EXPECT_EQ(engine.layers.list(), Strings{});
}

TEST(PluginRegistry, UnregisteringLeavesANameThatNowBelongsToAnother) {
  Engine engine;
  engine.registry.register_plugin(make_plugin("alpha", {"double"}, {"dense"}));
  engine.ops.remove_custom("double");
  engine.layers.remove("dense", "alpha");
  engine.ops.add(make_op("double"), "");
  engine.layers.add(test::make_layer_type("dense"), "");
  engine.registry.unregister("alpha");
  EXPECT_EQ(engine.ops.owner_of("double"), "");
  EXPECT_TRUE(engine.layers.contains("dense"));
}

TEST(PluginRegistry, TheDestructorEmptiesTheTablesWithoutCleanup) {
  Engine engine;
  const Strings before = engine.contents();
  const auto alpha = make_plugin("alpha", {"double"}, {"dense"});
  const auto beta = make_plugin("beta", {"triple"}, {"conv"});
  {
    PluginRegistry registry(engine.ops, engine.layers);
    registry.register_plugin(alpha);
    registry.register_plugin(beta);
    EXPECT_EQ(engine.ops.list_custom(), (Strings{"double", "triple"}));
  }
  EXPECT_EQ(engine.contents(), before);
  EXPECT_EQ(alpha->log, (Strings{"initialize", "custom_operations", "custom_layers"}));
  EXPECT_EQ(alpha.use_count(), 1);
  EXPECT_EQ(beta.use_count(), 1);
}

TEST(PluginRegistry, RefusesNoPlugin) {
  Engine engine;
  EXPECT_MT_ERROR(engine.registry.register_plugin(nullptr), ErrorCode::kValue, "null");
}

TEST(PluginRegistry, RefusesANameThatStandsForAnotherOwner) {
  // Ops of the application have the owner "", those of the engine "minitensor".
  Engine engine;
  const Strings before = engine.contents();
  for (const char* name : {"", "minitensor"}) {
    const auto plugin = make_plugin(name, {"double"});
    EXPECT_MT_ERROR(engine.registry.register_plugin(plugin), ErrorCode::kValue, "name");
    EXPECT_EQ(plugin->log, Strings{});
    EXPECT_EQ(engine.contents(), before);
  }
}

TEST(CustomPlugin, WithoutCallbacksCanBeRegisteredAndUnregistered) {
  Engine engine;
  const auto plugin = std::make_shared<CustomPlugin>(test::plugin_info("plain"));
  engine.registry.register_plugin(plugin);
  EXPECT_EQ(engine.registry.get_plugin("plain"), plugin);
  engine.registry.unregister("plain");
  EXPECT_FALSE(engine.registry.is_registered("plain"));
}

TEST(CustomPlugin, EachSetterOverwritesAndAnEmptyFunctionTakesTheCallbackAway) {
  Engine engine;
  Strings log;
  const auto plugin = std::make_shared<CustomPlugin>(test::plugin_info("alpha"));
  const auto note = [&](std::string text) { return [&log, text](PluginRegistry&) { log.push_back(text); }; };
  plugin->set_initialize_fn(note("first"));
  plugin->set_initialize_fn(note("second"));
  plugin->set_cleanup_fn(note("cleanup"));
  plugin->set_cleanup_fn({});
  plugin->set_custom_operations_fn([] { return std::vector<std::shared_ptr<const Op>>{make_op("double")}; });
  plugin->set_custom_operations_fn([] { return std::vector<std::shared_ptr<const Op>>{make_op("triple")}; });
  engine.registry.register_plugin(plugin);
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"triple"}));
  engine.registry.unregister("alpha");
  EXPECT_EQ(log, (Strings{"second"}));
}

TEST(CustomPlugin, ACallbackMayReplaceItselfWhileItRuns) {
  Engine engine;
  Strings log;
  const auto plugin = std::make_shared<CustomPlugin>(test::plugin_info("alpha"));
  CustomPlugin& self = *plugin;
  plugin->set_initialize_fn([&self, &log, text = std::string(100, 'i')](PluginRegistry&) {
    self.set_initialize_fn({});
    log.push_back(text);
  });
  plugin->set_cleanup_fn([&self, &log, text = std::string(100, 'c')](PluginRegistry&) {
    self.set_cleanup_fn({});
    log.push_back(text);
  });
  plugin->set_custom_operations_fn([&self, name = std::string(100, 'o')] {
    self.set_custom_operations_fn({});
    return std::vector<std::shared_ptr<const Op>>{make_op(name)};
  });
  engine.registry.register_plugin(plugin);
  EXPECT_EQ(engine.ops.list_custom(), (Strings{std::string(100, 'o')}));
  engine.registry.unregister("alpha");
  EXPECT_EQ(log, (Strings{std::string(100, 'i'), std::string(100, 'c')}));
}

}  // namespace
}  // namespace minitensor
