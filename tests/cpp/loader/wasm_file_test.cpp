#include "minitensor/loader/wasm_file.h"

#include <gtest/gtest.h>

#include "loader/plugin_error.h"
#include "loader/wasm_builder.h"

namespace minitensor {
namespace {

using test::bytes_of;
using test::ByteVector;
using test::function_import;
using test::global_import;
using test::memory_import;
using test::table_import;
using test::tag_import;
using test::WasmBuilder;
using test::WasmBytes;

using Strings = std::vector<std::string>;

constexpr std::string_view kHeader("\0asm\1\0\0\0", 8);

TEST(WasmFile, TheSmallestModuleHasNothing) {
  const ModuleFile file = read_wasm_file(bytes_of(kHeader), "x.wasm");
  EXPECT_EQ(file.format, ModuleFormat::kWasm);
  EXPECT_TRUE(file.imports.empty());
  EXPECT_TRUE(file.exports.empty());
  EXPECT_FALSE(file.dylink);
  EXPECT_FALSE(file.metadata);
}

TEST(WasmFile, IsRecognisedByWhatThereIsOfTheMagicNumber) {
  for (std::size_t size = 1; size <= kHeader.size(); ++size) {
    EXPECT_TRUE(is_wasm(bytes_of(kHeader.substr(0, size)))) << size;
  }
  EXPECT_FALSE(is_wasm({}));
  EXPECT_FALSE(is_wasm(bytes_of("asm")));
  EXPECT_FALSE(is_wasm(bytes_of(std::string_view("\0asn\1\0\0\0", 8))));
}

TEST(WasmFile, AHeaderThatIsCutAtAnyLengthIsNamedAsSuch) {
  for (std::size_t size = 1; size < kHeader.size(); ++size) {
    EXPECT_PLUGIN_ERROR(read_wasm_file(bytes_of(kHeader.substr(0, size)), "cut.wasm"), "read",
                        "plugin file cut.wasm is a truncated or damaged WebAssembly module: it ends within the header");
  }
}

TEST(WasmFile, AComponentIsNamedAsSuch) {
  const ByteVector component = bytes_of(std::string_view("\0asm\x0d\0\1\0", 8));
  EXPECT_PLUGIN_ERROR(read_wasm_file(component, "c.wasm"), "read",
                      "plugin file c.wasm is a WebAssembly component, not a core module");
  EXPECT_NE(test::error_of([&] { read_wasm_file(component, "c.wasm"); }).details().hint.find("side module"),
            std::string::npos);
  EXPECT_PLUGIN_ERROR(read_wasm_file(bytes_of(std::string_view("\0asm\x02\0\0\0", 8)), "c.wasm"), "read",
                      "is a WebAssembly binary of version 2, not 1");
}

TEST(WasmFile, EveryKindOfImportIsRead) {
  const WasmBuilder builder = WasmBuilder().imports({
      function_import("env", "malloc"),
      table_import("table"),
      memory_import("plain"),
      memory_import("limited", 1),
      memory_import("shared", 3),
      global_import("GOT.mem", "state"),
      tag_import("__cpp_exception"),
      function_import("env", "last"),
  });
  const ModuleFile file = read_wasm_file(builder.bytes(), "x.wasm");
  ASSERT_EQ(file.imports.size(), 8U);
  const auto expect = [&](std::size_t i, std::string_view module, std::string_view name, SymbolKind kind, bool shared) {
    EXPECT_EQ(file.imports[i].module, module) << i;
    EXPECT_EQ(file.imports[i].name, name) << i;
    EXPECT_EQ(file.imports[i].kind, kind) << i;
    EXPECT_EQ(file.imports[i].shared_memory, shared) << i;
  };
  expect(0, "env", "malloc", SymbolKind::kFunction, false);
  expect(1, "env", "table", SymbolKind::kTable, false);
  expect(2, "env", "plain", SymbolKind::kMemory, false);
  expect(3, "env", "limited", SymbolKind::kMemory, false);
  expect(4, "env", "shared", SymbolKind::kMemory, true);
  expect(5, "GOT.mem", "state", SymbolKind::kGlobal, false);
  expect(6, "env", "__cpp_exception", SymbolKind::kTag, false);
  expect(7, "env", "last", SymbolKind::kFunction, false);
}

TEST(WasmFile, TypesOfLaterVersionsOfWebAssemblyAreSkippedOver) {
  const WasmBuilder builder = WasmBuilder().imports({
      // A table of (ref null 3) with 64-bit limits, and a global of (ref 3).
      test::import_of("env", "table").byte(1).byte(0x63).leb(3).byte(5).leb(1).leb(std::uint64_t{1} << 40U),
      // A memory of 64-bit addresses.
      test::import_of("env", "memory").byte(2).byte(4).leb(1),
      test::import_of("env", "global").byte(3).byte(0x64).leb(3).byte(0),
      function_import("env", "last"),
  });
  const ModuleFile file = read_wasm_file(builder.bytes(), "x.wasm");
  ASSERT_EQ(file.imports.size(), 4U);
  EXPECT_TRUE(file.imports[0].memory64);
  EXPECT_TRUE(file.imports[1].memory64);
  EXPECT_FALSE(file.imports[2].memory64);
  EXPECT_EQ(file.imports[3].name, "last");
}

TEST(WasmFile, AnImportOfAnUnknownKindIsDamage) {
  const WasmBuilder builder = WasmBuilder().imports({test::import_of("env", "odd").byte(5).leb(0)});
  EXPECT_PLUGIN_ERROR(read_wasm_file(builder.bytes(), "x.wasm"), "read", "the section at byte 8 is malformed");
}

TEST(WasmFile, ExportsAreReadWithTheirKinds) {
  WasmBytes entries;
  entries.leb(3).name("a").byte(0).leb(0).name("g").byte(3).leb(0).name("odd").byte(77).leb(0);
  const ModuleFile file = read_wasm_file(WasmBuilder().section(7, entries).bytes(), "x.wasm");
  ASSERT_EQ(file.exports.size(), 3U);
  EXPECT_EQ(file.exports[0].name, "a");
  EXPECT_EQ(file.exports[0].kind, SymbolKind::kFunction);
  EXPECT_EQ(file.exports[1].kind, SymbolKind::kGlobal);
  EXPECT_EQ(file.exports[2].kind, SymbolKind::kUnknown);
}

TEST(WasmFile, NamesAreUtf8AsWebAssemblyDemands) {
  const auto import = [](std::string_view module, std::string_view name) {
    return read_wasm_file(WasmBuilder().imports({function_import(module, name)}).bytes(), "x.wasm");
  };
  EXPECT_EQ(import("env", "grün").imports[0].name, "grün");
  EXPECT_EQ(import("env", std::string_view("a\0b", 3)).imports[0].name, std::string_view("a\0b", 3));
  EXPECT_PLUGIN_ERROR(import("env", "\xFF"), "read", "malformed");
  EXPECT_PLUGIN_ERROR(import("\xC0\x80", "a"), "read", "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().exports({"\xFE"}).bytes(), "x"), "read", "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().custom("\xFE", WasmBytes()).bytes(), "x"), "read", "malformed");
}

TEST(WasmFile, ASectionThatIsThereTwiceOrOutOfOrderIsRefusedAsByAnEngine) {
  for (const unsigned id : {1U, 2U, 7U, 9U, 10U, 11U, 12U, 13U}) {
    const WasmBytes empty = WasmBytes().leb(0);
    EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().section(id, empty).section(id, empty).bytes(), "x.wasm"), "read",
                        "the section at byte 11 is there twice or misplaced");
  }
  const auto pair = [](unsigned first, unsigned second) {
    const WasmBytes empty = WasmBytes().leb(0);
    return read_wasm_file(WasmBuilder().section(first, empty).section(second, empty).bytes(), "x.wasm");
  };
  EXPECT_NO_THROW(pair(12, 10)) << "the number of data segments comes before the code";
  EXPECT_NO_THROW(pair(13, 6)) << "tags come before globals";
  EXPECT_PLUGIN_ERROR(pair(7, 2), "read", "misplaced");
  EXPECT_PLUGIN_ERROR(pair(10, 12), "read", "misplaced");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().section(14, WasmBytes()).bytes(), "x.wasm"), "read",
                      "the section at byte 8 is of an unknown kind");
}

