// Callbacks of plugins that use the registry which is calling them.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "minitensor/plugin/plugin_registry.h"
#include "plugin/test_plugin.h"
#include "support/expect_error.h"

namespace minitensor {
namespace {

using test::make_op;
using test::make_plugin;
using test::names_of;
using test::Strings;

class PluginReentrance : public testing::Test {
 protected:
  Strings registered() const { return names_of(engine.registry.list_plugins()); }

  // No plugin is left, and no op or layer of one.
  void expect_empty() const {
    EXPECT_EQ(registered(), Strings{});
    EXPECT_EQ(engine.ops.list_custom(), Strings{});
    EXPECT_EQ(engine.layers.list(), Strings{});
  }

  test::Engine engine;
  PluginRegistry& registry = engine.registry;
};

TEST_F(PluginReentrance, InitializeMayRegisterAnotherPlugin) {
  const auto outer = make_plugin("outer", {"outer op"}, {"outer layer"});
  const auto inner = make_plugin("inner", {"inner op"}, {"inner layer"});
  outer->on_initialize = [&](PluginRegistry& in) {
    in.register_plugin(inner);
    EXPECT_TRUE(in.is_registered("inner"));
    EXPECT_EQ(in.get_plugin("inner"), inner);
  };
  registry.register_plugin(outer);
  // In the order in which the registrations were complete.
  EXPECT_EQ(registered(), (Strings{"inner", "outer"}));
  EXPECT_EQ(engine.ops.owner_of("inner op"), "inner");
  EXPECT_EQ(engine.ops.owner_of("outer op"), "outer");
  registry.unregister("inner");
  registry.unregister("outer");
  expect_empty();
}

TEST_F(PluginReentrance, InitializeMayRegisterManyPlugins) {
  const auto outer = make_plugin("outer");
  outer->on_initialize = [&](PluginRegistry& in) {
    for (int i = 0; i < 100; ++i) in.register_plugin(make_plugin("inner " + std::to_string(i)));
  };
  registry.register_plugin(outer);
  EXPECT_EQ(registry.size(), 101U);
  EXPECT_EQ(registered().back(), "outer");
}

TEST_F(PluginReentrance, RegistrationsMayBeNestedDeeply) {
  std::vector<std::shared_ptr<test::TestPlugin>> plugins;
  for (int i = 0; i < 50; ++i) plugins.push_back(make_plugin("p" + std::to_string(i), {"op " + std::to_string(i)}));
  for (std::size_t i = 0; i + 1 < plugins.size(); ++i) {
    plugins[i]->on_initialize = [&, i](PluginRegistry& in) { in.register_plugin(plugins[i + 1]); };
  }
  registry.register_plugin(plugins[0]);
  EXPECT_EQ(registry.size(), 50U);
  EXPECT_EQ(registered().front(), "p49");
  EXPECT_EQ(registered().back(), "p0");
}

TEST_F(PluginReentrance, APluginRegisteredByInitializeStaysWhenTheOuterOneFails) {
  // The inner registration was a transaction of its own; to undo it is the business of whoever made it.
  const auto outer = make_plugin("outer", {"outer op", "add"});
  outer->on_initialize = [&](PluginRegistry& in) { in.register_plugin(make_plugin("inner", {"inner op"})); };
  EXPECT_MT_ERROR(registry.register_plugin(outer), ErrorCode::kValue, "\"add\"");
  EXPECT_EQ(registered(), (Strings{"inner"}));
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"inner op"}));
}

TEST_F(PluginReentrance, ACleanupDuringRollbackMayUndoWhatInitializeRegistered) {
  const auto outer = make_plugin("outer", {"outer op", "add"});
  outer->on_initialize = [&](PluginRegistry& in) { in.register_plugin(make_plugin("inner", {"inner op"})); };
  outer->on_cleanup = [&](PluginRegistry& in) { in.unregister("inner"); };
  EXPECT_MT_ERROR(registry.register_plugin(outer), ErrorCode::kValue, "\"add\"");
  expect_empty();
}

