#include "minitensor/loader/inspect_plugin.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loader/elf_builder.h"
#include "loader/metadata_text.h"
#include "loader/plugin_error.h"
#include "loader/wasm_builder.h"
#include "minitensor/loader/host_platform.h"

namespace minitensor {
namespace {

using test::MetadataText;
using test::WasmBuilder;

using Strings = std::vector<std::string>;

WasmBuilder wasm_plugin(const MetadataText& metadata = {}) {
  WasmBuilder builder;
  builder.dylink().imports({test::memory_import("memory"), test::function_import("env", "malloc")});
  builder.exports({"create_plugin"}).metadata(metadata.section());
  return builder;
}

test::ByteVector elf_plugin(const MetadataText& metadata = {}) {
  const std::string names("\0create_plugin\0", 15);
  return test::build_elf(
      {{.name = ".dynstr", .type = test::kStringTable, .content = names},
       {.name = ".dynsym", .type = test::kDynamicSymbolTable, .content = test::elf_symbol(1, 1, 2, 5)},
       {.name = "minitensor.plugin", .content = metadata.section()}});
}

#ifdef __wasm__
test::ByteVector own_plugin(const MetadataText& metadata = {}) { return wasm_plugin(metadata).bytes(); }
test::ByteVector foreign_plugin() { return elf_plugin(); }
constexpr std::string_view kForeignPlugin = "x is an ELF shared library; this WebAssembly build loads .wasm plugins";
#else
test::ByteVector own_plugin(const MetadataText& metadata = {}) { return elf_plugin(metadata); }
test::ByteVector foreign_plugin() { return wasm_plugin().bytes(); }
constexpr std::string_view kForeignPlugin = "x is a WebAssembly module; this native build loads .so plugins";
#endif

std::string first_problem(const PluginInspection& inspection) {
  return inspection.problems.empty() ? "none" : inspection.problems.front().message();
}

bool has_problem(const PluginInspection& inspection, std::string_view text) {
  return std::any_of(inspection.problems.begin(), inspection.problems.end(),
                     [&](const Error& error) { return error.message().find(text) != std::string::npos; });
}

TEST(InspectPlugin, ReadsAFileOfEitherPlatform) {
  const PluginInspection wasm = inspect_plugin(wasm_plugin().bytes(), "x.wasm");
  EXPECT_EQ(wasm.metadata.info.name, "swish");
  EXPECT_EQ(wasm.metadata.ops, Strings{"swish"});
  EXPECT_EQ(wasm.file.imports.size(), 2U);
  EXPECT_EQ(wasm.imports.size(), 2U);
  EXPECT_TRUE(wasm.missing_imports.empty());
  EXPECT_EQ(wasm.file.sizes.file, wasm_plugin().bytes().size());
  const PluginInspection elf = inspect_plugin(elf_plugin(), "x.so");
  EXPECT_EQ(elf.metadata.info.name, "swish");
  EXPECT_EQ(elf.file.format, ModuleFormat::kElf);
  EXPECT_EQ(elf.file.sizes.file, elf_plugin().size());
}

TEST(InspectPlugin, AFileThatTheHostTakesHasNoProblems) {
  const PluginInspection inspection = inspect_plugin(own_plugin(), "x");
  if (!loadable_format()) {
    EXPECT_FALSE(inspection.is_loadable()) << "this build loads none";
    return;
  }
  EXPECT_EQ(first_problem(inspection), "none");
  EXPECT_FALSE(inspection.format_problem);
  EXPECT_TRUE(inspection.is_loadable());
}

TEST(InspectPlugin, ListsWhatTheHostDoesNotHaveWithoutRefusing) {
  WasmBuilder builder;
  builder.dylink().imports({test::function_import("env", "one"), test::function_import("env", "malloc"),
                            test::function_import("other", "one"), test::function_import("env", "two")});
  builder.exports({"create_plugin"}).metadata(MetadataText().section());
  const PluginInspection inspection = inspect_plugin(builder.bytes(), "x.wasm");
  EXPECT_EQ(inspection.missing_imports, (Strings{"one", "two"}));
  EXPECT_TRUE(inspection.imports[1].is_provided);
  EXPECT_FALSE(inspection.imports[2].is_provided);
  EXPECT_TRUE(has_problem(inspection, "imports symbols that the host does not have: one, two"));
}

TEST(InspectPlugin, AModuleThatIsNoSideModuleIsNamedAsSuch) {
  const test::ByteVector bytes = WasmBuilder().metadata(MetadataText().section()).bytes();
  EXPECT_PLUGIN_ERROR(inspect_plugin(bytes, "x.wasm"), "read",
                      "plugin file x.wasm is a WebAssembly module, but not a side module");
  WasmBuilder program;
  program.dylink().data({test::data_segment(test::WasmBytes().byte(0x41).leb(0), "abc")});
  EXPECT_PLUGIN_ERROR(inspect_plugin(program.bytes(), "x.wasm"), "read",
                      "is a WebAssembly module with places of its own in memory, as a program has, not a side module");
}

TEST(InspectPlugin, AModuleWhoseDataGoAnywhereIsRefused) {
  // global.get of what is no memory base.
  WasmBuilder module;
  module.dylink().data({test::data_segment(test::WasmBytes().byte(0x23).leb(0), "abc")});
  EXPECT_PLUGIN_ERROR(inspect_plugin(module.bytes(), "x.wasm"), "read", "with places of its own in memory");
}

TEST(InspectPlugin, TheEngineItselfIsNamedAsSuch) {
  EXPECT_PLUGIN_ERROR(
      inspect_plugin(WasmBuilder().custom("minitensor.core", test::WasmBytes().byte(1)).bytes(), "minitensor.wasm"),
      "read", "plugin file minitensor.wasm is MiniTensor's own core, not a plugin");
}

TEST(InspectPlugin, AFileWithoutMetadataIsNamedAsSuch) {
  EXPECT_PLUGIN_ERROR(inspect_plugin(WasmBuilder().dylink().bytes(), "x.wasm"), "metadata",
                      "x.wasm has no MiniTensor metadata");
  EXPECT_PLUGIN_ERROR(inspect_plugin(test::build_elf({}), "x.so"), "metadata", "x.so has no MiniTensor metadata");
}

// A side module that asks for 16 bytes and 2 slots.
WasmBuilder module_with(const std::vector<test::WasmBytes>& elements, const std::vector<test::WasmBytes>& data) {
  WasmBuilder builder;
  builder.dylink(16, 2, 2).imports(
      {test::global_import("env", "__memory_base", false), test::global_import("env", "__table_base", false)});
  builder.exports({"create_plugin"}).elements(elements).data(data).metadata(MetadataText().section());
  return builder;
}

TEST(InspectPlugin, AModuleThatTakesMoreThanItAsksForIsRefused) {
  const test::WasmBytes base = test::global_get(0);
  const std::string text(16, 'x');
  EXPECT_NO_THROW(inspect_plugin(module_with({}, {test::data_segment(base, text)}).bytes(), "x"));
  EXPECT_PLUGIN_ERROR(inspect_plugin(module_with({}, {test::data_segment(base, text + 'y')}).bytes(), "x.wasm"), "read",
                      "plugin file x.wasm is a damaged WebAssembly module: its segments reach to byte 17, and its "
                      "section \"dylink.0\" says that it has 16");
  const test::WasmBytes slots = test::global_get(1);
  EXPECT_NO_THROW(inspect_plugin(module_with({test::element_segment(slots, {0, 0})}, {}).bytes(), "x"));
  EXPECT_PLUGIN_ERROR(inspect_plugin(module_with({test::element_segment(slots, {0, 0, 0})}, {}).bytes(), "x"), "read",
                      "its segments reach to table slot 3, and its section \"dylink.0\" says that it has 2");
}

TEST(InspectPlugin, MoreThanAHostCanGiveIsAProblem) {
  WasmBuilder builder;
  builder.dylink(16, 2, 10'000'001).exports({"create_plugin"}).metadata(MetadataText().section());
  EXPECT_TRUE(has_problem(inspect_plugin(builder.bytes(), "x.wasm"),
                          "plugin file x.wasm asks for 10000001 slots of the function table, the most is 10000000"));
  const std::uint64_t huge = (std::uint64_t{1} << 47U) + 1;
  const test::ByteVector library =
      test::build_elf({{.name = "minitensor.plugin", .content = MetadataText().section()}},
                      {.programs = {test::elf_loaded(4, 0, 0, huge), test::elf_loaded(4, 0, 0, ~std::uint64_t{0})}});
  EXPECT_EQ(inspect_plugin(library, "x.so").file.sizes.memory, ~std::uint64_t{0});
  EXPECT_TRUE(
      has_problem(inspect_plugin(library, "x.so"), "asks for 18446744073709551615 bytes of memory, the most is "));
}

#ifdef __wasm__
TEST(InspectPlugin, MoreMemoryThanWebAssemblyHasIsAProblem) {
  WasmBuilder builder;
  builder.dylink(0xFFFFFFFF, 2, 0).exports({"create_plugin"}).metadata(MetadataText().section());
  EXPECT_TRUE(has_problem(inspect_plugin(builder.bytes(), "x.wasm"), "asks for 4294967295 bytes of memory"));
}
#endif

TEST(InspectPlugin, AFileWithoutAnEntryPointHasThatProblem) {
  WasmBuilder nothing;
  nothing.dylink().metadata(MetadataText().section());
  const PluginInspection inspection = inspect_plugin(nothing.bytes(), "x.wasm");
  EXPECT_TRUE(has_problem(inspection, "plugin file x.wasm does not export create_plugin"));
  WasmBuilder variable;
  variable.dylink().exports({"create_plugin"}, 3).metadata(MetadataText().section());
  EXPECT_TRUE(has_problem(inspect_plugin(variable.bytes(), "x.wasm"), "exports create_plugin, but it is no function"));
}

TEST(InspectPlugin, AnotherAbiVersionIsReadAndIsAProblem) {
  const PluginInspection inspection = inspect_plugin(own_plugin(MetadataText().set("abi", "7")), "x");
  EXPECT_EQ(inspection.metadata.abi_version, 7U);
  EXPECT_EQ(inspection.metadata.info.name, "swish");
  EXPECT_TRUE(
      has_problem(inspection, "the plugin \"swish\" is built for plugin ABI version 7, this host has version 1"));
}

TEST(InspectPlugin, AllProblemsAreThereInTheOrderOfLoading) {
  WasmBuilder builder;
  builder.dylink(16, 2, 10'000'001).imports({test::function_import("env", "one")});
  const MetadataText metadata =
      MetadataText().set("abi", "7").set("min_minitensor_version", "99.0.0").set("features", "x");
  builder.metadata(metadata.section());
  const PluginInspection inspection = inspect_plugin(builder.bytes(), "x.wasm");
  Strings phases;
  for (const Error& problem : inspection.problems) phases.push_back(problem.details().phase);
  EXPECT_EQ(phases, (Strings{"metadata", "version", "version", "create", "imports", "imports"}));
  EXPECT_FALSE(inspection.is_loadable());
  EXPECT_MT_ERROR(require_loadable(inspection), ErrorCode::kPlugin, first_problem(inspection));
}

TEST(RequireLoadableFormat, TakesAPluginOfThisPlatformOnly) {
  if (!loadable_format()) {
    EXPECT_PLUGIN_ERROR(require_loadable_format(inspect_plugin(own_plugin(), "x").file, "x"), "read",
                        "plugin file x cannot be loaded: this build has no dynamic loading");
    return;
  }
  EXPECT_NO_THROW(require_loadable_format(inspect_plugin(own_plugin(), "x").file, "x"));
  EXPECT_PLUGIN_ERROR(require_loadable_format(inspect_plugin(foreign_plugin(), "x").file, "x"), "read", kForeignPlugin);
}

#ifndef __wasm__
TEST(RequireLoadableFormat, TakesAPluginOfThisProcessorOnly) {
  if (!loadable_format()) {
    EXPECT_THROW(require_loadable_format(inspect_plugin(own_plugin(), "x").file, "x"), Error)
        << "this build loads none";
    return;
  }
  if (elf_machine() == 0) return;  // of a processor whose number is not known, any is taken
  const std::uint16_t other = elf_machine() == 62 ? 183 : 62;
  const test::ByteVector bytes =
      test::build_elf({{.name = "minitensor.plugin", .content = MetadataText().section()}}, {.machine = other});
  EXPECT_PLUGIN_ERROR(require_loadable_format(inspect_plugin(bytes, "x.so").file, "x.so"), "read",
                      other == 183 ? "plugin file x.so is a library for AArch64 processors; this is x86-64"
                                   : "plugin file x.so is a library for x86-64 processors; this is ");
}
#endif

TEST(RequireLoadable, ChecksTheRangeOfVersions) {
  const auto has = [](const MetadataText& metadata, std::string_view text) {
    return has_problem(inspect_plugin(own_plugin(metadata), "x"), text);
  };
  const std::string current = to_string(VersionInfo::current());
  EXPECT_FALSE(has(MetadataText().set("min_minitensor_version", current), "needs MiniTensor"));
  EXPECT_FALSE(has(MetadataText().set("max_minitensor_version", current), "needs MiniTensor"));
  EXPECT_TRUE(has(MetadataText().set("min_minitensor_version", "99.0.0"), "needs MiniTensor 99.0.0"));
  EXPECT_TRUE(has(MetadataText().set("min_minitensor_version", "0.0.1").set("max_minitensor_version", "0.0.1"),
                  "needs MiniTensor no newer than 0.0.1"));
}

TEST(RequireLoadable, NamesEveryFeatureThatTheHostDoesNotHave) {
  const PluginInspection inspection =
      inspect_plugin(own_plugin(MetadataText().set("features", "time-travel,magic")), "x");
  ASSERT_TRUE(has_problem(inspection, "needs features that this host does not have: time-travel, magic"));
  EXPECT_EQ(inspection.problems.back().details().phase, "version");
  EXPECT_EQ(inspection.problems.back().details().symbols, (Strings{"time-travel", "magic"}));
}

}  // namespace
}  // namespace minitensor