TEST(WasmFile, BytesAfterTheLastEntryAreDamage) {
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().section(2, WasmBytes().leb(0).byte(0)).bytes(), "x"), "read",
                      "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().section(7, WasmBytes().leb(0).byte(0)).bytes(), "x"), "read",
                      "malformed");
}

TEST(WasmFile, TheSizesAreThoseOfTheFile) {
  WasmBuilder builder;
  builder.dylink(70000, 4, 12).imports({global_import("env", "__memory_base", false)});
  builder.section(10, WasmBytes().raw("some code"));
  builder.data({test::data_segment(test::global_get(0), "twelve bytes")});
  const ModuleFile file = read_wasm_file(builder.bytes(), "x.wasm");
  EXPECT_EQ(file.sizes.code, 9U);
  EXPECT_EQ(file.sizes.data, 12U);
  EXPECT_EQ(file.sizes.memory, 70000U);
  EXPECT_EQ(file.sizes.table, 12U);
}

TEST(WasmFile, TheDylinkSectionIsRead) {
  WasmBytes parts;
  parts.byte(1).sized(WasmBytes().leb(70000).leb(4).leb(12).leb(0));
  parts.byte(2).sized(WasmBytes().leb(2).name("libone.so").name("libtwo.so"));
  // Of the two symbols one is thread-local.
  parts.byte(3).sized(WasmBytes().leb(2).name("plain").leb(1).name("per_thread").leb(0x100));
  parts.byte(99).sized(WasmBytes().raw("of a later version"));
  const ModuleFile file = read_wasm_file(WasmBuilder().custom("dylink.0", parts).bytes(), "x.wasm");
  ASSERT_TRUE(file.dylink);
  EXPECT_EQ(file.dylink->memory_size, 70000U);
  EXPECT_EQ(file.dylink->memory_alignment, 16U);
  EXPECT_EQ(file.dylink->table_size, 12U);
  EXPECT_EQ(file.needed, (Strings{"libone.so", "libtwo.so"}));
  EXPECT_EQ(file.dylink->tls_exports, Strings{"per_thread"});
}

