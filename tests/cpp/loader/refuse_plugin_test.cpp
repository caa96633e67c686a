// Plugins that are not as they should be: each is refused, and leaves nothing behind.
#include <algorithm>

#include "loader/loading.h"

namespace minitensor {
namespace {

using test::ByteVector;
using test::error_of;
using test::example_plugin;
using test::make_tensor;
using test::Strings;
using test::test_plugin;

class RefusePlugin : public test::Loading {};

TEST_F(RefusePlugin, AFileThatIsNotThereIsRefused) {
  expect_refused("no/such/file.so", "read", "plugin file no/such/file.so cannot be read: it does not exist");
  EXPECT_PLUGIN_ERROR(load("no\33[2J.so"), "read", "plugin file \"no\\x1b[2J.so\" cannot be read: it does not exist");
  EXPECT_PLUGIN_ERROR(load(""), "read", "does not exist");
  expect_refused(test::kTestPluginFolder, "read", "is not a regular file");
}

TEST_F(RefusePlugin, AFileThatIsNoPluginIsRefused) {
  const test::TemporaryFile file("refused.bin");
  const auto expect = [&](std::string_view content, std::string_view text) {
    file.write(test::bytes_of(content));
    expect_refused(file.path(), "read", text);
  };
  expect("", "is empty, not a plugin");
  expect("<!DOCTYPE html><title>Not found</title>", "is an HTML page, not a plugin");
  expect(std::string_view("\0asm", 4), "it ends within the header");
  expect("\x1F\x8B\x08", "is a gzip file, not a plugin");
}

TEST_F(RefusePlugin, APluginCutAnywhereIsRefused) {
  const Strings before = engine().contents();
  for (const char* name : {"swish", "rmsnorm"}) {
    const ByteVector whole = test::read_bytes(example_plugin(name));
    ASSERT_GT(whole.size(), 500U);
    // A library is larger than a module, and all cuts look alike: its section headers stand at its end.
    const std::size_t step = whole.size() > 10000 ? 13 : 1;
    for (std::size_t size = 0; size < whole.size(); size += step) {
      const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      try {
        engine().loader.load_plugin({cut, "cut"});
        ADD_FAILURE() << name << " loads when it is cut after " << size << " bytes";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kPlugin) << error.message();
      }
    }
  }
  EXPECT_EQ(engine().contents(), before);
}

TEST_F(RefusePlugin, APluginWithAnyByteChangedIsReadOrRefused) {
  for (const char* name : {"swish", "rmsnorm"}) {
    const ByteVector whole = test::read_bytes(example_plugin(name));
    const std::size_t step = whole.size() > 10000 ? 29 : 1;
    ByteVector changed = whole;
    for (std::size_t i = 0; i < whole.size(); i += step) {
      changed[i] ^= static_cast<std::byte>(1U << (i % 8));
      try {
        engine().loader.check(changed, "changed");
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kPlugin) << error.message();
      }
      changed[i] = whole[i];
    }
  }
}

TEST_F(RefusePlugin, ThatTheVersionFeaturesOrAbiDoNotFitIsSaidFromTheMetadata) {
  expect_refused(test_plugin("needs_newer"), "version", ") needs MiniTensor 99.0.0 or newer");
  expect_refused(test_plugin("too_new"), "version", ") needs MiniTensor no newer than 0.0.1");
  expect_refused(test_plugin("needs_feature"), "version", "needs features that this host does not have: time-travel");
  expect_refused(test_plugin("wrong_abi"), "metadata",
                 "the plugin \"wrong_abi\" is built for plugin ABI version 2, this host has version 1");
  expect_refused(test_plugin("no_metadata"), "metadata", "has no MiniTensor metadata");
}

TEST_F(RefusePlugin, AnOpNameThatIsTakenIsRefusedWithItsOwner) {
  expect_refused(test_plugin("clash"), "metadata", "registers an op \"add\", a name that the engine has already");
  // The application may keep the op of a plugin that is gone, and register it in its own name.
  load(test_plugin("value_other"));
  const auto op = engine().ops.get("other_value");
  unload("other_value");
  engine().ops.add(op, "");
  EXPECT_PLUGIN_ERROR(load(test_plugin("value_other")), "metadata",
                      "registers an op \"other_value\", a name that the application has already");
  engine().ops.remove_custom("other_value");
  engine().ops.add(op, "somebody");
  EXPECT_PLUGIN_ERROR(load(test_plugin("value_other")), "metadata", "a name that plugin \"somebody\" has already");
  engine().ops.remove_custom("other_value");
  EXPECT_NO_THROW(load(test_plugin("value_other")));
}

TEST_F(RefusePlugin, ALayerTypeThatIsTakenIsRefused) {
  const auto type = std::make_shared<LayerType>();
  type->name = "RMSNorm";
  type->create = [](const Attributes&) { return std::make_shared<CustomLayer>("mine"); };
  engine().layers.add(type, "");
  expect_refused(example_plugin("rmsnorm"), "metadata",
                 "registers a layer type \"RMSNorm\", a name that the application has already");
}

