// PluginRegistry::register_plugin is a transaction: these tests let every step of it fail.

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "minitensor/plugin/plugin_registry.h"
#include "plugin/test_plugin.h"
#include "support/expect_error.h"

namespace minitensor {
namespace {

using test::Engine;
using test::make_layer_type;
using test::make_op;
using test::make_plugin;
using test::Strings;
using test::TestPlugin;

// One plugin stands in the engine's registry, another in a second registry over the same tables, and the application
// has an op and a layer type of its own.
class PluginTransaction : public testing::Test {
 protected:
  PluginTransaction() {
    engine.registry.register_plugin(make_plugin("neighbour", {"taken by neighbour"}, {"layer of neighbour"}));
    other.register_plugin(make_plugin("stranger", {"taken by stranger"}, {"layer of stranger"}));
    engine.ops.add(make_op("taken by application"), "");
    engine.layers.add(make_layer_type("layer of application"), "");
    before = contents();
  }

  Strings contents() const {
    Strings lines = engine.contents();
    const Strings others = engine.contents(other);
    lines.insert(lines.end(), others.begin(), others.end());
    return lines;
  }

  static bool cleaned_up(const TestPlugin& plugin) {
    EXPECT_LE(std::count(plugin.log.begin(), plugin.log.end(), "cleanup"), 1);
    return std::count(plugin.log.begin(), plugin.log.end(), "cleanup") == 1;
  }

  // The exception that registering throws, null when there is none. Nothing else may have changed.
  std::exception_ptr thrown_by_registering(const std::shared_ptr<TestPlugin>& plugin) {
    std::exception_ptr thrown;
    try {
      engine.registry.register_plugin(plugin);
    } catch (...) {
      thrown = std::current_exception();
    }
    EXPECT_EQ(contents(), before);
    EXPECT_FALSE(engine.registry.is_registered(plugin->info().name));
    // The same name is free again.
    const auto follower = make_plugin(plugin->info().name, {"op of follower"}, {"layer of follower"});
    engine.registry.register_plugin(follower);
    engine.registry.unregister(follower->info().name);
    EXPECT_EQ(contents(), before);
    return thrown;
  }

  // Lets `place` throw errors of several kinds: that same exception object has to come out.
  void expect_the_same_error(const std::function<void(TestPlugin&, std::function<void()>)>& place, bool cleanup) {
    const std::vector<std::exception_ptr> errors = {
        std::make_exception_ptr(Error(ErrorCode::kShape, "thrown by the plugin")),
        std::make_exception_ptr(std::runtime_error("stray")),
        std::make_exception_ptr(std::bad_alloc()),
        std::make_exception_ptr(42),
    };
    for (const std::exception_ptr& error : errors) {
      for (const bool cleanup_throws : {false, true}) {
        const auto plugin = make_plugin("faulty", {"first", "second"}, {"one", "two"});
        place(*plugin, [error] { std::rethrow_exception(error); });
        if (cleanup_throws) {
          plugin->on_cleanup = [](PluginRegistry&) { throw Error(ErrorCode::kValue, "cleanup failed too"); };
        }
        EXPECT_TRUE(thrown_by_registering(plugin) == error);
        EXPECT_EQ(cleaned_up(*plugin), cleanup);
        EXPECT_EQ(plugin.use_count(), 1);
      }
    }
  }

  // Registering the plugin is a kValue that contains the texts, and cleanup is called.
  void expect_clash(const std::shared_ptr<TestPlugin>& plugin, const Strings& texts) {
    const std::exception_ptr thrown = thrown_by_registering(plugin);
    ASSERT_TRUE(thrown != nullptr);
    for (const std::string& text : texts) EXPECT_MT_ERROR(std::rethrow_exception(thrown), ErrorCode::kValue, text);
    EXPECT_TRUE(cleaned_up(*plugin));
    EXPECT_EQ(plugin.use_count(), 1);
  }