TEST_F(PluginReentrance, AFailureOfAnInnerRegistrationThatIsCaughtDoesNotDisturbTheOuterOne) {
  const auto outer = make_plugin("outer", {"outer op"});
  outer->on_initialize = [&](PluginRegistry& in) {
    EXPECT_MT_ERROR(in.register_plugin(make_plugin("inner", {"inner op", "add"})), ErrorCode::kValue, "\"add\"");
  };
  registry.register_plugin(outer);
  EXPECT_EQ(registered(), (Strings{"outer"}));
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"outer op"}));
}

TEST_F(PluginReentrance, AFailureOfAnInnerRegistrationThatIsNotCaughtFailsTheOuterOne) {
  const auto outer = make_plugin("outer", {"outer op"});
  outer->on_initialize = [&](PluginRegistry& in) { in.register_plugin(make_plugin("inner", {"inner op", "add"})); };
  EXPECT_MT_ERROR(registry.register_plugin(outer), ErrorCode::kValue, "plugin \"inner\"");
  EXPECT_EQ(outer->log, (Strings{"initialize"}));
  expect_empty();
}

TEST_F(PluginReentrance, APluginIsNotRegisteredWhileItIsBeingRegistered) {
  const auto plugin = make_plugin("self", {"op"});
  const auto check = [&] {
    EXPECT_FALSE(registry.is_registered("self"));
    EXPECT_EQ(registry.size(), 0U);
    EXPECT_TRUE(registry.list_plugins().empty());
    EXPECT_MT_ERROR(registry.get_plugin("self"), ErrorCode::kKey, "\"self\"");
  };
  plugin->on_initialize = [&](PluginRegistry&) { check(); };
  plugin->on_custom_operations = check;
  plugin->on_custom_layers = check;
  registry.register_plugin(plugin);
  EXPECT_TRUE(registry.is_registered("self"));
}

TEST_F(PluginReentrance, NoCallbackOfARegistrationMayUnregisterItsOwnPlugin) {
  const auto plugin = make_plugin("self", {"op"}, {"layer"});
  const auto check = [&] { EXPECT_MT_ERROR(registry.unregister("self"), ErrorCode::kValue, "\"self\""); };
  plugin->on_initialize = [&](PluginRegistry&) { check(); };
  plugin->on_custom_operations = check;
  plugin->on_custom_layers = check;
  registry.register_plugin(plugin);
  EXPECT_EQ(plugin->log, (Strings{"initialize", "custom_operations", "custom_layers"}));
  registry.unregister("self");
  expect_empty();
}

TEST_F(PluginReentrance, AnInitializeThatUnregistersItselfAndDoesNotCatchFails) {
  const auto plugin = make_plugin("self", {"op"});
  plugin->on_initialize = [](PluginRegistry& in) { in.unregister("self"); };
  EXPECT_MT_ERROR(registry.register_plugin(plugin), ErrorCode::kValue, "\"self\"");
  EXPECT_EQ(plugin->log, (Strings{"initialize"}));
  expect_empty();
}

TEST_F(PluginReentrance, NoCallbackOfARegistrationMayRegisterItsOwnName) {
  const auto plugin = make_plugin("self", {"op"}, {"layer"});
  const auto impostor = make_plugin("self");
  const auto check = [&] {
    EXPECT_MT_ERROR(registry.register_plugin(impostor), ErrorCode::kValue, "\"self\"");
    EXPECT_MT_ERROR(registry.register_plugin(plugin), ErrorCode::kValue, "\"self\"");
  };
  plugin->on_initialize = [&](PluginRegistry&) { check(); };
  plugin->on_custom_operations = check;
  plugin->on_custom_layers = check;
  registry.register_plugin(plugin);
  EXPECT_EQ(registry.get_plugin("self"), plugin);
  EXPECT_EQ(registry.size(), 1U);
  EXPECT_EQ(impostor->log, Strings{});
}