TEST_F(RefusePlugin, MissingFunctionsAreAllNamed) {
  expect_refused(test_plugin("missing_import"), "imports", "another_missing");
  const Error error = error_of([&] { load(test_plugin("missing_import")); });
  EXPECT_NE(error.message().find("host_of_nothing"), std::string::npos);
  Strings symbols = error.details().symbols;
  std::sort(symbols.begin(), symbols.end());
  EXPECT_EQ(symbols, (Strings{"another_missing", "host_of_nothing"}));
  EXPECT_FALSE(error.details().hint.empty());
}

TEST_F(RefusePlugin, GoodPluginsLoadAfterAnyNumberOfBadOnes) {
  for (int i = 0; i < 20; ++i) EXPECT_THROW(load(test_plugin("missing_import")), Error);
  for (int i = 0; i < 20; ++i) EXPECT_THROW(load(test_plugin("init_fails")), Error);
  load(example_plugin("swish"));
}

TEST_F(RefusePlugin, APluginThatDoesNotWantToBeIsRefused) {
  expect_refused(test_plugin("create_fails"), "create", "): create_plugin: no licence");
  expect_refused(test_plugin("broken_silent"), "create", "): create_plugin failed with status 4 and no message");
  expect_refused(test_plugin("broken_status"), "create", "a status that there is not");
}

TEST_F(RefusePlugin, APluginThatSaysOtherThanItsFileIsRefused) {
  expect_refused(test_plugin("metadata_disagrees"), "create",
                 "its name is \"somebody_else\", but the file's metadata says \"metadata_disagrees\"");
  expect_refused(test_plugin("broken_info_null"), "create", "create_plugin set no info");
  expect_refused(test_plugin("broken_undeclared"), "initialize",
                 "registers the ops [broken_op], but its metadata names [another_op]");
}

TEST_F(RefusePlugin, AnInitializeThatFailsUndoesWhatItDid) {
  expect_refused(test_plugin("init_fails"), "initialize", "): initialize: initialize fails after registering an op");
  const Error error = error_of([&] { load(test_plugin("init_fails")); });
  EXPECT_EQ(error.details().plugin, "init_fails");
  EXPECT_EQ(error.message().find("cleanup"), std::string::npos);
}

TEST_F(RefusePlugin, AnIncompleteOpIsRefusedByItsName) {
  expect_refused(test_plugin("bad_op"), "initialize", "op \"bad_op_op\": it has no forward function");
  expect_refused(test_plugin("broken_ops_null"), "initialize", "): has ops, but they are NULL");
  expect_refused(test_plugin("broken_op_null"), "initialize", "): registers an op that is NULL");
  expect_refused(test_plugin("broken_name_null"), "initialize", "the name must be UTF-8 text, and not empty");
  expect_refused(test_plugin("broken_name_utf8"), "initialize",
                 "op \"\\xff\\xfe\": the name must be UTF-8 text, and not empty");
  expect_refused(test_plugin("broken_inputs"), "initialize", "it takes 1000 inputs, the most is 64");
  expect_refused(test_plugin("broken_no_inputs"), "initialize",
                 "without inputs it needs output_shape and output_dtype");
  expect_refused(test_plugin("broken_twice"), "metadata", "the metadata names \"broken_op\" twice in its ops");
  expect_refused(test_plugin("broken_registers_early"), "create", "register_op may only be called in initialize");
}

TEST_F(RefusePlugin, AnIncompleteAttributeIsRefusedByItsName) {
  expect_refused(test_plugin("broken_specs_null"), "initialize", "its attributes are NULL");
  expect_refused(test_plugin("broken_spec_null"), "initialize", "op \"broken_op\": an attribute is NULL");
  expect_refused(test_plugin("broken_spec_twice"), "initialize", "attribute");
  expect_refused(test_plugin("broken_spec_type"), "initialize", "attribute \"attribute\" has the unknown type 99");
  expect_refused(test_plugin("broken_default_type"), "initialize",
                 "the default of attribute \"attribute\" must be of type number, not string");
  expect_refused(test_plugin("broken_default_unknown"), "initialize", "has the unknown type 99");
  expect_refused(test_plugin("broken_default_integers"), "initialize", "an attribute's integers are NULL");
}

TEST_F(RefusePlugin, ATextWithoutDataIsEmpty) {
  load(test_plugin("broken_default_text"));
  EXPECT_EQ(run("broken_op", {make_tensor({5}, {1})}).item(), 5);
}

TEST_F(RefusePlugin, AnIncompleteLayerTypeIsRefusedByItsName) {
  expect_refused(test_plugin("broken_layers_null"), "initialize", "has layer types, but they are NULL");
  expect_refused(test_plugin("broken_layer_null"), "initialize", "registers a layer type that is NULL");
  expect_refused(test_plugin("broken_layer_forward"), "initialize",
                 "layer type \"BrokenLayer\": it has no forward function");
}