  Engine engine;
  PluginRegistry other{engine.ops, engine.layers};
  Strings before;
};

TEST_F(PluginTransaction, ATakenNameIsRefusedBeforeAnyCallback) {
  const auto plugin = make_plugin("neighbour", {"first"}, {"one"});
  EXPECT_MT_ERROR(engine.registry.register_plugin(plugin), ErrorCode::kValue, "\"neighbour\"");
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(plugin->log, Strings{});
  EXPECT_EQ(plugin.use_count(), 1);
}

TEST_F(PluginTransaction, TheSamePluginTwiceIsRefusedAndTheFirstStays) {
  const auto plugin = make_plugin("alpha", {"first"}, {"one"});
  engine.registry.register_plugin(plugin);
  before = contents();
  EXPECT_MT_ERROR(engine.registry.register_plugin(plugin), ErrorCode::kValue, "\"alpha\"");
  EXPECT_EQ(contents(), before);
  EXPECT_FALSE(cleaned_up(*plugin));
}

TEST_F(PluginTransaction, AVersionThatIsNotAcceptedIsRefusedBeforeAnyCallback) {
  const VersionInfo current = VersionInfo::current();
  const auto plugin = make_plugin("alpha", {"first"}, {"one"});
  plugin->metadata.min_minitensor_version = {current.major, current.minor, current.patch + 1};
  EXPECT_MT_ERROR(engine.registry.register_plugin(plugin), ErrorCode::kPlugin, "\"alpha\"");
  plugin->metadata.min_minitensor_version = {current.major + 1, 0, 0};
  EXPECT_MT_ERROR(engine.registry.register_plugin(plugin), ErrorCode::kPlugin, to_string(current));
  EXPECT_TRUE(thrown_by_registering(plugin) != nullptr);
  EXPECT_EQ(plugin->log, Strings{});
  EXPECT_EQ(plugin.use_count(), 1);
}

TEST_F(PluginTransaction, ATakenNameIsReportedBeforeAVersionThatIsNotAccepted) {
  const auto plugin = make_plugin("neighbour");
  plugin->metadata.min_minitensor_version = {VersionInfo::current().major + 1, 0, 0};
  EXPECT_MT_ERROR(engine.registry.register_plugin(plugin), ErrorCode::kValue, "\"neighbour\"");
}

TEST_F(PluginTransaction, InitializeThatThrowsLeavesNothingAndIsNotCleanedUp) {
  expect_the_same_error([](TestPlugin& plugin,
                           std::function<void()> fail) { plugin.on_initialize = [fail](PluginRegistry&) { fail(); }; },
                        false);
}

TEST_F(PluginTransaction, CustomOperationsThatThrowsLeavesNothingAndIsCleanedUp) {
  expect_the_same_error([](TestPlugin& plugin, std::function<void()> fail) { plugin.on_custom_operations = fail; },
                        true);
}

TEST_F(PluginTransaction, CustomLayersThatThrowsLeavesNothingAndIsCleanedUp) {
  expect_the_same_error([](TestPlugin& plugin, std::function<void()> fail) { plugin.on_custom_layers = fail; }, true);
}

TEST_F(PluginTransaction, AnyOpOfManyThatClashesLeavesNothingAndBothOwnersAreNamed) {
  const std::vector<Strings> clashes = {{"add", "engine"},
                                        {"taken by neighbour", "\"neighbour\""},
                                        {"taken by stranger", "\"stranger\""},
                                        {"taken by application", "application"}};
  constexpr std::size_t kOps = 5;
  for (const Strings& clash : clashes) {
    ASSERT_TRUE(engine.ops.contains(clash[0])) << clash[0];
    for (std::size_t k = 0; k < kOps; ++k) {
      const auto plugin = make_plugin("alpha", {"op 0", "op 1", "op 2", "op 3", "op 4"}, {"one"});
      plugin->ops[k] = make_op(clash[0]);
      expect_clash(plugin, {"\"" + clash[0] + "\"", clash[1], "\"alpha\""});
    }
  }
}

TEST_F(PluginTransaction, AnOpNameThatThePluginRepeatsLeavesNothing) {
  for (std::size_t k = 1; k < 5; ++k) {
    const auto plugin = make_plugin("alpha", {"op 0", "op 1", "op 2", "op 3", "op 4"}, {"one"});
    plugin->ops[k] = make_op("op 0");
    expect_clash(plugin, {"\"op 0\"", "\"alpha\""});
  }
  const auto same_object = make_plugin("alpha", {"op 0"});
  same_object->ops.push_back(same_object->ops[0]);
  expect_clash(same_object, {"\"op 0\"", "\"alpha\""});
}

TEST_F(PluginTransaction, AnyOpOfManyThatIsIncompleteLeavesNothing) {
  Op without_forward = *make_op("op");
  without_forward.forward = nullptr;
  const std::vector<std::shared_ptr<const Op>> incomplete = {nullptr, make_op(""),
                                                             std::make_shared<const Op>(without_forward)};
  for (const auto& op : incomplete) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto plugin = make_plugin("alpha", {"op 0", "op 1", "op 2"}, {"one"});
      plugin->ops[k] = op;
      expect_clash(plugin, {"name", "forward"});
    }
  }
}