TEST(WasmFile, AnAlignmentThatNoRealModuleHasIsDamage) {
  EXPECT_EQ(read_wasm_file(WasmBuilder().dylink(1, 16).bytes(), "x.wasm").dylink->memory_alignment, 65536U);
  for (const std::uint64_t alignment : {17ULL, 31ULL, 32ULL, 64ULL, 0xFFFFFFFFULL, 0x100000000ULL}) {
    EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().dylink(1, alignment).bytes(), "x.wasm"), "read",
                        "the section at byte 8 is malformed");
  }
}

TEST(WasmFile, AMemoryOrTableSizeAbove32BitsIsDamage) {
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().dylink(0x100000000U).bytes(), "x.wasm"), "read", "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().dylink(1, 0, 0x100000000U).bytes(), "x.wasm"), "read", "malformed");
}

TEST(WasmFile, AnOldOrUnknownCustomSectionIsIgnored) {
  const ModuleFile file =
      read_wasm_file(WasmBuilder().custom("dylink", WasmBytes().leb(1)).custom("producers", WasmBytes()).bytes(), "x");
  EXPECT_FALSE(file.dylink);
}

TEST(WasmFile, TheMetadataIsTheContentOfItsSection) {
  EXPECT_EQ(read_wasm_file(WasmBuilder().metadata("abi=1").bytes(), "x.wasm").metadata, "abi=1");
  EXPECT_EQ(read_wasm_file(WasmBuilder().metadata("").bytes(), "x.wasm").metadata, "");
}

