// A plugin that uses the host's functions as nobody should gets an error for it, and the engine goes on.
#include "loader/loading.h"

namespace minitensor {
namespace {

using test::make_tensor;
using test::Strings;
using test::test_plugin;

class Misuse : public test::Loading {
 protected:
  void SetUp() override { load(test_plugin("misuse")); }

  Tensor misuse(const std::string& how) { return run("misuse", {make_tensor({1, 2}, {2})}, {{"how", how}}); }
  std::shared_ptr<CustomLayer> layer(const std::string& how) {
    return engine().layers.create("Misuse", {{"how", how}});
  }
  Tensor forward(const std::string& how) { return layer(how)->forward(std::vector<Tensor>{make_tensor({1, 2}, {2})}); }
};

TEST_F(Misuse, OfCreateTensor) {
  EXPECT_PLUGIN_ERROR(misuse("no_result"), "call", "op \"misuse\": create_tensor: the result pointer is NULL");
  EXPECT_PLUGIN_ERROR(misuse("no_shape"), "call", "create_tensor: the shape is NULL");
  EXPECT_PLUGIN_ERROR(misuse("dtype_0"), "call", "create_tensor: unknown dtype 0");
  EXPECT_PLUGIN_ERROR(misuse("dtype_77"), "call", "create_tensor: unknown dtype 77");
  EXPECT_PLUGIN_ERROR(misuse("rank_9"), "call", "create_tensor: rank is 9");
  EXPECT_PLUGIN_ERROR(misuse("rank_99"), "call", "create_tensor: rank is 99");
  EXPECT_PLUGIN_ERROR(misuse("negative_rank"), "call", "create_tensor: rank is -1");
  EXPECT_MT_ERROR(misuse("negative_size"), ErrorCode::kShape, "[2,-3]");
  EXPECT_MT_ERROR(misuse("huge"), ErrorCode::kShape, "[9223372036854775807,9223372036854775807]");
}

TEST_F(Misuse, OfCallOp) {
  EXPECT_PLUGIN_ERROR(misuse("call_no_result"), "call", "op \"misuse\": call_op: the result pointer is NULL");
  EXPECT_PLUGIN_ERROR(misuse("call_no_inputs"), "call", "a called op's inputs are NULL");
  EXPECT_PLUGIN_ERROR(misuse("call_null_input"), "call", "a tensor is used that does not belong to this call");
  EXPECT_PLUGIN_ERROR(misuse("call_foreign_input"), "call", "a tensor is used that does not belong to this call");
  EXPECT_PLUGIN_ERROR(misuse("call_no_names"), "call", "a called op's attributes or their names are NULL");
  EXPECT_PLUGIN_ERROR(misuse("call_no_attributes"), "call", "a called op's attributes or their names are NULL");
  EXPECT_MT_ERROR(misuse("call_null_attribute"), ErrorCode::kValue, "op \"misuse\": an attribute is NULL");
  EXPECT_MT_ERROR(misuse("call_odd_attribute"), ErrorCode::kValue, "an attribute has the unknown type 99");
  EXPECT_MT_ERROR(misuse("call_null_integers"), ErrorCode::kValue, "an attribute's integers are NULL");
  EXPECT_MT_ERROR(misuse("call_no_name"), ErrorCode::kValue, "no op \"\" is registered");
  EXPECT_MT_ERROR(misuse("call_null_name"), ErrorCode::kValue, "unknown type 99");
  EXPECT_MT_ERROR(misuse("call_null_text"), ErrorCode::kValue, "unknown attribute \"axis\"");
}

TEST_F(Misuse, OfCallOpMany) {
  const std::size_t bytes = Storage::live_bytes();
  EXPECT_PLUGIN_ERROR(misuse("many_no_result"), "call", "op \"misuse\": call_op_many: a result pointer is NULL");
  EXPECT_PLUGIN_ERROR(misuse("many_no_count"), "call", "op \"misuse\": call_op_many: a result pointer is NULL");
  EXPECT_PLUGIN_ERROR(misuse("many_no_context"), "call", "failed with status 1 and no message");
  EXPECT_PLUGIN_ERROR(misuse("many_no_inputs"), "call", "a called op's inputs are NULL");
  EXPECT_PLUGIN_ERROR(misuse("many_no_room"), "call",
                      "call_op_many: op \"topk\" has 2 outputs, and there is room for 0");
  EXPECT_PLUGIN_ERROR(misuse("many_little_room"), "call",
                      "call_op_many: op \"topk\" has 2 outputs, and there is room for 1");
  EXPECT_MT_ERROR(misuse("many_unknown"), ErrorCode::kValue, "no op \"no_such_op\" is registered");
  EXPECT_EQ(Storage::live_bytes(), bytes);
}

TEST_F(Misuse, OfCallOpForAnOpWithSeveralOutputs) {
  const std::string text = "topk: has several outputs; run it with execute_many, or with call_op_many in a plugin";
  EXPECT_MT_ERROR(misuse("call_topk"), ErrorCode::kValue, text);
  EXPECT_MT_ERROR(run("topk", {make_tensor({1, 2}, {2})}, {{"k", 1.0}}), ErrorCode::kValue, text);
}

TEST_F(Misuse, AnOpThatCallsItselfWithoutEnd) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_PLUGIN_ERROR(misuse("call_itself"), "call", "calls of plugin \"misuse\" are nested more than 32 deep");
  }
}

