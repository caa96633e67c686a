#include "minitensor/loader/wasm_segments.h"

#include <gtest/gtest.h>

#include "loader/wasm_builder.h"

namespace minitensor {
namespace {

using test::data_segment;
using test::element_segment;
using test::global_get;
using test::WasmBytes;

constexpr BaseGlobals kGlobals{.memory = 2, .table = 3};

struct DataResult {
  bool is_well_formed = false;
  SegmentExtent extent;
  std::uint64_t data = 0;
};

DataResult read_data(const std::vector<WasmBytes>& segments) {
  WasmBytes content;
  content.leb(segments.size());
  for (const WasmBytes& segment : segments) content.append(segment);
  ByteReader reader(content.bytes());
  DataResult result;
  result.is_well_formed = read_data_segments(reader, kGlobals, result.extent, result.data);
  return result;
}

DataResult read_elements(const std::vector<WasmBytes>& segments) {
  WasmBytes content;
  content.leb(segments.size());
  for (const WasmBytes& segment : segments) content.append(segment);
  ByteReader reader(content.bytes());
  DataResult result;
  result.is_well_formed = read_element_segments(reader, kGlobals, result.extent);
  return result;
}

// i32.const of a number that takes one byte, and of -4.
WasmBytes constant(unsigned value) { return WasmBytes().byte(0x41).leb(value); }
WasmBytes minus_four() { return WasmBytes().byte(0x41).byte(0x7C); }
WasmBytes add(const WasmBytes& a, const WasmBytes& b) { return WasmBytes().append(a).append(b).byte(0x6A); }
WasmBytes subtract(const WasmBytes& a, const WasmBytes& b) { return WasmBytes().append(a).append(b).byte(0x6B); }

TEST(DataSegments, ReachAsFarAsTheLastOfThem) {
  const DataResult result = read_data({
      data_segment(add(global_get(2), constant(20)), "12345"),
      data_segment(global_get(2), "1234567890"),
      data_segment(subtract(add(constant(40), global_get(2)), constant(10)), "1"),
  });
  EXPECT_TRUE(result.is_well_formed);
  EXPECT_EQ(result.extent.end, 31U);
  EXPECT_FALSE(result.extent.is_elsewhere);
  EXPECT_EQ(result.data, 16U);
}

TEST(DataSegments, APlaceBeforeTheBaseIsFarBeyondIt) {
  EXPECT_EQ(read_data({data_segment(add(global_get(2), minus_four()), "12")}).extent.end, 0xFFFFFFFEU);
}

TEST(DataSegments, APlaceOfItsOwnIsElsewhere) {
  EXPECT_TRUE(read_data({data_segment(constant(8), "1")}).extent.is_elsewhere);
  EXPECT_TRUE(read_data({data_segment(subtract(global_get(2), global_get(2)), "1")}).extent.is_elsewhere);
}

TEST(DataSegments, APlaceThatOnlyTheHostKnowsIsElsewhere) {
  const std::vector<WasmBytes> unknown = {
      data_segment(global_get(0), "1"),
      data_segment(global_get(3), "1"),
      data_segment(add(global_get(2), global_get(2)), "1"),
      data_segment(WasmBytes().append(global_get(2)).append(constant(2)).byte(0x6C), "1"),
      data_segment(WasmBytes().byte(0x42).raw("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF").byte(1), "1"),
  };
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const DataResult result = read_data({unknown[i]});
    EXPECT_TRUE(result.is_well_formed) << i;
    EXPECT_TRUE(result.extent.is_elsewhere) << i;
    EXPECT_EQ(result.data, 1U) << i;
  }
}

TEST(DataSegments, APassiveOneHasNoPlace) {
  const DataResult result = read_data({WasmBytes().byte(1).name("passive")});
  EXPECT_TRUE(result.is_well_formed);
  EXPECT_EQ(result.extent.end, 0U);
  EXPECT_FALSE(result.extent.is_elsewhere);
  EXPECT_EQ(result.data, 7U);
}

TEST(DataSegments, AMemoryMayBeNamed) {
  const DataResult result = read_data({WasmBytes().byte(2).leb(0).append(global_get(2)).byte(0x0B).name("123")});
  EXPECT_TRUE(result.is_well_formed);
  EXPECT_EQ(result.extent.end, 3U);
}

TEST(DataSegments, WhatIsNoSegmentIsMalformed) {
  const WasmBytes base = global_get(2);
  const std::vector<WasmBytes> malformed = {
      WasmBytes().byte(3).name("unknown flags"),
      WasmBytes().byte(0).byte(0x0B).name("no place"),
      WasmBytes().byte(0).append(base).append(base).byte(0x0B).name("two places"),
      WasmBytes().byte(0).append(base).byte(0x6A).byte(0x0B).name("half a sum"),
      WasmBytes().byte(0).append(base).byte(0x10).byte(0x0B).name("a call"),
      WasmBytes().byte(0).byte(0x41).raw("\xFF\xFF\xFF\xFF\xFF\xFF").byte(0x0B).name("a long number"),
      WasmBytes().byte(0).append(base),
      WasmBytes().byte(0).append(base).byte(0x0B).leb(100).raw("short"),
      data_segment(base, "1").append(WasmBytes().byte(0)),
  };
  for (std::size_t i = 0; i < malformed.size(); ++i) EXPECT_FALSE(read_data({malformed[i]}).is_well_formed) << i;

  WasmBytes deep;
  for (int i = 0; i < 100'000; ++i) deep.append(base);
  EXPECT_FALSE(read_data({data_segment(deep, "1")}).is_well_formed);
}

TEST(DataSegments, AHugeCountTakesNoTime) {
  const test::ByteVector bytes = WasmBytes().leb(0xFFFFFFFF).byte(1).name("one").bytes();
  ByteReader reader(bytes);
  SegmentExtent extent;
  std::uint64_t data = 0;
  EXPECT_FALSE(read_data_segments(reader, kGlobals, extent, data));
}

// ref.func or ref.null, as an expression.
WasmBytes function_reference(unsigned index) { return WasmBytes().byte(0xD2).leb(index).byte(0x0B); }
WasmBytes null_reference() { return WasmBytes().byte(0xD0).byte(0x70).byte(0x0B); }

TEST(ElementSegments, OfEveryKindAreRead) {
  const WasmBytes place = WasmBytes().append(global_get(3)).byte(0x0B);
  const WasmBytes expressions = WasmBytes().leb(2).append(function_reference(300)).append(null_reference());
  const WasmBytes functions = WasmBytes().leb(3).leb(1).leb(300).leb(2);
  const auto end = [](const WasmBytes& segment) {
    const DataResult result = read_elements({segment});
    EXPECT_TRUE(result.is_well_formed);
    EXPECT_FALSE(result.extent.is_elsewhere);
    return result.extent.end;
  };
  EXPECT_EQ(end(WasmBytes().byte(0).append(place).append(functions)), 3U);
  EXPECT_EQ(end(WasmBytes().byte(1).byte(0).append(functions)), 0U) << "passive";
  EXPECT_EQ(end(WasmBytes().byte(2).leb(0).append(place).byte(0).append(functions)), 3U);
  EXPECT_EQ(end(WasmBytes().byte(3).byte(0).append(functions)), 0U) << "declared only";
  EXPECT_EQ(end(WasmBytes().byte(4).append(place).append(expressions)), 2U);
  EXPECT_EQ(end(WasmBytes().byte(5).byte(0x70).append(expressions)), 0U);
  EXPECT_EQ(end(WasmBytes().byte(6).leb(0).append(place).byte(0x70).append(expressions)), 2U);
  EXPECT_EQ(end(WasmBytes().byte(7).byte(0x63).byte(0x70).append(expressions)), 0U) << "of a typed reference";
}

TEST(ElementSegments, ReachAsFarAsTheLastOfThem) {
  const DataResult result =
      read_elements({element_segment(add(global_get(3), constant(5)), {1, 2}), element_segment(global_get(3), {1})});
  EXPECT_TRUE(result.is_well_formed);
  EXPECT_EQ(result.extent.end, 7U);
  EXPECT_TRUE(read_elements({element_segment(constant(1), {0})}).extent.is_elsewhere);
}

TEST(ElementSegments, WhatIsNoSegmentIsMalformed) {
  EXPECT_FALSE(read_elements({WasmBytes().byte(8)}).is_well_formed);
  EXPECT_FALSE(read_elements({WasmBytes().byte(0).append(global_get(3)).byte(0x0B).leb(0xFFFFFFFF)}).is_well_formed);
  EXPECT_FALSE(read_elements({WasmBytes().byte(5).byte(0x70).leb(2).append(null_reference())}).is_well_formed);
  EXPECT_FALSE(read_elements({element_segment(global_get(3), {}).byte(0)}).is_well_formed);
}

}  // namespace
}  // namespace minitensor
