#include "minitensor/loader/module_file.h"

#include <gtest/gtest.h>

#include "loader/elf_builder.h"
#include "loader/plugin_error.h"
#include "loader/wasm_builder.h"

namespace minitensor {
namespace {

using test::bytes_of;
using test::ByteVector;

// What the message says that a file is.
void expect_kind(std::string_view bytes, const std::string& kind) {
  EXPECT_PLUGIN_ERROR(read_module_file(bytes_of(bytes), "some/file"), "read",
                      "plugin file some/file is " + kind + ", not a plugin");
}

TEST(ModuleFile, BothFormatsAreToldApart) {
  EXPECT_EQ(read_module_file(test::WasmBuilder().bytes(), "x").format, ModuleFormat::kWasm);
  EXPECT_EQ(read_module_file(test::build_elf({}), "x").format, ModuleFormat::kElf);
}

TEST(ModuleFile, NothingIsNamedAsNothing) { expect_kind("", "empty"); }

TEST(ModuleFile, AnHtmlPageIsNamedWhateverStandsBeforeIt) {
  expect_kind("<!DOCTYPE html><html></html>", "an HTML page");
  expect_kind("<!doctype html>", "an HTML page");
  expect_kind("<HTML lang=de>", "an HTML page");
  expect_kind("\xEF\xBB\xBF<!DOCTYPE HTML>", "an HTML page");
  expect_kind(" \t\r\n\n  <html>", "an HTML page");
  expect_kind("\xEF\xBB\xBF\r\n <Html>", "an HTML page");
  expect_kind("<!-- a comment --><html>", "an HTML page");
  const Error error = test::error_of([] { read_module_file(bytes_of("<html>"), "https://a.example/x.wasm"); });
  EXPECT_NE(error.message().find("https://a.example/x.wasm"), std::string::npos);
  EXPECT_NE(error.details().hint.find("check the address"), std::string::npos);
}

TEST(ModuleFile, OtherMarkupIsNamed) {
  expect_kind("<?xml version=\"1.0\"?><Error/>", "an XML or HTML document");
  expect_kind("<", "an XML or HTML document");
}

TEST(ModuleFile, TextInPlaceOfAFileIsNamed) {
  expect_kind("{\"error\": \"not found\"}", "a JSON text");
  expect_kind("[]", "a JSON text");
  expect_kind("version https://git-lfs.github.com/spec/v1\noid sha256:0", "a Git LFS pointer");
}

TEST(ModuleFile, TheSizeIsThatOfTheFile) {
  EXPECT_EQ(read_module_file(test::WasmBuilder().bytes(), "x").sizes.file, 8U);
}

TEST(ModuleFile, FilesThatPeopleTakeForPluginsAreNamed) {
  expect_kind("\x1F\x8B\x08", "a gzip file");
  expect_kind("PK\x03\x04", "a zip archive");
  expect_kind("\x28\xB5\x2F\xFD", "a zstd file");
  expect_kind(
      "\xFD"
      "7zXZ",
      "an xz file");
  expect_kind("MZ\x90", "a Windows program or DLL");
  expect_kind("\xCF\xFA\xED\xFE", "a macOS library");
  expect_kind("\xCA\xFE\xBA\xBE", "a macOS universal library or a Java class");
  expect_kind("!<arch>\n", "a static library");
  expect_kind("BC\xC0\xDE", "LLVM bitcode");
}

TEST(ModuleFile, AnythingElseIsShownByItsFirstBytes) {
  expect_kind("int main() {}", "of an unknown kind (it begins with 69 6e 74 20 6d 61 69 6e)");
  expect_kind(
      "\x7F"
      "EL",
      "of an unknown kind (it begins with 7f 45 4c)");
  expect_kind("\xFF", "of an unknown kind (it begins with ff)");
  expect_kind("   ", "of an unknown kind (it begins with 20 20 20)");
}

TEST(ModuleFile, RandomBytesAreRefused) {
  std::uint32_t state = 1;
  for (std::uint32_t round = 0; round < 2000; ++round) {
    ByteVector bytes;
    const std::uint32_t size = round % 200;
    for (std::uint32_t i = 0; i < size; ++i) {
      state = state * 1664525U + 1013904223U;
      bytes.push_back(static_cast<std::byte>(state >> 24U));
    }
    // Every other one begins as a plugin does.
    const ByteVector start = bytes_of(round % 2 == 0 ? std::string_view("\0asm\1\0\0\0", 8)
                                                     : "\x7F"
                                                       "ELF\2\1");
    if (round % 4 < 2) bytes.insert(bytes.begin(), start.begin(), start.end());
    try {
      read_module_file(bytes, "random");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kPlugin);
      EXPECT_EQ(error.details().phase, "read");
      EXPECT_FALSE(error.details().hint.empty());
    }
  }
}

TEST(ModuleFile, KindsOfSymbolsHaveNames) {
  EXPECT_EQ(symbol_kind_name(SymbolKind::kFunction), "function");
  EXPECT_EQ(symbol_kind_name(SymbolKind::kTable), "table");
  EXPECT_EQ(symbol_kind_name(SymbolKind::kMemory), "memory");
  EXPECT_EQ(symbol_kind_name(SymbolKind::kGlobal), "global");
  EXPECT_EQ(symbol_kind_name(SymbolKind::kTag), "tag");
  EXPECT_EQ(symbol_kind_name(SymbolKind::kUnknown), "unknown");
}

}  // namespace
}  // namespace minitensor