TEST_F(PluginReentrance, AnInnerPluginMayNotUnregisterTheOuterOneThatIsBeingRegistered) {
  const auto outer = make_plugin("outer");
  const auto inner = make_plugin("inner");
  inner->on_initialize = [](PluginRegistry& in) {
    EXPECT_MT_ERROR(in.unregister("outer"), ErrorCode::kValue, "\"outer\"");
  };
  outer->on_initialize = [&](PluginRegistry& in) { in.register_plugin(inner); };
  registry.register_plugin(outer);
  EXPECT_EQ(registered(), (Strings{"inner", "outer"}));
}

TEST_F(PluginReentrance, TheCleanupOfARollbackMayNeitherUnregisterNorRegisterItsOwnName) {
  const auto plugin = make_plugin("self", {"op", "add"});
  plugin->on_cleanup = [&](PluginRegistry& in) {
    EXPECT_MT_ERROR(in.unregister("self"), ErrorCode::kValue, "\"self\"");
    EXPECT_MT_ERROR(in.register_plugin(make_plugin("self")), ErrorCode::kValue, "\"self\"");
  };
  EXPECT_MT_ERROR(registry.register_plugin(plugin), ErrorCode::kValue, "\"add\"");
  EXPECT_EQ(plugin->log.back(), "cleanup");
  expect_empty();
}

TEST_F(PluginReentrance, InitializeMayUnregisterAnotherPlugin) {
  const auto old = make_plugin("old", {"op"}, {"layer"});
  registry.register_plugin(old);
  // It takes over the other's names.
  const auto successor = make_plugin("successor", {"op"}, {"layer"});
  successor->on_initialize = [](PluginRegistry& in) { in.unregister("old"); };
  registry.register_plugin(successor);
  EXPECT_EQ(registered(), (Strings{"successor"}));
  EXPECT_EQ(engine.ops.owner_of("op"), "successor");
  EXPECT_EQ(old->log.back(), "cleanup");
}

TEST_F(PluginReentrance, CustomOperationsMayUnregisterAnotherPlugin) {
  registry.register_plugin(make_plugin("first", {"first op"}));
  registry.register_plugin(make_plugin("old", {"op"}, {"layer"}));
  registry.register_plugin(make_plugin("last", {"last op"}));
  const auto successor = make_plugin("successor", {"op"}, {"layer"});
  successor->on_custom_operations = [&] { registry.unregister("old"); };
  registry.register_plugin(successor);
  EXPECT_EQ(registered(), (Strings{"first", "last", "successor"}));
  EXPECT_EQ(engine.ops.owner_of("op"), "successor");
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"first op", "last op", "op"}));
}

TEST_F(PluginReentrance, CustomLayersMayRegisterAnotherPlugin) {
  const auto plugin = make_plugin("outer", {"outer op"}, {"outer layer"});
  plugin->on_custom_layers = [&] { registry.register_plugin(make_plugin("inner", {"inner op"}, {"inner layer"})); };
  registry.register_plugin(plugin);
  EXPECT_EQ(registered(), (Strings{"inner", "outer"}));
  EXPECT_EQ(engine.layers.list(), (Strings{"inner layer", "outer layer"}));
}

TEST_F(PluginReentrance, CleanupMayUnregisterAnotherPlugin) {
  for (const Strings& order : {Strings{"main", "helper"}, Strings{"helper", "main"}}) {
    for (const std::string& name : order) {
      const auto plugin = make_plugin(name, {name + " op"}, {name + " layer"});
      if (name == "main") plugin->on_cleanup = [](PluginRegistry& in) { in.unregister("helper"); };
      registry.register_plugin(plugin);
    }
    registry.register_plugin(make_plugin("bystander"));
    registry.unregister("main");
    EXPECT_EQ(registered(), (Strings{"bystander"}));
    registry.unregister("bystander");
    expect_empty();
  }
}