TEST_F(RefusePlugin, AnOutputThatCannotBeIsAnErrorOfThatCall) {
  load(test_plugin("bad_output_shape"));
  const std::vector<Tensor> x = {make_tensor({1}, {1})};
  EXPECT_MT_ERROR(run("rank_99", x), ErrorCode::kPlugin, "op \"rank_99\": output_shape gave the rank 99");
  EXPECT_MT_ERROR(run("negative_rank", x), ErrorCode::kPlugin, "output_shape gave the rank -1");
  EXPECT_MT_ERROR(run("negative_size", x), ErrorCode::kShape, "op \"negative_size\": output_shape");
  EXPECT_MT_ERROR(run("unknown_dtype", x), ErrorCode::kPlugin, "output_dtype gave the unknown dtype 77");
}

TEST_F(RefusePlugin, ANameThatIsLoadedIsRefusedUntilItIsUnloaded) {
  load(test_plugin("value_one"));
  const Strings contents = engine().contents();
  const std::string text = "is loaded already, from " + test_plugin("value_one");
  EXPECT_PLUGIN_ERROR(load(test_plugin("value_one")), "metadata", text);
  EXPECT_PLUGIN_ERROR(load(test_plugin("value_two")), "metadata", text);
  EXPECT_EQ(engine().contents(), contents);
  EXPECT_EQ(run("value", {make_tensor({0}, {1})}).item(), 1);
  unload("value");
  load(test_plugin("value_two"));
  EXPECT_EQ(run("value", {make_tensor({0}, {1})}).item(), 2);
}

TEST_F(RefusePlugin, AFileThatWasWrongLoadsOnceItIsRight) {
  const test::TemporaryFile file("retried.plugin");
  const ByteVector good = test::read_bytes(example_plugin("swish"));
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, good.size() / 2, good.size() - 1}) {
    file.write({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_THROW(load(file.path()), Error);
    EXPECT_FALSE(engine().loader.is_plugin_loaded("swish"));
  }
  file.write(test::read_bytes(test_plugin("missing_import")));
  EXPECT_THROW(load(file.path()), Error);
  file.write(test::read_bytes(test_plugin("init_fails")));
  EXPECT_THROW(load(file.path()), Error);
  file.write(good);
  EXPECT_EQ(load(file.path()).name, "swish");
}

TEST_F(RefusePlugin, AFileThatWasReplacedLoadsAsTheNewCode) {
  const test::TemporaryFile file("replaced.plugin");
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  for (int round = 0; round < 3; ++round) {
    file.write(test::read_bytes(test_plugin("value_one")));
    load(file.path());
    // What is loaded does not care what becomes of the file.
    file.write(test::read_bytes(test_plugin("value_two")));
    EXPECT_EQ(run("value", x).item(), 1);
    unload("value");
    load(file.path());
    EXPECT_EQ(run("value", x).item(), 2);
    unload("value");
  }
}

TEST_F(RefusePlugin, ExceptionsThatLeaveThePluginArePluginErrors) {
  load(test_plugin("escapes_from_op"));
  for (const std::int64_t size : {1, 2}) {
    const Error error = error_of([&] { run("escape", {Tensor::zeros({size}, DType::kFloat32)}); });
    EXPECT_EQ(error.code(), ErrorCode::kPlugin);
    EXPECT_EQ(error.details().phase, "call");
    EXPECT_EQ(error.details().plugin, "escapes_from_op");
    EXPECT_NE(error.message().find("op \"escape\" of plugin \"escapes_from_op\" stopped: an exception escaped"),
              std::string::npos)
        << error.message();
  }
  unload("escapes_from_op");
  expect_refused(test_plugin("escapes_from_constructor"), "link", "an exception escaped");
  expect_refused(test_plugin("escapes_from_create"), "create", "an exception escaped");
  expect_refused(test_plugin("escapes_from_initialize"), "initialize", "an exception escaped");
}

TEST_F(RefusePlugin, AnExceptionOnTheWayOutDoesNotKeepThePlugin) {
  load(test_plugin("escapes_from_cleanup"));
  EXPECT_PLUGIN_ERROR(unload("escapes_from_cleanup"), "cleanup", "an exception escaped");
  EXPECT_FALSE(engine().loader.is_plugin_loaded("escapes_from_cleanup"));
  EXPECT_FALSE(engine().ops.contains("escape"));
  load(test_plugin("escapes_from_destroy"));
  EXPECT_PLUGIN_ERROR(unload("escapes_from_destroy"), "unload",
                      "unload_plugin: plugin \"escapes_from_destroy\" is unloaded, but was stopped in destroy: an "
                      "exception escaped");
  load(test_plugin("escapes_from_op"));
}

}  // namespace
}  // namespace minitensor
