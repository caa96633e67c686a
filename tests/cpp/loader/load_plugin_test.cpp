// Plugins that are as they should be: what they compute, and what the loader says of them.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "loader/loading.h"
#include "support/expect_gradients.h"
#include "support/expect_tensor.h"

namespace minitensor {
namespace {

using test::example_plugin;
using test::expect_gradients;
using test::make_tensor;
using test::pseudo_random;
using test::Strings;
using test::test_plugin;

class LoadPlugin : public test::Loading {};

double swish(double x, double beta) { return x / (1 + std::exp(-beta * x)); }

TEST_F(LoadPlugin, SwishIsLoadedAndDescribed) {
  const PluginInfo info = load(example_plugin("swish"));
  EXPECT_EQ(info.name, "swish");
  EXPECT_EQ(info.version, (VersionInfo{1, 0, 0}));
  EXPECT_EQ(info.author, "The MiniTensor authors");
  EXPECT_FALSE(info.max_minitensor_version);
  EXPECT_TRUE(engine().loader.is_plugin_loaded("swish"));
  const LoadedPluginInfo loaded = engine().loader.get_plugin_info("swish");
  EXPECT_EQ(static_cast<const PluginInfo&>(loaded), info);
  EXPECT_EQ(loaded.origin, example_plugin("swish"));
  EXPECT_EQ(loaded.ops, Strings{"swish"});
  EXPECT_EQ(loaded.layer_types, Strings{});
  EXPECT_FALSE(loaded.faulted());
  EXPECT_EQ(engine().loader.list_plugins().size(), 1U);
  EXPECT_EQ(engine().ops.owner_of("swish"), "swish");
  EXPECT_EQ(engine().ops.get("swish")->summary, "x * sigmoid(beta * x), element by element");
}

TEST_F(LoadPlugin, SwishComputesItsFormula) {
  load(example_plugin("swish"));
  std::vector<double> x = {0, -0.0, 1, -1, 0.1, -0.1, 20, -20, 750, -750, 1e30, -1e30, 1e-30};
  for (int i = -40; i <= 40; ++i) x.push_back(i * 0.37);
  const Shape shape{static_cast<std::int64_t>(x.size())};
  for (const double beta : {1.0, 0.25, -2.0, 0.0}) {
    std::vector<double> expected;
    for (const double value : x) expected.push_back(swish(value, beta));
    const NamedAttributes attributes = {{"beta", beta}};
    EXPECT_TRUE(test::tensor_matches(run("swish", {make_tensor(x, shape, DType::kFloat64)}, attributes), shape,
                                     expected, {1e-300, 8}))
        << beta;
    std::vector<double> rounded;
    for (const double value : x) rounded.push_back(swish(static_cast<float>(value), beta));
    EXPECT_TRUE(test::tensor_matches(run("swish", {make_tensor(x, shape)}, attributes), shape, rounded, {1e-37, 1}))
        << beta;
  }
}

TEST_F(LoadPlugin, SwishKeepsShapesAndTakesAnyStrides) {
  load(example_plugin("swish"));
  const Tensor x = pseudo_random({3, 4, 2}, DType::kFloat64);
  const Tensor expected = run("swish", {x});
  EXPECT_EQ(expected.shape(), (Shape{3, 4, 2}));
  EXPECT_TRUE(test::tensors_equal(run("swish", {test::with_gaps(x)}), expected));
  EXPECT_TRUE(test::tensors_equal(run("swish", {test::with_reversed_axes(x)}), expected));
  EXPECT_EQ(run("swish", {Tensor::empty({0, 3}, DType::kFloat32)}).shape(), (Shape{0, 3}));
  EXPECT_EQ(run("swish", {Tensor::zeros({}, DType::kFloat32)}).item(), 0);
}

TEST_F(LoadPlugin, TheGradientOfSwishIsThatOfItsFormula) {
  load(example_plugin("swish"));
  const auto op = engine().ops.get("swish");
  for (const double beta : {1.0, -0.5, 3.0})
    expect_gradients(*op, {pseudo_random({5, 3}, DType::kFloat64)}, {{"beta", beta}});
}

TEST_F(LoadPlugin, AGradientIsRefusedForAnOutputThatForwardDoesNotGive) {
  load(example_plugin("swish"));
  const Op& swish = *engine().ops.get("swish");
  const std::vector<Tensor> inputs = {Tensor::from<float>({1, 2}, {2})};
  const Tensor longer = Tensor::zeros({3}, DType::kFloat32);
  EXPECT_MT_ERROR(run_op_backward(swish, inputs, {}, longer, longer), ErrorCode::kShape,
                  "op \"swish\": its gradient is asked for with an output of shape [3] and dtype float32, but forward "
                  "gives [2] and float32");
}

TEST_F(LoadPlugin, RmsnormComputesItsFormula) {
  load(example_plugin("rmsnorm"));
  const Tensor x = pseudo_random({2, 3, 5}, DType::kFloat64, 3);
  const Tensor weight = pseudo_random({5}, DType::kFloat64, 4);
  const std::vector<double> values = x.to_vector();
  const std::vector<double> weights = weight.to_vector();
  std::vector<double> expected;
  for (std::size_t row = 0; row < 6; ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < 5; ++i) squares += values[row * 5 + i] * values[row * 5 + i];
    for (std::size_t i = 0; i < 5; ++i) {
      expected.push_back(values[row * 5 + i] / std::sqrt(squares / 5 + 0.125) * weights[i]);
    }
  }
  const NamedAttributes attributes = {{"epsilon", 0.125}};
  EXPECT_TRUE(test::tensor_matches(run("rmsnorm", {x, weight}, attributes), x.shape(), expected, {1e-14, 0}));
  EXPECT_TRUE(test::tensor_matches(run("rmsnorm", {x.cast(DType::kFloat32), weight.cast(DType::kFloat32)}, attributes),
                                   x.shape(), expected, {1e-6, 0}));
}

TEST_F(LoadPlugin, TheGradientsOfRmsnormAreThoseOfItsFormula) {
  load(example_plugin("rmsnorm"));
  expect_gradients(*engine().ops.get("rmsnorm"),
                   {pseudo_random({2, 2, 4}, DType::kFloat64, 5), pseudo_random({4}, DType::kFloat64, 6)},
                   {{"epsilon", 0.01}});
}

TEST_F(LoadPlugin, WhatAnOpValidatesComesOutAsItsError) {
  load(example_plugin("rmsnorm"));
  EXPECT_MT_ERROR(run("rmsnorm", {test::iota({2, 3}), test::iota({4})}), ErrorCode::kShape,
                  "weight must be of shape [3], the size of the last axis of x, but it is [4]");
  EXPECT_MT_ERROR(run("rmsnorm", {test::iota({3}), test::iota({3})}, {{"epsilon", -1.0}}), ErrorCode::kValue,
                  "epsilon");
  EXPECT_MT_ERROR(run("rmsnorm", {test::iota({3}), test::iota({3}, DType::kFloat64)}), ErrorCode::kDType,
                  "op \"rmsnorm\": inputs differ in dtype: float32 and float64");
  EXPECT_MT_ERROR(run("rmsnorm", {test::iota({3})}), ErrorCode::kValue, "takes 2 inputs, got 1");
  EXPECT_MT_ERROR(run("rmsnorm", {test::iota({3}), test::iota({3})}, {{"epsilom", 1.0}}), ErrorCode::kValue,
                  "unknown attribute \"epsilom\"");
}

TEST_F(LoadPlugin, ALayerOfAPluginIsALayerLikeAnyOther) {
  load(example_plugin("rmsnorm"));
  EXPECT_EQ(engine().layers.list(), Strings{"RMSNorm"});
  const auto layer = engine().layers.create("RMSNorm", {{"size", 4.0}, {"epsilon", 0.5}});
  EXPECT_EQ(layer->name(), "RMSNorm");
  EXPECT_EQ(layer->list_parameters(), Strings{"weight"});
  EXPECT_TENSOR_EQ(layer->get_parameter("weight"), {1, 1, 1, 1});
  const std::vector<Tensor> x = {pseudo_random({3, 4})};
  layer->add_parameter("weight", pseudo_random({4}, DType::kFloat32, 9));
  EXPECT_TRUE(test::tensors_equal(layer->forward(x),
                                  run("rmsnorm", {x[0], layer->get_parameter("weight")}, {{"epsilon", 0.5}})));
  EXPECT_MT_ERROR(engine().layers.create("RMSNorm", {}), ErrorCode::kValue, "attribute \"size\" is required");
  EXPECT_MT_ERROR(engine().layers.create("RMSNorm", {{"size", 2.5}}), ErrorCode::kValue, "positive integer");
}

TEST_F(LoadPlugin, ConstructorsExceptionsAndTheStandardLibraryWorkInAPlugin) {
  load(test_plugin("static_state"));
  EXPECT_EQ(run("count_calls", {make_tensor({0, 0}, {2})}).to_vector(), (std::vector<double>{1, 1}));
  EXPECT_EQ(run("count_calls", {make_tensor({0}, {1}, DType::kFloat64)}).item(), 2);
  EXPECT_MT_ERROR(run("throws", {make_tensor({0}, {1})}), ErrorCode::kKey, "throws: caught ");
  EXPECT_EQ(run("count_calls", {make_tensor({0}, {1})}).item(), 3) << "an exception that is caught changes nothing";
}

TEST_F(LoadPlugin, AnExceptionOfACppPluginEndsAsTheErrorOfThatCall) {
  load(test_plugin("cpp_plugin"));
  const std::vector<Tensor> x = {make_tensor({1}, {1})};
  EXPECT_EQ(run("cpp_calls", x).item(), 1);
  EXPECT_MT_ERROR(run("cpp_throws", x, {{"message", std::string("grüße")}}), ErrorCode::kPlugin,
                  "op \"cpp_throws\": grüße");
  EXPECT_MT_ERROR(run("cpp_throws_number", x), ErrorCode::kPlugin,
                  "op \"cpp_throws_number\": an exception that is not a");
  const Error error = test::error_of([&] { run("cpp_out_of_memory", x); });
  EXPECT_EQ(error.code(), ErrorCode::kPlugin);
  EXPECT_EQ(error.message(), "op \"cpp_out_of_memory\" of plugin \"cpp_plugin\": out of memory");
  EXPECT_EQ(error.details().plugin, "cpp_plugin");
  ASSERT_NE(error.details().cause, nullptr);
  EXPECT_EQ(error.details().cause->code(), ErrorCode::kMemory);
  EXPECT_EQ(run("cpp_calls", x).item(), 2);
  EXPECT_EQ(run("cpp_late", x).item(), 7);
  const auto layer = engine().layers.create("CppScale", {{"by", 3.0}});
  EXPECT_EQ(layer->forward(std::vector<Tensor>{make_tensor({1, 2}, {2})}).to_vector(), (std::vector<double>{3, 6}));
}

TEST_F(LoadPlugin, EveryTypeOfAttributeArrives) {
  load(test_plugin("all_attributes"));
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  const Tensor defaults = run("all_attributes", x, {{"required", 9.0}});
  EXPECT_EQ(defaults.dtype(), DType::kFloat64);
  EXPECT_EQ(defaults.to_vector(), (std::vector<double>{1.5, 7, 'g', 1, 9, 1, 2, 3}));
  const Tensor given = run("all_attributes", x,
                           {{"integers", std::vector<std::int64_t>{-5, std::int64_t{1} << 40U}},
                            {"boolean", false},
                            {"text", std::string("\xC3\xA9")},
                            {"number", -0.25},
                            {"required", 1e300}});
  EXPECT_EQ(given.to_vector(), (std::vector<double>{-0.25, 2, 0xC3, 0, 1e300, -5, 1099511627776.0}));
  const Tensor empty =
      run("all_attributes", x, {{"integers", std::vector<std::int64_t>{}}, {"text", std::string()}, {"required", 0.0}});
  EXPECT_EQ(empty.to_vector(), (std::vector<double>{1.5, 0, 0, 1, 0}));
  EXPECT_MT_ERROR(run("all_attributes", x), ErrorCode::kValue, "attribute \"required\" is required");
  EXPECT_MT_ERROR(run("all_attributes", x, {{"required", true}}), ErrorCode::kValue, "must be of type number");
}

TEST_F(LoadPlugin, AnOpThatAsksForStridesAndMixedDtypesGetsThem) {
  load(test_plugin("mixed"));
  const Tensor a = test::iota({2, 3});
  const Tensor b = test::iota({3, 2}, DType::kFloat64);
  const test::Nested expected{{0, 4}, {3, 7}, {6, 10}};
  for (const Tensor& first : {a, test::with_gaps(a), test::with_reversed_axes(a)}) {
    for (const Tensor& second : {b, test::with_gaps(b), test::with_reversed_axes(b)}) {
      const Tensor result = run("mixed", {first, second});
      EXPECT_EQ(result.dtype(), DType::kFloat64);
      EXPECT_TRUE(test::tensor_matches(result, expected));
    }
  }
  EXPECT_MT_ERROR(run("mixed", {a, a}), ErrorCode::kShape, "transposed");
  EXPECT_MT_ERROR(run_op_backward(*engine().ops.get("mixed"), std::vector<Tensor>{a, b}, {}, b, b),
                  ErrorCode::kNotImplemented, "op \"mixed\" has no gradient");
}

TEST_F(LoadPlugin, AnOpCallsOthersThroughTheHost) {
  load(test_plugin("call_op_user"));
  const Tensor a = make_tensor({1, 2, 3}, {3});
  const Tensor b = make_tensor({4, 5, 6}, {3});
  EXPECT_EQ(run("sum_of_products", {a, b}).item(), 32);
  EXPECT_MT_ERROR(run("sum_of_products", {a, make_tensor({1, 2}, {2})}), ErrorCode::kShape, "mul: ");
  EXPECT_MT_ERROR(run("calls_unknown", {a}), ErrorCode::kValue, "no op \"no_such_op\" is registered");
}

TEST_F(LoadPlugin, AnOpCallsOthersWithSeveralOutputsThroughTheHost) {
  load(test_plugin("many_outputs"));
  const Tensor x = make_tensor({3, 1, 4, 1, 5, 9}, {6}, DType::kFloat64);
  const std::size_t bytes = Storage::live_bytes();
  EXPECT_EQ(run("largest_of_parts", {x}, {{"sections", 2.0}}).to_vector(), (std::vector<double>{4, 2, 9, 2}));
  EXPECT_EQ(run("largest_of_parts", {x}, {{"sections", 3.0}}).to_vector(), (std::vector<double>{3, 0, 4, 0, 9, 1}));
  EXPECT_EQ(run("largest_of_parts", {x}, {{"sections", 1.0}}).to_vector(), (std::vector<double>{9, 5}));
  EXPECT_EQ(run("sum_as_list", {x}).to_vector(), (std::vector<double>{1, 23}));
  EXPECT_PLUGIN_ERROR(run("largest_of_parts", {x}, {{"sections", 6.0}}), "call",
                      "call_op_many: op \"split\" has 6 outputs, and there is room for 3");
  EXPECT_MT_ERROR(run("largest_of_parts", {x}, {{"sections", 4.0}}), ErrorCode::kValue, "split: ");
  EXPECT_EQ(Storage::live_bytes(), bytes);
}

TEST_F(LoadPlugin, AnOlderHostHasNoFunctionForOpsWithSeveralOutputs) {
  load(test_plugin("many_outputs"));
  EXPECT_MT_ERROR(run("of_older_host", {make_tensor({1, 2}, {2})}), ErrorCode::kNotImplemented,
                  "op \"of_older_host\": topk: this host is too old to run ops with several outputs");
}

TEST_F(LoadPlugin, OpsRegisteredInInitializeAreThePluginsToo) {
  load(test_plugin("registers_late"));
  EXPECT_EQ(engine().ops.list_custom(), (Strings{"early_op", "late_op"}));
  EXPECT_EQ(engine().ops.owner_of("late_op"), "registers_late");
  EXPECT_EQ(run("late_op", {make_tensor({5}, {1})}).item(), 5);
}

TEST_F(LoadPlugin, WhatStructSizeDoesNotCoverIsNotRead) {
  const PluginInfo info = load(test_plugin("old_struct"));
  EXPECT_FALSE(info.max_minitensor_version);
  EXPECT_EQ(run("old_struct_op", {make_tensor({5}, {1})}).item(), 5);
  EXPECT_FALSE(engine().ops.get("old_struct_op")->backward);
}

TEST_F(LoadPlugin, StructsOfAHeaderToComeAreReadAsFarAsTheyAreKnown) {
  load(test_plugin("newer_struct"));
  EXPECT_EQ(run("newer_struct_op", {make_tensor({2}, {1}, DType::kFloat64)}).item(), 5);
  EXPECT_EQ(run("newer_struct_op", {make_tensor({2}, {1}, DType::kFloat64)}, {{"by", -1.0}}).item(), -2);
}

TEST_F(LoadPlugin, APluginOfTheFirstHeaderLoadsAndComputesAsEver) {
  Strings lines;
  engine().loader.set_log([&](std::string_view, std::string_view line) { lines.emplace_back(line); });
  const PluginInfo info = load(test_plugin("old_plugin"));
  EXPECT_EQ(info.version, (VersionInfo{1, 2, 3}));
  EXPECT_EQ(engine().ops.get("old_scale")->summary, "(x + sum of list) * by");
  EXPECT_EQ(engine().layers.get("OldScale")->summary, "") << "a field that its header did not have";

  const std::vector<Tensor> x = {make_tensor({1, 2, 3}, {3}, DType::kFloat64)};
  EXPECT_EQ(run("old_scale", x).to_vector(), (std::vector<double>{6, 8, 10}));
  EXPECT_EQ(run("old_scale", x, {{"by", 3.0}, {"negate", true}, {"list", std::vector<std::int64_t>{}}}).to_vector(),
            (std::vector<double>{-3, -6, -9}));
  EXPECT_MT_ERROR(run("old_scale", x, {{"mode", std::string("fancy")}}), ErrorCode::kValue, "mode must be \"plain\"");
  EXPECT_MT_ERROR(run("old_scale", {make_tensor({1}, {1})}), ErrorCode::kDType,
                  "does not take float32; it takes float64");
  EXPECT_EQ(run_op_backward(*engine().ops.get("old_scale"), x, {}, x[0], x[0])[0].to_vector(),
            (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(run("old_constant", {}).item(), 2);
  EXPECT_EQ(run("old_late", x).to_vector(), (std::vector<double>{2, 3, 4}));
  const auto layer = engine().layers.create("OldScale", {{"by", 10.0}});
  EXPECT_EQ(layer->forward(x).to_vector(), (std::vector<double>{10, 20, 30}));
  engine().loader.unload_plugin("old_plugin", {.force = true});
  EXPECT_EQ(lines, (Strings{"initialize", "cleanup"}));
}

TEST_F(LoadPlugin, PluginsAreListedInTheOrderOfLoading) {
  load(test_plugin("mixed"));
  load(example_plugin("swish"));
  load(example_plugin("rmsnorm"));
  Strings names;
  for (const PluginInfo& info : engine().loader.list_plugins()) names.push_back(info.name);
  EXPECT_EQ(names, (Strings{"mixed", "swish", "rmsnorm"}));
}

TEST_F(LoadPlugin, PluginsWithTheSameNamesInsideStayApart) {
  load(test_plugin("value_one"));
  load(test_plugin("value_other"));
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  EXPECT_EQ(run("value", x).item(), 1);
  EXPECT_EQ(run("other_value", x).item(), 3);
  unload("value");
  EXPECT_EQ(run("other_value", x).item(), 3);
}

TEST_F(LoadPlugin, PluginsWithTheSameTypesSingletonsAndStaticDataStayApart) {
  const std::vector<Tensor> x = {make_tensor({0}, {1}, DType::kFloat64)};
  for (int round = 0; round < 2; ++round) {
    load(test_plugin("twin_one"));
    EXPECT_EQ(run("twin_one", x).item(), 101);
    load(test_plugin("twin_two"));
    EXPECT_EQ(run("twin_two", x).item(), 201);
    EXPECT_EQ(run("twin_one", x).item(), 102);
    unload("twin_one");
    EXPECT_EQ(run("twin_two", x).item(), 202);
    // A third, as new, while the second is there.
    load(test_plugin("twin_one"));
    EXPECT_EQ(run("twin_one", x).item(), 101);
    EXPECT_EQ(run("twin_two", x).item(), 203);
    unload("twin_two");
    unload("twin_one");
  }
}

TEST_F(LoadPlugin, TwoEnginesLoadTheSamePluginEachForItself) {
  test::LoadingEngine other;
  load(test_plugin("static_state"));
  other.loader.load_plugin(test_plugin("static_state"));
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  EXPECT_EQ(run("count_calls", x).item(), 1);
  EXPECT_EQ(run("count_calls", x).item(), 2);
  EXPECT_EQ(other.run("count_calls", x).item(), 1);
  unload("static_state");
  EXPECT_EQ(other.run("count_calls", x).item(), 2);
}

TEST_F(LoadPlugin, TheNameOfTheFileDoesNotMatter) {
  const test::TemporaryFile file("ein größerer Ordner? nein: 日本語 & 'quotes'.bin");
  file.write(test::read_bytes(example_plugin("swish")));
  EXPECT_EQ(load(file.path()).name, "swish");
}

TEST_F(LoadPlugin, BytesAreEnough) {
  const test::ByteVector bytes = test::read_bytes(example_plugin("swish"));
  EXPECT_EQ(engine().loader.load_plugin({bytes, "memory"}).name, "swish");
  EXPECT_PLUGIN_ERROR(engine().loader.load_plugin({std::span(bytes).first(100), "memory"}), "read", "memory");
}

TEST_F(LoadPlugin, WhatAPluginExportsUnderANameOfTheHostNobodyElseUses) {
  const PluginInspection inspection =
      engine().loader.check(test::read_bytes(test_plugin("exports_host_names")), "exports_host_names");
  for (const char* name : {"malloc", "calloc", "free", "mt_linker_run"}) {
    const auto& exports = inspection.file.exports;
    EXPECT_TRUE(std::any_of(exports.begin(), exports.end(), [&](const auto& entry) { return entry.name == name; }))
        << name;
  }
  load(test_plugin("exports_host_names"));
  load(test_plugin("cpp_plugin"));  // which allocates
  load(example_plugin("rmsnorm"));
  const Tensor x = make_tensor({1, 2}, {2});
  EXPECT_EQ(run("add", {x, x}).shape(), (Shape{2}));
  EXPECT_EQ(run("stolen_calls", {make_tensor({0}, {1})}).item(), 0);
  EXPECT_EQ(run("cpp_late", {make_tensor({0}, {1})}).item(), 7);
  for (const char* name : {"cpp_plugin", "rmsnorm"}) unload(name);
  EXPECT_EQ(run("stolen_calls", {make_tensor({0}, {1})}).item(), 0);
}

TEST_F(LoadPlugin, CheckRunsNothingAndChangesNothing) {
  const Strings before = engine().contents();
  const PluginInspection inspection = engine().loader.check(test::read_bytes(example_plugin("rmsnorm")), "rmsnorm");
  EXPECT_EQ(inspection.metadata.info.name, "rmsnorm");
  EXPECT_EQ(inspection.metadata.ops, Strings{"rmsnorm"});
  EXPECT_EQ(inspection.metadata.layers, Strings{"RMSNorm"});
  EXPECT_TRUE(inspection.missing_imports.empty());
  EXPECT_EQ(engine().contents(), before);
}

TEST_F(LoadPlugin, LogLinesGoWhereTheApplicationSays) {
  load(test_plugin("registers_late"));  // nowhere
  unload("registers_late");
  Strings lines;
  engine().loader.set_log([&](std::string_view plugin, std::string_view line) {
    lines.push_back(std::string(plugin) + ": " + std::string(line));
  });
  load(test_plugin("registers_late"));
  EXPECT_EQ(lines, Strings{"registers_late: registers_late: initialize"});
  unload("registers_late");
  EXPECT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines.back(), "registers_late: registers_late: cleanup");
  engine().loader.set_log({});
  load(test_plugin("registers_late"));
  EXPECT_EQ(lines.size(), 2U);
}

TEST_F(LoadPlugin, ALogThatThrowsDoesNotStopThePlugin) {
  engine().loader.set_log([](std::string_view, std::string_view) { throw std::runtime_error("the disk is full"); });
  EXPECT_EQ(load(test_plugin("registers_late")).name, "registers_late");
  EXPECT_NO_THROW(unload("registers_late"));
}

}  // namespace
}  // namespace minitensor