TEST_F(Misuse, OfFunctionsThatHaveTheirTime) {
  EXPECT_PLUGIN_ERROR(misuse("register_op"), "call", "register_op may only be called in initialize");
  EXPECT_PLUGIN_ERROR(misuse("register_null_op"), "call", "register_op may only be called in initialize");
  EXPECT_PLUGIN_ERROR(misuse("register_layer_type"), "call", "register_layer_type may only be called in initialize");
  EXPECT_PLUGIN_ERROR(misuse("add_parameter"), "call", "add_parameter may only be called in a layer type's create");
  EXPECT_PLUGIN_ERROR(forward("add_parameter"), "call", "add_parameter may only be called in a layer type's create");
  EXPECT_EQ(engine().ops.list_custom(), Strings{"misuse"});
}

TEST_F(Misuse, OfErrors) {
  EXPECT_MT_ERROR(misuse("error_null_text"), ErrorCode::kValue, "op \"misuse\": failed without a message");
  EXPECT_MT_ERROR(misuse("error_not_utf8"), ErrorCode::kValue, "op \"misuse\": \"\\xff\\xfe\"");
  EXPECT_PLUGIN_ERROR(misuse("error_no_context"), "call",
                      "op \"misuse\" of plugin \"misuse\" failed with status 1 and no message");
  EXPECT_MT_ERROR(misuse("error_unknown_status"), ErrorCode::kInternal, "an odd status");
  EXPECT_MT_ERROR(misuse("error_of_the_engine"), ErrorCode::kInternal, "op \"misuse\": an engine's own status");
  EXPECT_NO_THROW(misuse("error_ok"));
  EXPECT_PLUGIN_ERROR(misuse("status_only"), "call", "failed with status 4 and no message");
  EXPECT_PLUGIN_ERROR(misuse("status_negative"), "call", "failed with status -1 and no message");
  EXPECT_MT_ERROR(misuse("nothing of that kind"), ErrorCode::kKey, "no such misuse");
}

TEST_F(Misuse, WithoutAContextNothingHappens) {
  EXPECT_PLUGIN_ERROR(misuse("no_context"), "call", "failed with status 1 and no message");
  EXPECT_PLUGIN_ERROR(misuse("call_no_context"), "call", "failed with status 1 and no message");
}

TEST_F(Misuse, OfLogAndInterfaces) {
  Strings lines;
  engine().loader.set_log([&](std::string_view, std::string_view line) { lines.emplace_back(line); });
  unload("misuse");
  load(test_plugin("misuse"));
  EXPECT_NO_THROW(misuse("log_null_text"));
  EXPECT_EQ(lines, Strings{""});
  EXPECT_NO_THROW(misuse("interface"));
}

TEST_F(Misuse, APluginThatIgnoresErrorsHasSucceeded) {
  EXPECT_EQ(misuse("goes_on").to_vector(), (std::vector<double>{1, 2}));
}

TEST_F(Misuse, OfParameters) {
  EXPECT_PLUGIN_ERROR(layer("parameter_null"), "call",
                      "layer type \"Misuse\": a tensor is used that does not belong to this call");
  EXPECT_PLUGIN_ERROR(layer("parameter_foreign"), "call", "a tensor is used that does not belong to this call");
  EXPECT_MT_ERROR(layer("parameter_null_name"), ErrorCode::kValue, "add_parameter: the name is empty");
  EXPECT_MT_ERROR(layer("parameter_no_name"), ErrorCode::kValue, "add_parameter: the name is empty");
  EXPECT_NO_THROW(unload("misuse")) << "no layer came of it";
}

TEST_F(Misuse, OfTheOutputOfALayer) {
  EXPECT_PLUGIN_ERROR(forward("no_output"), "call", "layer type \"Misuse\": forward gave no output");
  EXPECT_PLUGIN_ERROR(forward("output_foreign"), "call", "a tensor is used that does not belong to this call");
  EXPECT_EQ(forward("output_input").to_vector(), (std::vector<double>{1, 2}));
  EXPECT_EQ(forward("output_parameter").shape(), (Shape{2, 3}));
}

}  // namespace
}  // namespace minitensor
