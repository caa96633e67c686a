// Unloading: what forbids it, what it gives back.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "loader/loading.h"

namespace minitensor {
namespace {

using test::error_of;
using test::example_plugin;
using test::make_tensor;
using test::Strings;
using test::test_plugin;

class UnloadPlugin : public test::Loading {};

TEST_F(UnloadPlugin, UnloadingPutsEverythingBack) {
  const Strings before = engine().contents();
  load(example_plugin("rmsnorm"));
  EXPECT_NE(engine().contents(), before);
  unload("rmsnorm");
  EXPECT_EQ(engine().contents(), before);
  EXPECT_FALSE(engine().loader.is_plugin_loaded("rmsnorm"));
  EXPECT_MT_ERROR(run("rmsnorm", {}), ErrorCode::kValue, "no op \"rmsnorm\" is registered");
  EXPECT_MT_ERROR(engine().layers.create("RMSNorm", {}), ErrorCode::kValue, "no layer type \"RMSNorm\"");
}

TEST_F(UnloadPlugin, AnUnknownNameIsAnErrorThatListsTheLoadedOnes) {
  EXPECT_PLUGIN_ERROR(unload("swish"), "lookup", "unload_plugin: no plugin \"swish\" is loaded; loaded are: none");
  load(example_plugin("swish"));
  load(example_plugin("rmsnorm"));
  EXPECT_PLUGIN_ERROR(unload("swsh"), "lookup",
                      "unload_plugin: no plugin \"swsh\" is loaded; loaded are: \"swish\", \"rmsnorm\"");
  EXPECT_PLUGIN_ERROR(engine().loader.get_plugin_info(""), "lookup", "get_plugin_info: no plugin \"\" is loaded");
  unload("swish");
  EXPECT_PLUGIN_ERROR(unload("swish"), "lookup", "loaded are: \"rmsnorm\"");
}

TEST_F(UnloadPlugin, LayersThatAreAliveForbidItAndAreNamed) {
  load(example_plugin("rmsnorm"));
  auto first = engine().layers.create("RMSNorm", {{"size", 2.0}});
  auto second = engine().layers.create("RMSNorm", {{"size", 3.0}});
  const Strings contents = engine().contents();
  const Error error = error_of([&] { unload("rmsnorm"); });
  EXPECT_EQ(error.code(), ErrorCode::kPlugin);
  EXPECT_EQ(error.message(), "unload_plugin: plugin \"rmsnorm\" is in use by layer \"RMSNorm\" (2)");
  EXPECT_EQ(error.details().phase, "unload");
  EXPECT_EQ(error.details().plugin, "rmsnorm");
  EXPECT_EQ(engine().contents(), contents);
  first.reset();
  EXPECT_PLUGIN_ERROR(unload("rmsnorm"), "unload", "is in use by layer \"RMSNorm\"");
  EXPECT_EQ(second->forward(std::vector<Tensor>{make_tensor({1, 1, 1}, {3})}).size(), 3);
  second.reset();
  EXPECT_NO_THROW(unload("rmsnorm"));
}

TEST_F(UnloadPlugin, AFailedLayerForbidsNothing) {
  load(example_plugin("rmsnorm"));
  EXPECT_THROW(engine().layers.create("RMSNorm", {{"size", -1.0}}), Error);
  EXPECT_NO_THROW(unload("rmsnorm"));
}

TEST_F(UnloadPlugin, AnOpThatIsStillHeldSaysThatItsPluginWasUnloaded) {
  const std::size_t code = test::loaded_code();
  load(example_plugin("swish"));
  const auto op = engine().ops.get("swish");
  unload("swish");
  EXPECT_EQ(test::loaded_code(), code) << "its code is given back all the same";
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  EXPECT_PLUGIN_ERROR(run_op(*op, x, {}), "call", "op \"swish\": plugin \"swish\" was unloaded");
  EXPECT_PLUGIN_ERROR(run_op_backward(*op, x, {}, x[0], x[0]), "call", "op \"swish\": plugin \"swish\" was unloaded");
  load(example_plugin("swish"));
  EXPECT_EQ(run("swish", x).item(), 0);
  EXPECT_PLUGIN_ERROR(run_op(*op, x, {}), "call", "was unloaded");
}

TEST_F(UnloadPlugin, ByForceLayersAreBroken) {
  load(example_plugin("rmsnorm"));
  const auto type = engine().layers.get("RMSNorm");
  const auto layer = engine().layers.create("RMSNorm", {{"size", 2.0}});
  const std::size_t code = test::loaded_code();
  EXPECT_PLUGIN_ERROR(unload("rmsnorm"), "unload", "plugin \"rmsnorm\" is in use by layer \"RMSNorm\"");
  engine().loader.unload_plugin("rmsnorm", {.force = true});
  EXPECT_LT(test::loaded_code(), code);
  const std::vector<Tensor> x = {make_tensor({1, 2}, {2})};
  for (int i = 0; i < 2; ++i) {
    EXPECT_PLUGIN_ERROR(layer->forward(x), "call", "layer type \"RMSNorm\": plugin \"rmsnorm\" was unloaded");
  }
  EXPECT_EQ(layer->get_parameter("weight").to_vector(), (std::vector<double>{1, 1})) << "the engine's own";
  EXPECT_PLUGIN_ERROR(type->create(Attributes::resolve(type->attributes, {{"size", 2.0}}, "")), "call", "was unloaded");
  // A new plugin has new layers, and the old layer stays broken.
  load(example_plugin("rmsnorm"));
  EXPECT_NO_THROW(engine().layers.create("RMSNorm", {{"size", 2.0}})->forward(x));
  EXPECT_PLUGIN_ERROR(layer->forward(x), "call", "was unloaded");
  EXPECT_NO_THROW(unload("rmsnorm"));
}

TEST_F(UnloadPlugin, ALayerWithAnotherForwardHoldsNothing) {
  load(example_plugin("rmsnorm"));
  const auto layer = engine().layers.create("RMSNorm", {{"size", 2.0}});
  layer->set_forward([](const CustomLayer&, std::span<const Tensor> inputs) { return inputs[0]; });
  EXPECT_NO_THROW(unload("rmsnorm"));
  EXPECT_EQ(layer->forward(std::vector<Tensor>{make_tensor({7}, {1})}).item(), 7);
}

TEST_F(UnloadPlugin, RecordedGradientsForbidItAndAreNamed) {
  load(example_plugin("swish"));
  const auto op = engine().ops.get("swish");
  CodeHold first = hold_for_gradient(*op);
  CodeHold second = hold_for_gradient(*op);
  EXPECT_PLUGIN_ERROR(unload("swish"), "unload", "in use by recorded gradient of op \"swish\" (2)");
  first.reset();
  EXPECT_PLUGIN_ERROR(unload("swish"), "unload", "in use by recorded gradient of op \"swish\"");
  engine().loader.unload_plugin("swish", {.force = true});
  load(example_plugin("swish"));
  EXPECT_NO_THROW(unload("swish")) << "the old holder is none of the new plugin's";
  EXPECT_EQ(hold_for_gradient(*engine().ops.get("add")), nullptr) << "the engine's own ops are never unloaded";
}

TEST_F(UnloadPlugin, EachStepOfTheEndIsTakenOnceAndInOrder) {
  const Tensor watched = Tensor::zeros({2}, DType::kFloat64);
  load(test_plugin("lifecycle"));
  run("watch", {watched});
  EXPECT_EQ(watched.to_vector(), (std::vector<double>{0, 0}));
  unload("lifecycle");
  EXPECT_EQ(watched.to_vector(), (std::vector<double>{1234, 1})) << "cleanup, destroy, atexit from last to first";
}

TEST_F(UnloadPlugin, TheEndOfTheLoaderUnloadsEveryPluginTheNewestFirst) {
  OpRegistry ops;
  LayerRegistry layers;
  Strings lines;
  const Tensor watched = Tensor::zeros({2}, DType::kFloat64);
  {
    PluginLoader loader(ops, layers);
    loader.set_log([&](std::string_view, std::string_view line) { lines.emplace_back(line); });
    loader.load_plugin(test_plugin("registers_late"));
    loader.load_plugin(test_plugin("cpp_plugin"));
    loader.load_plugin(test_plugin("lifecycle"));
    loader.load_plugin(test_plugin("cleanup_fails"));
    ops.execute("watch", std::vector<Tensor>{watched});
    lines.clear();
  }
  EXPECT_EQ(lines, (Strings{"cpp_plugin: 0 calls", "registers_late: cleanup"}));
  EXPECT_EQ(watched.to_vector(), (std::vector<double>{1234, 1}));
  EXPECT_EQ(ops.size(), 0U);
  EXPECT_TRUE(layers.list().empty());
}

TEST_F(UnloadPlugin, AnOpOutlivesTheTablesThatItCalls) {
  std::shared_ptr<const Op> op;
  {
    test::LoadingEngine own;
    own.loader.load_plugin(test_plugin("call_op_user"));
    op = own.ops.get("sum_of_products");
  }
  const std::vector<Tensor> x = {make_tensor({1}, {1}), make_tensor({1}, {1})};
  EXPECT_PLUGIN_ERROR(run_op(*op, x, {}), "call", "plugin \"call_op_user\" was unloaded");
}

TEST_F(UnloadPlugin, AnEngineThatEndsWhileAPluginRunsIsNotCalled) {
  auto own = std::make_unique<PluginLoader>(engine().ops, engine().layers);
  own->load_plugin(test_plugin("call_op_user"));
  engine().ops.remove("mul", kEngineOwner);
  Op op;
  op.name = "mul";
  op.inputs = {"a", "b"};
  op.forward = [&](std::span<const Tensor> inputs, const Attributes&) {
    own.reset();
    return inputs[0];
  };
  engine().ops.add(std::make_shared<Op>(op), "");
  const std::vector<Tensor> x = {make_tensor({1}, {1}), make_tensor({1}, {1})};
  EXPECT_PLUGIN_ERROR(run("sum_of_products", x), "call", "the engine that loaded plugin \"call_op_user\" is gone");
  EXPECT_FALSE(engine().ops.contains("sum_of_products"));
}

TEST_F(UnloadPlugin, APluginIsNotUnloadedByItsOwnCall) {
  load(test_plugin("call_op_user"));
  // sum_of_products calls mul, in whose place stands an op that tries it.
  engine().ops.remove("mul", kEngineOwner);
  bool by_force = false;
  Op op;
  op.name = "mul";
  op.inputs = {"a", "b"};
  op.forward = [&](std::span<const Tensor> inputs, const Attributes&) {
    engine().loader.unload_plugin("call_op_user", {.force = by_force});
    return inputs[0];
  };
  engine().ops.add(std::make_shared<Op>(op), "");
  const std::vector<Tensor> x = {make_tensor({1}, {1}), make_tensor({1}, {1})};
  EXPECT_PLUGIN_ERROR(run("sum_of_products", x), "unload", "is in use by running calls: op \"sum_of_products\"");
  by_force = true;
  EXPECT_PLUGIN_ERROR(run("sum_of_products", x), "unload", "is in use by running calls: op \"sum_of_products\"");
  EXPECT_TRUE(engine().loader.is_plugin_loaded("call_op_user"));
  EXPECT_NO_THROW(unload("call_op_user"));
}

TEST_F(UnloadPlugin, PluginsAreLoadedAndUnloadedWhileAnotherRuns) {
  load(test_plugin("call_op_user"));
  engine().ops.remove("mul", kEngineOwner);
  Op op;
  op.name = "mul";
  op.inputs = {"a", "b"};
  op.forward = [&](std::span<const Tensor> inputs, const Attributes&) {
    load(example_plugin("swish"));
    Tensor result = run("swish", {inputs[0]});
    unload("swish");
    return result;
  };
  engine().ops.add(std::make_shared<Op>(op), "");
  EXPECT_EQ(run("sum_of_products", {make_tensor({0}, {1}), make_tensor({0}, {1})}).item(), 0);
}

TEST_F(UnloadPlugin, AnOpThatThrowsAnythingIsAnErrorOfTheCall) {
  load(test_plugin("call_op_user"));
  engine().ops.remove("mul", kEngineOwner);
  Op op;
  op.name = "mul";
  op.inputs = {"a", "b"};
  op.forward = [](std::span<const Tensor>, const Attributes&) -> Tensor { throw 42; };
  engine().ops.add(std::make_shared<Op>(op), "");
  const std::vector<Tensor> x = {make_tensor({1}, {1}), make_tensor({1}, {1})};
  EXPECT_MT_ERROR(run("sum_of_products", x), ErrorCode::kInternal, "op \"sum_of_products\": ");
}

TEST_F(UnloadPlugin, ACleanupThatFailsIsReportedAfterTheRemoval) {
  const Strings before = engine().contents();
  load(test_plugin("cleanup_fails"));
  EXPECT_PLUGIN_ERROR(
      unload("cleanup_fails"), "cleanup",
      "unload_plugin: plugin \"cleanup_fails\" is unloaded, but failed at its end: cleanup: cleanup fails");
  EXPECT_EQ(engine().contents(), before);
  load(test_plugin("cleanup_fails"));
}

TEST_F(UnloadPlugin, AnApplicationMayTakeAnOpAwayBeforehand) {
  load(test_plugin("registers_late"));
  engine().ops.remove_custom("early_op");
  EXPECT_EQ(engine().loader.get_plugin_info("registers_late").ops, Strings{"late_op"});
  EXPECT_NO_THROW(unload("registers_late"));
  EXPECT_TRUE(engine().ops.list_custom().empty());
}

TEST_F(UnloadPlugin, LoadingAndUnloadingAgainAndAgainTakesNothing) {
  const auto cycle = [&] {
    for (const char* name : {"swish", "rmsnorm"}) load(example_plugin(name));
    for (const char* name : {"static_state", "cpp_plugin", "registers_late"}) load(test_plugin(name));
    const std::vector<Tensor> x = {make_tensor({0}, {1})};
    EXPECT_EQ(run("count_calls", x).item(), 1) << "its state is new";
    EXPECT_EQ(run("cpp_calls", x).item(), 1);
    EXPECT_THROW(run("throws", x), Error);
    EXPECT_EQ(engine().layers.create("RMSNorm", {{"size", 1.0}})->forward(x).item(), 0);
    EXPECT_THROW(load(test_plugin("init_fails")), Error);
    EXPECT_THROW(load(test_plugin("missing_import")), Error);
    for (const char* name : {"swish", "rmsnorm", "static_state", "cpp_plugin", "registers_late"}) unload(name);
  };
  // `npm run soak` asks for more of them.
  const char* const asked = std::getenv("MINITENSOR_SOAK_CYCLES");
  const int cycles = asked == nullptr ? 200 : std::atoi(asked);
  for (int i = 0; i < std::max(20, cycles / 10); ++i) cycle();  // until every lazily made thing is there
  const std::size_t heap = test::heap_in_use();
  const std::size_t table = test::table_size();
  const std::size_t code = test::loaded_code();
  const std::size_t storage = Storage::live_bytes();
  const std::size_t resident = test::resident_bytes();
  for (int i = 0; i < cycles; ++i) cycle();
  EXPECT_EQ(test::table_size(), table);
  EXPECT_EQ(test::loaded_code(), code);
  EXPECT_EQ(Storage::live_bytes(), storage);
  // glibc counts what it keeps at hand for the next allocation as in use: some kilobytes, which vary. The smallest leak
  // there is, one block of 32 bytes a cycle, is more than this.
  constexpr std::size_t kKeptAtHand = 4096;
  EXPECT_LE(test::heap_in_use(), heap + kKeptAtHand + static_cast<std::size_t>(cycles) * test::kHeapOfToolsPerCycle);
  if (asked == nullptr) return;
  std::cout << cycles << " cycles: heap " << heap << " -> " << test::heap_in_use() << " bytes, resident " << resident
            << " -> " << test::resident_bytes() << " bytes, libraries " << code << " -> " << test::loaded_code()
            << '\n';
  // Pages come and go; a page lost in every tenth cycle of 10,000 would be as much.
  EXPECT_LE(test::resident_bytes(), resident + (std::size_t{4} << 20U));
}

TEST_F(UnloadPlugin, TheOrderOfUnloadingIsFree) {
  const Strings names = {"value_one", "static_state", "mixed", "cpp_plugin"};
  const Strings plugins = {"value", "static_state", "mixed", "cpp_plugin"};
  std::size_t table = 0;
  for (std::size_t first = 0; first < names.size(); ++first) {
    for (int round = 0; round < 3; ++round) {
      for (const std::string& name : names) load(test_plugin(name));
      for (std::size_t i = 0; i < names.size(); ++i) unload(plugins[(first + i) % names.size()]);
      if (table == 0) table = test::table_size();
      EXPECT_EQ(test::table_size(), table) << "slots that are free are used again";
    }
  }
}

TEST_F(UnloadPlugin, ManyPluginsAreLoadedAtOnce) {
  const Strings names = {"all_attributes",  "bad_output_shape", "call_op_user", "cleanup_fails", "cpp_plugin",
                         "escapes_from_op", "misuse",           "mixed",        "old_struct",    "registers_late",
                         "static_state",    "throws_trap",      "value_one",    "value_other"};
  for (const std::string& name : names) load(test_plugin(name));
  EXPECT_EQ(engine().loader.list_plugins().size(), names.size());
  const std::vector<Tensor> x = {make_tensor({4}, {1})};
  EXPECT_EQ(run("old_struct_op", x).item(), 4);
  EXPECT_EQ(run("value", x).item(), 1);
  EXPECT_EQ(run("other_value", x).item(), 3);
  EXPECT_EQ(run("count_calls", x).item(), 1);
  // The engine takes them along as it ends.
}

TEST_F(UnloadPlugin, ALayerThatOutlivesItsLoaderIsBroken) {
  OpRegistry ops;
  LayerRegistry layers;
  register_builtin_ops(ops);
  std::shared_ptr<CustomLayer> layer;
  {
    PluginLoader loader(ops, layers);
    loader.load_plugin(test_plugin("cpp_plugin"));
    layer = layers.create("CppScale", {{"by", 2.0}});
  }
  EXPECT_TRUE(layers.list().empty());
  EXPECT_PLUGIN_ERROR(layer->forward(std::vector<Tensor>{make_tensor({3}, {1})}), "call",
                      "layer type \"CppScale\": plugin \"cpp_plugin\" was unloaded");
}

}  // namespace
}  // namespace minitensor
