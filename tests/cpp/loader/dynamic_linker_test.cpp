// The linker for WebAssembly plugins (dynamic_linker.js): hostile modules, traps, and that everything is given back.
#include <emscripten/stack.h>

#include "loader/loading.h"
#include "loader/metadata_text.h"

namespace minitensor {
namespace {

using test::error_of;
using test::example_plugin;
using test::make_tensor;
using test::MetadataText;
using test::test_plugin;
using test::WasmBuilder;
using test::WasmBytes;

class DynamicLinker : public test::Loading {
 protected:
  /// Loading these bytes fails with this phase and text, and gives back what it took.
  void expect_module_refused(const WasmBuilder& builder, std::string_view phase, std::string_view text) {
    const std::size_t heap = test::heap_in_use();
    const std::size_t code = test::loaded_code();
    const std::uintptr_t stack = emscripten_stack_get_current();
    EXPECT_PLUGIN_ERROR(engine().loader.load_plugin({builder.bytes(), "module"}), phase, text);
    EXPECT_EQ(emscripten_stack_get_current(), stack);
    EXPECT_EQ(test::loaded_code(), code);
    EXPECT_LE(test::heap_in_use(), heap + 512);
    EXPECT_EQ(load(example_plugin("swish")).name, "swish");
    EXPECT_EQ(run("swish", {make_tensor({0}, {1})}).item(), 0);
    unload("swish");
  }
};

// The types () -> () and that of create_plugin.
WasmBytes types() { return WasmBytes().leb(2).raw("\x60").leb(0).leb(0).raw("\x60\x03\x7F\x7F\x7F\x01\x7F"); }

// A side module whose create_plugin consists of this code. It may call the import of index 0.
WasmBuilder module_with(const WasmBuilder& start, std::string_view code, const WasmBytes& import) {
  WasmBuilder builder = start;
  builder.section(1, types()).imports({import}).section(3, WasmBytes().leb(1).leb(1));
  builder.exports({"create_plugin"}, 0, 1);
  builder.section(10, WasmBytes().leb(1).sized(WasmBytes().leb(0).raw(code)));
  builder.metadata(MetadataText().section());
  return builder;
}

TEST_F(DynamicLinker, AModuleThatDoesNotCompileIsRefused) {
  WasmBuilder builder;
  builder.dylink()
      .exports({"create_plugin"})
      .section(10, WasmBytes().raw("no code"))
      .metadata(MetadataText().section());
  expect_module_refused(builder, "link", "load_plugin: plugin \"swish\" (module): cannot be linked: ");
}

TEST_F(DynamicLinker, AnImportOfAnotherTypeIsRefused) {
  const WasmBuilder builder =
      module_with(WasmBuilder().dylink(), std::string_view("\x41\x00\x0B", 3), test::function_import("env", "malloc"));
  expect_module_refused(builder, "link", "malloc");
}

TEST_F(DynamicLinker, AModuleWithoutCreatePluginIsRefused) {
  WasmBuilder builder;
  builder.dylink().metadata(MetadataText().section());
  expect_module_refused(builder, "create", "plugin file module does not export create_plugin");
}

TEST_F(DynamicLinker, ACreatePluginOfAnotherTypeIsRefused) {
  WasmBuilder builder;
  builder.dylink().section(1, types()).section(3, WasmBytes().leb(1).leb(0)).exports({"create_plugin"});
  builder.section(10, WasmBytes().leb(1).sized(WasmBytes().leb(0).byte(0x0B))).metadata(MetadataText().section());
  expect_module_refused(builder, "create", "stopped: ");
}

TEST_F(DynamicLinker, ACreatePluginThatIsNoFunctionIsRefused) {
  WasmBuilder builder;
  builder.dylink().section(6, WasmBytes().leb(1).raw(std::string_view("\x7F\x00\x41\x05\x0B", 5)));
  builder.exports({"create_plugin"}, 3).metadata(MetadataText().section());
  expect_module_refused(builder, "create", "plugin file module exports create_plugin, but it is no function");
}

TEST_F(DynamicLinker, AbortIsAnErrorOfThatCall) {
  const WasmBuilder builder = module_with(WasmBuilder().dylink(), std::string_view("\x10\x00\x41\x00\x0B", 5),
                                          test::function_import("env", "_abort_js"));
  expect_module_refused(builder, "create",
                        "load_plugin: plugin \"swish\" (module): create_plugin stopped: the plugin called abort()");
}

TEST_F(DynamicLinker, AMemoryThatThereIsNotIsRefused) {
  const auto asking_for = [](std::uint64_t size) {
    WasmBuilder builder;
    return builder.dylink(size, 16).exports({"create_plugin"}).metadata(MetadataText().section());
  };
  expect_module_refused(asking_for(0x7FFFFFFF), "link", "out of memory");
  const test::ByteVector large = asking_for(0x7FFFFFFF).bytes();
  const Error error = error_of([&] { engine().loader.load_plugin({large, "module"}); });
  ASSERT_NE(error.details().cause, nullptr);
  EXPECT_EQ(error.details().cause->code(), ErrorCode::kMemory);
  // These numbers are negative as signed ones.
  for (const std::uint64_t size : {0xFFFFFFFFULL, 0x80000001ULL, 0xFFFF0000ULL}) {
    expect_module_refused(asking_for(size), "imports",
                          "plugin file module asks for " + std::to_string(size) + " bytes of memory, the most is ");
  }
}

TEST_F(DynamicLinker, ATableThatThereIsNotIsRefused) {
  for (const std::uint64_t size : {0xFFFFFFFFULL, 0x80000000ULL}) {
    WasmBuilder builder;
    builder.dylink(16, 4, size).exports({"create_plugin"}).metadata(MetadataText().section());
    expect_module_refused(builder, "imports", "slots of the function table, the most is 10000000");
  }
}

TEST_F(DynamicLinker, TrapsAreErrorsHoweverManyThereAre) {
  load(test_plugin("throws_trap"));
  load(test_plugin("value_one"));
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  const Error error = error_of([&] { run("trap", x); });
  EXPECT_EQ(error.code(), ErrorCode::kPlugin);
  EXPECT_EQ(error.message(), "op \"trap\" of plugin \"throws_trap\" stopped: unreachable");
  EXPECT_EQ(error.details().phase, "call");
  EXPECT_EQ(error.details().plugin, "throws_trap");
  EXPECT_FALSE(error.details().hint.empty());
  const std::uintptr_t stack = emscripten_stack_get_current();
  const std::size_t heap = test::heap_in_use();
  int stopped = 0;
  for (int i = 0; i < 10000; ++i) {
    try {
      run("trap", x);
    } catch (const Error&) {
      ++stopped;
    }
  }
  EXPECT_EQ(stopped, 10000);
  EXPECT_EQ(emscripten_stack_get_current(), stack);
  EXPECT_LE(test::heap_in_use(), heap + 512);
  EXPECT_EQ(run("value", x).item(), 1);
  unload("throws_trap");
  EXPECT_EQ(load(example_plugin("swish")).name, "swish");
}

TEST_F(DynamicLinker, EveryKindOfFaultIsAnErrorThatSaysTheCause) {
  load(test_plugin("faults_in_op"));
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  const std::uintptr_t stack = emscripten_stack_get_current();
  const std::size_t heap = test::heap_in_use();
  const std::pair<const char*, const char*> faults[] = {
      {"abort", "unreachable"},     {"recurse", "the stack has run out"},    {"exit", "the plugin called exit(3)"},
      {"divide", "divide by zero"}, {"read", "memory access out of bounds"}, {"call_null", "null function"},
      {"recurse_host", "stack"},    {"recurse_allocator", "stack"}};
  for (int i = 0; i < 20; ++i) {
    for (const auto& [op, cause] : faults) {
      const Error error = error_of([&] { run(op, x); });
      EXPECT_EQ(error.code(), ErrorCode::kPlugin);
      EXPECT_EQ(error.details().phase, "call");
      EXPECT_EQ(error.message().find("op \"" + std::string(op) + "\" of plugin \"faults_in_op\" stopped: "), 0U)
          << error.message();
      EXPECT_NE(error.message().find(cause), std::string::npos) << error.message();
    }
  }
  EXPECT_EQ(emscripten_stack_get_current(), stack);
  EXPECT_LE(test::heap_in_use(), heap + 512);
  EXPECT_EQ(engine().loader.get_plugin_info("faults_in_op").fault, "op \"abort\": unreachable") << "the first";
  const Error error = error_of([&] { run("fill_memory", x); });
  EXPECT_EQ(error.code(), ErrorCode::kPlugin);
  EXPECT_EQ(error.message().find("op \"fill_memory\" of plugin \"faults_in_op\": out of memory: 8000000 bytes wanted"),
            0U)
      << error.message();
  ASSERT_NE(error.details().cause, nullptr);
  EXPECT_EQ(error.details().cause->code(), ErrorCode::kMemory);
  EXPECT_NO_THROW(unload("faults_in_op"));
  load(test_plugin("value_one"));
  EXPECT_EQ(run("value", x).item(), 1);
}

TEST_F(DynamicLinker, ATrapInAConstructorRefusesThePlugin) {
  const std::uintptr_t stack = emscripten_stack_get_current();
  for (int i = 0; i < 50; ++i) {
    EXPECT_PLUGIN_ERROR(load(test_plugin("faults_in_constructor")), "link",
                        "): a constructor of a global object stopped: unreachable");
  }
  EXPECT_EQ(emscripten_stack_get_current(), stack);
  expect_refused(test_plugin("faults_in_constructor"), "link", "unreachable");
}

TEST_F(DynamicLinker, ATrapInADestructorDoesNotKeepThePlugin) {
  const std::uintptr_t stack = emscripten_stack_get_current();
  for (int i = 0; i < 500; ++i) {
    load(test_plugin("faults_in_destructor"));
    EXPECT_PLUGIN_ERROR(unload("faults_in_destructor"), "unload",
                        "plugin \"faults_in_destructor\" is unloaded, but was stopped in a static destructor: "
                        "unreachable");
  }
  EXPECT_EQ(emscripten_stack_get_current(), stack);
  load(example_plugin("swish"));
}

}  // namespace
}  // namespace minitensor