TEST_F(PluginTransaction, AnyLayerOfManyThatClashesLeavesNothingAndBothOwnersAreNamed) {
  const std::vector<Strings> clashes = {{"layer of neighbour", "\"neighbour\""},
                                        {"layer of stranger", "\"stranger\""},
                                        {"layer of application", "application"}};
  for (const Strings& clash : clashes) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto plugin = make_plugin("alpha", {"op 0", "op 1"}, {"one", "two", "three"});
      plugin->layers[k] = make_layer_type(clash[0]);
      expect_clash(plugin, {"\"" + clash[0] + "\"", clash[1], "\"alpha\""});
    }
  }
}

TEST_F(PluginTransaction, ALayerNameThatThePluginRepeatsLeavesNothing) {
  expect_clash(make_plugin("alpha", {"op 0"}, {"one", "two", "one"}), {"\"one\"", "\"alpha\""});
}

TEST_F(PluginTransaction, AnyLayerOfManyThatIsIncompleteLeavesNothing) {
  LayerType without_create = *make_layer_type("layer");
  without_create.create = nullptr;
  LayerType wrong_attributes = *make_layer_type("layer");
  wrong_attributes.attributes = {{"units", AttributeType::kNumber, AttributeValue(true)}};
  const std::vector<std::shared_ptr<const LayerType>> incomplete = {
      nullptr, make_layer_type(""), std::make_shared<const LayerType>(without_create),
      std::make_shared<const LayerType>(wrong_attributes)};
  for (const auto& layer : incomplete) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto plugin = make_plugin("alpha", {"op 0", "op 1"}, {"one", "two", "three"});
      plugin->layers[k] = layer;
      expect_clash(plugin, {"layer"});
    }
  }
}

TEST_F(PluginTransaction, AnOpAndALayerTypeMayHaveTheSameName) {
  engine.registry.register_plugin(make_plugin("alpha", {"dense"}, {"dense"}));
  engine.registry.unregister("alpha");
  EXPECT_EQ(contents(), before);
}

TEST_F(PluginTransaction, OpsThatWereAddedBeforeTheFailureDoNotStayAlive) {
  const auto plugin = make_plugin("alpha", {"first", "add"});
  const std::weak_ptr<const Op> first = plugin->ops[0];
  EXPECT_TRUE(thrown_by_registering(plugin) != nullptr);
  plugin->ops.clear();
  EXPECT_TRUE(first.expired());
}

TEST_F(PluginTransaction, CleanupRunsBeforeTheOpsThatWereAddedAreRemoved) {
  const auto plugin = make_plugin("alpha", {"first", "add"});
  plugin->on_cleanup = [&](PluginRegistry& registry) {
    EXPECT_TRUE(engine.ops.contains("first"));
    EXPECT_FALSE(registry.is_registered("alpha"));
  };
  expect_clash(plugin, {"\"add\""});
}

TEST_F(PluginTransaction, ACleanupThatThrowsDuringRollbackDoesNotHideTheFirstError) {
  const auto plugin = make_plugin("alpha", {"first", "add"}, {"one"});
  plugin->on_cleanup = [](PluginRegistry&) { throw std::runtime_error("cleanup failed too"); };
  expect_clash(plugin, {"\"add\""});
}

TEST_F(PluginTransaction, SucceedsOnceTheCauseIsGone) {
  const auto plugin = make_plugin("alpha", {"first", "taken by neighbour"}, {"one"});
  expect_clash(plugin, {"\"neighbour\""});
  engine.registry.unregister("neighbour");
  plugin->log.clear();
  engine.registry.register_plugin(plugin);
  EXPECT_TRUE(engine.registry.is_registered("alpha"));
  EXPECT_EQ(engine.ops.owner_of("taken by neighbour"), "alpha");
  EXPECT_EQ(plugin->log, (Strings{"initialize", "custom_operations", "custom_layers"}));
}

TEST_F(PluginTransaction, ManyFailuresLeaveNothing) {
  for (int i = 0; i < 1000; ++i) {
    const auto plugin = make_plugin("alpha", {"first", "second", "add"});
    EXPECT_MT_ERROR(engine.registry.register_plugin(plugin), ErrorCode::kValue, "\"add\"");
  }
  EXPECT_EQ(contents(), before);
}

}  // namespace
}  // namespace minitensor
