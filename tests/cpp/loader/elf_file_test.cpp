#include "minitensor/loader/elf_file.h"

#include <gtest/gtest.h>

#include "loader/elf_builder.h"
#include "loader/plugin_error.h"

namespace minitensor {
namespace {

using test::build_elf;
using test::ByteVector;
using test::elf_symbol;
using test::ElfHeader;
using test::ElfSection;

constexpr unsigned kLocal = 0;
constexpr unsigned kGlobal = 1;
constexpr unsigned kWeak = 2;
constexpr unsigned kFunction = 2;
constexpr unsigned kObject = 1;

// A library that imports "malloc", and exports "create_plugin" and the weak "state"; two more symbols are no concern of
// anybody.
std::vector<ElfSection> library() {
  const std::string names("\0malloc\0create_plugin\0state\0", 28);
  const std::string symbols = elf_symbol(0, kLocal, 0, 0) + elf_symbol(1, kGlobal, kFunction, 0) +
                              elf_symbol(8, kGlobal, kFunction, 5) + elf_symbol(22, kWeak, kObject, 5) +
                              elf_symbol(1, kWeak, kFunction, 0) + elf_symbol(8, kLocal, kFunction, 5);
  return {{.name = ""},
          {.name = ".dynstr", .type = test::kStringTable, .content = names},
          {.name = ".dynsym", .type = test::kDynamicSymbolTable, .content = symbols, .link = 1},
          {.name = "minitensor.plugin", .content = "abi=1"},
          {.name = ".bss", .type = test::kNoBits, .offset = ~std::uint64_t{0}, .size = ~std::uint64_t{0}}};
}

TEST(ElfFile, ImportsExportsAndMetadataAreRead) {
  const ModuleFile file = read_elf_file(build_elf(library()), "x.so");
  EXPECT_EQ(file.format, ModuleFormat::kElf);
  ASSERT_EQ(file.imports.size(), 1U);
  EXPECT_EQ(file.imports[0].name, "malloc");
  EXPECT_EQ(file.imports[0].module, "");
  EXPECT_EQ(file.imports[0].kind, SymbolKind::kFunction);
  ASSERT_EQ(file.exports.size(), 2U);
  EXPECT_EQ(file.exports[0].name, "create_plugin");
  EXPECT_EQ(file.exports[0].kind, SymbolKind::kFunction);
  EXPECT_EQ(file.exports[1].name, "state");
  EXPECT_EQ(file.metadata, "abi=1");
  EXPECT_FALSE(file.dylink);
}

TEST(ElfFile, IsRecognisedByItsMagicNumber) {
  EXPECT_TRUE(is_elf(build_elf({})));
  EXPECT_TRUE(
      is_elf(test::bytes_of("\x7F"
                            "ELF")));
  EXPECT_FALSE(
      is_elf(test::bytes_of("\x7F"
                            "EL")));
  EXPECT_FALSE(is_elf({}));
}

TEST(ElfFile, AnotherKindOfElfFileIsNamed) {
  EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(library(), {.word_size = 1}), "x.so"), "read",
                      "plugin file x.so is an ELF file, but not a 64-bit little-endian one");
  EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(library(), {.byte_order = 2}), "x.so"), "read", "little-endian");
  for (const unsigned type : {0U, 1U, 2U, 4U, 0xFFFFU}) {
    const ElfHeader header{.type = static_cast<std::uint16_t>(type)};
    EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(library(), header), "x.so"), "read",
                        "is an ELF file, but not a shared library");
  }
}

TEST(ElfFile, SectionHeadersThatAreNotInTheFileAreDamage) {
  const auto expect_damaged = [](const ElfHeader& header) {
    EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(library(), header), "x.so"), "read",
                        "is a truncated or damaged ELF shared library");
  };
  expect_damaged({.section_header_size = 40});
  expect_damaged({.section_header_size = 0});
  expect_damaged({.section_count = 0xFFFF});
  expect_damaged({.section_count = 0});
  expect_damaged({.names_index = 6});
  expect_damaged({.names_index = 0xFFFF});
  for (const std::uint64_t offset :
       {std::uint64_t{100000}, std::uint64_t{1} << 63U, ~std::uint64_t{0}, ~std::uint64_t{63}}) {
    expect_damaged({.sections_offset = offset});
  }
}