TEST(WasmFile, TwoSectionsOfMetadataAreRefused) {
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().metadata("abi=1").metadata("abi=1").bytes(), "x.wasm"), "read",
                      "has two sections \"minitensor.plugin\"");
}

TEST(WasmFile, TwoDylinkSectionsAreRefused) {
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().dylink().dylink().bytes(), "x.wasm"), "read",
                      "has two sections \"dylink.0\"");
}

TEST(WasmFile, ASectionThatIsLongerThanTheFileIsNamedByItsPlace) {
  for (const std::uint64_t size : {3ULL, 1000ULL, 0xFFFFFFFFULL}) {
    const ByteVector bytes = WasmBytes().raw(kHeader).byte(2).leb(size).raw("ab").bytes();
    EXPECT_PLUGIN_ERROR(read_wasm_file(bytes, "x.wasm"), "read", "the section at byte 8 is cut off");
  }
}

TEST(WasmFile, ASectionSizeThatIsNotANumberIsDamage) {
  const ByteVector too_large = WasmBytes().raw(kHeader).byte(0).raw("\xFF\xFF\xFF\xFF\x7F").bytes();
  EXPECT_PLUGIN_ERROR(read_wasm_file(too_large, "x.wasm"), "read", "the section at byte 8 is cut off");
  const ByteVector too_long = WasmBytes().raw(kHeader).byte(0).raw("\x80\x80\x80\x80\x80\x80").bytes();
  EXPECT_PLUGIN_ERROR(read_wasm_file(too_long, "x.wasm"), "read", "the section at byte 8 is cut off");
}

TEST(WasmFile, HugeCountsTakeNeitherTimeNorMemory) {
  const WasmBytes huge = WasmBytes().leb(0xFFFFFFFFU).name("env").name("a").byte(0).leb(0);
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().section(2, huge).bytes(), "x.wasm"), "read", "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().section(7, huge).bytes(), "x.wasm"), "read", "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().dylink_part(2, huge).bytes(), "x.wasm"), "read", "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().dylink_part(3, huge).bytes(), "x.wasm"), "read", "malformed");
}

TEST(WasmFile, ANameThatIsLongerThanItsSectionIsDamage) {
  const WasmBytes import = WasmBytes().leb(1).name("env").leb(500).raw("malloc").byte(0).leb(0);
  // What comes after the section must not be taken for a part of it.
  const ByteVector bytes =
      WasmBuilder().section(2, import).custom("padding", WasmBytes().raw(std::string(600, 'x'))).bytes();
  EXPECT_PLUGIN_ERROR(read_wasm_file(bytes, "x.wasm"), "read", "the section at byte 8 is malformed");
}

TEST(WasmFile, ADylinkPartThatIsLongerThanItsSectionIsDamage) {
  EXPECT_PLUGIN_ERROR(
      read_wasm_file(WasmBuilder().custom("dylink.0", WasmBytes().byte(1).leb(200).leb(1)).bytes(), "x.wasm"), "read",
      "malformed");
  EXPECT_PLUGIN_ERROR(read_wasm_file(WasmBuilder().custom("dylink.0", WasmBytes().byte(1)).bytes(), "x.wasm"), "read",
                      "malformed");
}

TEST(WasmFile, AWholeModuleCutAnywhereIsReadOrRefused) {
  WasmBuilder builder;
  builder.dylink().imports({function_import("env", "malloc"), memory_import("memory"), tag_import("__cpp_exception")});
  builder.exports({"create_plugin"}).metadata("abi=1");
  const ByteVector& whole = builder.bytes();
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A buffer of just that size, so that a read past its end is seen.
    const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    try {
      read_wasm_file(cut, "cut.wasm");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kPlugin);
      EXPECT_EQ(error.details().phase, "read");
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) - 6) << "only cuts between sections leave a module";
}

}  // namespace
}  // namespace minitensor
