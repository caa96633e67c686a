#include "minitensor/loader/inspect_plugin.h"

#include <gtest/gtest.h>

#include "loader/elf_builder.h"
#include "loader/metadata_text.h"
#include "loader/plugin_error.h"
#include "loader/wasm_builder.h"

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
  return test::build_elf({{.name = "minitensor.plugin", .content = metadata.section()}});
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

TEST(InspectPlugin, ReadsAFileOfEitherPlatform) {
  const PluginInspection wasm = inspect_plugin(wasm_plugin().bytes(), "x.wasm");
  EXPECT_EQ(wasm.metadata.info.name, "swish");
  EXPECT_EQ(wasm.metadata.ops, Strings{"swish"});
  EXPECT_EQ(wasm.file.imports.size(), 2U);
  EXPECT_TRUE(wasm.missing_imports.empty());
  const PluginInspection elf = inspect_plugin(elf_plugin(), "x.so");
  EXPECT_EQ(elf.metadata.info.name, "swish");
  EXPECT_EQ(elf.file.format, ModuleFormat::kElf);
}

TEST(InspectPlugin, ListsWhatTheHostDoesNotHaveWithoutRefusing) {
  WasmBuilder builder = wasm_plugin();
  builder.imports({test::function_import("env", "one"), test::function_import("env", "two")});
  EXPECT_EQ(inspect_plugin(builder.bytes(), "x.wasm").missing_imports, (Strings{"one", "two"}));
}

TEST(InspectPlugin, AModuleThatIsNoSideModuleIsNamedAsSuch) {
  const test::ByteVector bytes = WasmBuilder().metadata(MetadataText().section()).bytes();
  EXPECT_PLUGIN_ERROR(inspect_plugin(bytes, "x.wasm"), "read",
                      "plugin file x.wasm is a WebAssembly module, but not a side module");
}

TEST(InspectPlugin, AFileWithoutMetadataIsNamedAsSuch) {
  EXPECT_PLUGIN_ERROR(inspect_plugin(WasmBuilder().dylink().bytes(), "x.wasm"), "metadata",
                      "x.wasm has no MiniTensor metadata");
  EXPECT_PLUGIN_ERROR(inspect_plugin(test::build_elf({}), "x.so"), "metadata", "x.so has no MiniTensor metadata");
}

TEST(RequireLoadableFormat, TakesAPluginOfThisPlatformOnly) {
  EXPECT_NO_THROW(require_loadable_format(inspect_plugin(own_plugin(), "x").file, "x"));
  EXPECT_PLUGIN_ERROR(require_loadable_format(inspect_plugin(foreign_plugin(), "x").file, "x"), "read", kForeignPlugin);
}

TEST(RequireLoadable, ChecksTheRangeOfVersions) {
  const auto check = [](const MetadataText& metadata) {
    require_loadable(inspect_plugin(own_plugin(metadata), "x"), "x");
  };
  const std::string current = to_string(VersionInfo::current());
  EXPECT_NO_THROW(check(MetadataText().set("min_minitensor_version", current)));
  EXPECT_NO_THROW(check(MetadataText().set("max_minitensor_version", current)));
  EXPECT_PLUGIN_ERROR(check(MetadataText().set("min_minitensor_version", "99.0.0")), "version",
                      "needs MiniTensor 99.0.0");
  EXPECT_PLUGIN_ERROR(
      check(MetadataText().set("min_minitensor_version", "0.0.1").set("max_minitensor_version", "0.0.1")), "version",
      "needs MiniTensor no newer than 0.0.1");
}

TEST(RequireLoadable, NamesEveryFeatureThatTheHostDoesNotHave) {
  const PluginInspection inspection =
      inspect_plugin(own_plugin(MetadataText().set("features", "time-travel,magic")), "x");
  EXPECT_PLUGIN_ERROR(require_loadable(inspection, "x"), "version",
                      "needs features that this host does not have: time-travel, magic");
  EXPECT_EQ(test::error_of([&] { require_loadable(inspection, "x"); }).details().symbols,
            (Strings{"time-travel", "magic"}));
}

}  // namespace
}  // namespace minitensor