TEST_F(PluginReentrance, CleanupMayRegisterOtherPlugins) {
  const auto plugin = make_plugin("old", {"op"});
  plugin->on_cleanup = [](PluginRegistry& in) {
    for (int i = 0; i < 20; ++i) in.register_plugin(make_plugin("new " + std::to_string(i)));
  };
  registry.register_plugin(plugin);
  registry.unregister("old");
  EXPECT_EQ(registry.size(), 20U);
  EXPECT_FALSE(registry.is_registered("old"));
  EXPECT_EQ(engine.ops.list_custom(), Strings{});
}

TEST_F(PluginReentrance, CleanupMayNotUnregisterItsOwnPlugin) {
  const auto plugin = make_plugin("self", {"op"});
  plugin->on_cleanup = [](PluginRegistry& in) {
    EXPECT_MT_ERROR(in.unregister("self"), ErrorCode::kValue, "\"self\"");
    EXPECT_TRUE(in.is_registered("self"));
  };
  registry.register_plugin(plugin);
  registry.unregister("self");
  EXPECT_EQ(plugin->log.back(), "cleanup");
  expect_empty();
}

TEST_F(PluginReentrance, ACleanupThatUnregistersItselfAndDoesNotCatchIsReportedAfterTheRemoval) {
  const auto plugin = make_plugin("self", {"op"});
  plugin->on_cleanup = [](PluginRegistry& in) { in.unregister("self"); };
  registry.register_plugin(plugin);
  EXPECT_MT_ERROR(registry.unregister("self"), ErrorCode::kValue, "\"self\"");
  EXPECT_EQ(plugin->log.size(), 4U);
  expect_empty();
}

TEST_F(PluginReentrance, CleanupMayNotRegisterItsOwnNameAgain) {
  const auto plugin = make_plugin("self", {"op"});
  plugin->on_cleanup = [&](PluginRegistry& in) {
    EXPECT_MT_ERROR(in.register_plugin(make_plugin("self")), ErrorCode::kValue, "\"self\"");
    EXPECT_MT_ERROR(in.register_plugin(plugin), ErrorCode::kValue, "\"self\"");
  };
  registry.register_plugin(plugin);
  registry.unregister("self");
  expect_empty();
}

TEST_F(PluginReentrance, TwoPluginsThatUnregisterEachOtherAreBothRemoved) {
  const auto alpha = make_plugin("alpha", {"alpha op"});
  const auto beta = make_plugin("beta", {"beta op"});
  alpha->on_cleanup = [](PluginRegistry& in) { in.unregister("beta"); };
  beta->on_cleanup = [](PluginRegistry& in) { in.unregister("alpha"); };
  registry.register_plugin(alpha);
  registry.register_plugin(beta);
  // beta's cleanup meets alpha's, which is running; the error passes through both.
  EXPECT_MT_ERROR(registry.unregister("alpha"), ErrorCode::kValue, "\"alpha\"");
  expect_empty();
}

TEST_F(PluginReentrance, APluginThatOnlyItsRegistryHoldsStaysAliveWhileItsCallbacksRun) {
  auto plugin = make_plugin("self", {"op"});
  const std::weak_ptr<test::TestPlugin> weak = plugin;
  std::string seen;
  test::TestPlugin* self = plugin.get();
  plugin->on_cleanup = [self, &seen](PluginRegistry&) {
    self->ops.clear();
    seen = self->log.back();
  };
  registry.register_plugin(std::move(plugin));
  EXPECT_FALSE(weak.expired());
  registry.unregister(self->info().name);  // a name that lives in the plugin itself
  EXPECT_EQ(seen, "cleanup");
  EXPECT_TRUE(weak.expired());
}