TEST(ElfFile, AContentThatIsNotInTheFileIsDamage) {
  constexpr std::uint64_t kLargest = ~std::uint64_t{0};
  struct Place {
    std::uint64_t offset;
    std::uint64_t size;
  };
  // The last ones overflow when they are added.
  for (const Place place : {Place{64, 100000}, Place{100000, 1}, Place{64, kLargest}, Place{kLargest, 1},
                            Place{kLargest - 7, 8}, Place{kLargest, kLargest}, Place{kLargest - 63, 128}}) {
    for (const std::size_t index : {1U, 2U, 3U}) {
      std::vector<ElfSection> sections = library();
      sections[index].offset = place.offset;
      sections[index].size = place.size;
      EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(sections), "x.so"), "read",
                          "is a truncated or damaged ELF shared library");
    }
  }
}

TEST(ElfFile, NamesThatAreNotInTheirTableCountForNothing) {
  std::vector<ElfSection> sections = library();
  sections[2].content = elf_symbol(28, kGlobal, kFunction, 0) + elf_symbol(0xFFFFFFFF, kGlobal, kFunction, 0);
  EXPECT_TRUE(read_elf_file(build_elf(sections), "x.so").imports.empty());

  sections[2].link = 1000;  // no such table
  EXPECT_TRUE(read_elf_file(build_elf(sections), "x.so").imports.empty());
}

TEST(ElfFile, ANameWithoutItsEndIsCutWithTheTable) {
  std::vector<ElfSection> sections = library();
  sections[1].content = "abc";  // no NUL; the next section's content follows at once
  sections[2].content = elf_symbol(1, kGlobal, kFunction, 0);
  const ModuleFile file = read_elf_file(build_elf(sections), "x.so");
  ASSERT_EQ(file.imports.size(), 1U);
  EXPECT_EQ(file.imports[0].name, "bc");
}

TEST(ElfFile, HalfASymbolAtTheEndIsIgnored) {
  std::vector<ElfSection> sections = library();
  sections[2].content += std::string(23, '\1');
  EXPECT_EQ(read_elf_file(build_elf(sections), "x.so").exports.size(), 2U);
}

TEST(ElfFile, TwoSectionsOfMetadataAreRefused) {
  std::vector<ElfSection> sections = library();
  sections.push_back({.name = "minitensor.plugin", .content = "abi=1"});
  EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(sections), "x.so"), "read", "has two sections \"minitensor.plugin\"");
}

TEST(ElfFile, SymbolsThatShareOneLongNameDoNotMultiplyIt) {
  std::vector<ElfSection> sections = library();
  sections[1].content = std::string(40000, 'n');
  sections[2].content.clear();
  for (int i = 0; i < 10000; ++i) sections[2].content += elf_symbol(0, kGlobal, kFunction, 0);
  // 400 MB of names out of 280 kB.
  EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(sections), "x.so"), "read",
                      "is a truncated or damaged ELF shared library");
}

TEST(ElfFile, ManySectionsWithOneLongNameTakeNoTime) {
  std::vector<ElfSection> sections = library();
  for (int i = 0; i < 50'000; ++i) sections.push_back({.name = "", .type = test::kNoBits});
  // To read them all would take minutes.
  sections.push_back({.name = std::string(4'000'000, 'n')});
  EXPECT_EQ(read_elf_file(build_elf(sections, {.shared_name = true}), "x.so").metadata, "abi=1");
}

TEST(ElfFile, NeededLibrariesAreRead) {
  std::vector<ElfSection> sections = library();
  // Twice "malloc", an offset that is not in the table, a tag that is another, and one after the end.
  const std::string entries = test::elf_dynamic(1, 1) + test::elf_dynamic(14, 8) + test::elf_dynamic(1, 1000) +
                              test::elf_dynamic(1, 1) + test::elf_dynamic(0, 0) + test::elf_dynamic(1, 1);
  sections.push_back({.name = ".dynamic", .type = test::kDynamicSection, .content = entries, .link = 1});
  EXPECT_EQ(read_elf_file(build_elf(sections), "x.so").needed, (std::vector<std::string>{"malloc", "malloc"}));
}

TEST(ElfFile, AnImportOfAVersionOfALibraryIsMarked) {
  std::vector<ElfSection> sections = library();
  EXPECT_FALSE(read_elf_file(build_elf(sections), "x.so").imports[0].is_versioned);
  for (const unsigned version : {0U, 1U, 0x8001U, 2U, 0x8002U}) {
    std::string versions;
    for (int i = 0; i < 2; ++i) test::append_little_endian(versions, static_cast<std::uint16_t>(i == 1 ? version : 0));
    std::vector<ElfSection> versioned = sections;
    versioned.push_back({.name = ".gnu.version", .type = test::kSymbolVersions, .content = versions});
    EXPECT_EQ(read_elf_file(build_elf(versioned), "x.so").imports[0].is_versioned, (version & 2U) != 0) << version;
  }
}

TEST(ElfFile, NamesAreUtf8) {
  std::vector<ElfSection> sections = library();
  sections[1].content[1] = '\xFF';
  EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(sections), "x.so"), "read",
                      "is a truncated or damaged ELF shared library");
}

TEST(ElfFile, TheSizesAreThoseOfWhatIsLoaded) {
  const ElfHeader header{.programs = {test::elf_loaded(5, 0, 60, 60), test::elf_loaded(4, 0, 10, 10),
                                      test::elf_loaded(6, 60, 4, 100), test::elf_loaded(6, 0, 1, 1, 2)}};
  const ModuleFile file = read_elf_file(build_elf(library(), header), "x.so");
  EXPECT_EQ(file.sizes.code, 60U);
  EXPECT_EQ(file.sizes.data, 4U);
  EXPECT_EQ(file.sizes.memory, 170U);
  EXPECT_EQ(file.sizes.table, 0U);
}

TEST(ElfFile, WhatIsLoadedMustBeInTheFile) {
  for (const std::string& program : {test::elf_loaded(5, 0, 100'000, 100'000), test::elf_loaded(5, 100'000, 1, 1),
                                     test::elf_loaded(5, ~std::uint64_t{0}, 2, 2), test::elf_loaded(5, 0, 20, 10)}) {
    EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(library(), {.programs = {program}}), "x.so"), "read",
                        "is a truncated or damaged ELF shared library");
  }
  const ElfHeader odd{.programs = {test::elf_loaded(5, 0, 1, 1)}, .program_header_size = 32};
  EXPECT_PLUGIN_ERROR(read_elf_file(build_elf(library(), odd), "x.so"), "read", "damaged ELF shared library");
}

TEST(ElfFile, OneSymbolTableCounts) {
  std::vector<ElfSection> sections = library();
  for (int i = 0; i < 1000; ++i) sections.push_back(sections[2]);
  EXPECT_EQ(read_elf_file(build_elf(sections), "x.so").imports.size(), 1U);
}

TEST(ElfFile, AWholeLibraryCutAnywhereIsRefused) {
  const ByteVector whole = build_elf(library());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A buffer of just that size, so that a read past its end is seen.
    const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_PLUGIN_ERROR(read_elf_file(cut, "cut.so"), "read", "is a truncated or damaged ELF shared library");
  }
}

TEST(ElfFile, AnyByteOfALibraryMayBeAnything) {
  const ByteVector whole = build_elf(library());
  for (std::size_t i = 4; i < whole.size(); ++i) {
    for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
      ByteVector changed = whole;
      changed[i] ^= static_cast<std::byte>(flip);
      try {
        read_elf_file(changed, "changed.so");
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kPlugin);
        EXPECT_EQ(error.details().phase, "read");
      }
    }
  }
}

}  // namespace
}  // namespace minitensor