TEST_F(PluginReentrance, CallbacksMayLookUpOtherPlugins) {
  registry.register_plugin(make_plugin("first"));
  const auto plugin = make_plugin("second");
  const auto check = [&] {
    EXPECT_TRUE(registry.is_registered("first"));
    EXPECT_EQ(registry.get_plugin("first")->info().name, "first");
    EXPECT_MT_ERROR(registry.get_plugin("third"), ErrorCode::kKey, "\"first\"");
  };
  plugin->on_initialize = [&](PluginRegistry&) { check(); };
  plugin->on_cleanup = [&](PluginRegistry&) { check(); };
  plugin->on_custom_operations = check;
  plugin->on_custom_layers = check;
  registry.register_plugin(plugin);
  registry.unregister("second");
}

TEST_F(PluginReentrance, CallbacksMayUseTheTablesThemselves) {
  const auto plugin = make_plugin("alpha", {"op", "other"});
  plugin->on_initialize = [&](PluginRegistry&) { engine.ops.add(make_op("helper"), ""); };
  plugin->on_cleanup = [&](PluginRegistry&) {
    engine.ops.remove_custom("helper");
    engine.ops.remove_custom("other");
  };
  registry.register_plugin(plugin);
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"helper", "op", "other"}));
  registry.unregister("alpha");
  expect_empty();
}

// Runs code when the last op that holds it is destroyed.
struct Farewell {
  explicit Farewell(std::function<void()> function) : on_end(std::move(function)) {}
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;
  ~Farewell() { on_end(); }

  std::function<void()> on_end;
};

std::shared_ptr<const Op> make_op_with_farewell(const std::string& name, std::function<void()> on_end) {
  auto op = std::make_shared<Op>(*make_op(name));
  op->forward = [held = std::make_shared<Farewell>(std::move(on_end))](std::span<const Tensor> inputs,
                                                                       const Attributes&) { return inputs[0]; };
  return op;
}

TEST_F(PluginReentrance, AnOpThatEndsWithItsPluginMayRegisterAnotherOneThen) {
  const auto plugin = make_plugin("alpha", {}, {"layer"});
  plugin->ops = {make_op_with_farewell("first",
                                       [&] {
                                         EXPECT_FALSE(engine.ops.contains("first"));
                                         registry.register_plugin(make_plugin("late", {"first"}));
                                       }),
                 make_op("second")};
  registry.register_plugin(plugin);
  plugin->ops.clear();
  registry.unregister("alpha");
  EXPECT_EQ(registered(), (Strings{"late"}));
  EXPECT_EQ(engine.ops.list_custom(), (Strings{"first"}));
}

TEST_F(PluginReentrance, AnOpThatEndsWithItsPluginDoesNotFindItAnyMore) {
  const auto plugin = make_plugin("alpha");
  bool ended = false;
  plugin->ops = {make_op_with_farewell("op", [&] {
    ended = true;
    EXPECT_FALSE(registry.is_registered("alpha"));
    EXPECT_MT_ERROR(registry.unregister("alpha"), ErrorCode::kValue, "\"alpha\"");
  })};
  registry.register_plugin(plugin);
  plugin->ops.clear();
  registry.unregister("alpha");
  EXPECT_TRUE(ended);
  EXPECT_EQ(plugin->log, (Strings{"initialize", "custom_operations", "custom_layers", "cleanup"}));
  expect_empty();
}

TEST_F(PluginReentrance, TheNameStaysTakenUntilARollbackIsComplete) {
  const auto plugin = make_plugin("alpha");
  bool ended = false;
  plugin->ops = {make_op_with_farewell("op",
                                       [&] {
                                         ended = true;
                                         EXPECT_MT_ERROR(registry.unregister("alpha"), ErrorCode::kValue, "\"alpha\"");
                                         EXPECT_MT_ERROR(registry.register_plugin(make_plugin("alpha")),
                                                         ErrorCode::kValue, "\"alpha\"");
                                       }),
                 make_op("add")};
  plugin->on_cleanup = [&](PluginRegistry&) { plugin->ops.clear(); };
  EXPECT_MT_ERROR(registry.register_plugin(plugin), ErrorCode::kValue, "\"add\"");
  EXPECT_TRUE(ended);
  expect_empty();
}

}  // namespace
}  // namespace minitensor
