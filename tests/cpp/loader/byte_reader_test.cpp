#include "minitensor/loader/byte_reader.h"

#include <gtest/gtest.h>

#include "loader/wasm_builder.h"

namespace minitensor {
namespace {

using test::bytes_of;
using test::ByteVector;
using test::WasmBytes;

TEST(ByteReader, ReadsLittleEndianNumbersOneAfterTheOther) {
  const ByteVector bytes = bytes_of(std::string_view("\x01\x02\x03\x04\x05\x06\x07\x08", 8));
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read<std::uint8_t>(), 0x01U);
  EXPECT_EQ(reader.read<std::uint16_t>(), 0x0302U);
  EXPECT_EQ(reader.read<std::uint32_t>(), 0x07060504U);
  EXPECT_EQ(reader.position(), 7U);
  EXPECT_EQ(reader.remaining(), 1U);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.read<std::uint8_t>(), 0x08U);
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(reader.failed());
}

TEST(ByteReader, AReadPastTheEndGivesNothingForGood) {
  const ByteVector bytes = bytes_of("abc");
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read<std::uint32_t>(), 0U);
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.read<std::uint8_t>(), 0U) << "a byte is there, but the reader has failed";
  EXPECT_TRUE(reader.take(1).empty());
  EXPECT_TRUE(reader.read_name().empty());
  EXPECT_EQ(reader.read_leb128(), 0U);
  reader.seek(0);
  EXPECT_TRUE(reader.failed());
  EXPECT_FALSE(reader.at_end());
}

TEST(ByteReader, SizesUpTo2To64DoNotOverflow) {
  const ByteVector bytes = bytes_of("abcdef");
  for (const std::uint64_t size : {std::uint64_t{7}, std::uint64_t{1} << 32U, ~std::uint64_t{0}}) {
    ByteReader reader(bytes);
    reader.skip(3);
    EXPECT_TRUE(reader.take(size).empty());
    EXPECT_TRUE(reader.failed());
    ByteReader seeker(bytes);
    seeker.seek(size);
    EXPECT_TRUE(seeker.failed());
  }
}

TEST(ByteReader, AnEmptyInputIsAtItsEndAtOnce) {
  ByteReader reader({});
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(reader.take(0).empty());
  EXPECT_FALSE(reader.failed());
  EXPECT_EQ(reader.read<std::uint8_t>(), 0U);
  EXPECT_TRUE(reader.failed());
}

TEST(ByteReader, SeekReachesEveryPlaceAndTheEnd) {
  const ByteVector bytes = bytes_of("abc");
  ByteReader reader(bytes);
  reader.seek(2);
  EXPECT_EQ(reader.read<std::uint8_t>(), 'c');
  reader.seek(0);
  EXPECT_EQ(reader.read<std::uint8_t>(), 'a');
  reader.seek(3);
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(reader.failed());
}

TEST(ByteReader, Leb128NumbersAreReadBack) {
  for (const std::uint64_t value : {0ULL, 1ULL, 127ULL, 128ULL, 300ULL, 65535ULL, 0x7FFFFFFFULL, 0xFFFFFFFFULL}) {
    const ByteVector bytes = WasmBytes().leb(value).bytes();
    ByteReader reader(bytes);
    EXPECT_EQ(reader.read_leb128(), value);
    EXPECT_TRUE(reader.at_end());
  }
  const ByteVector bytes = WasmBytes().leb(~std::uint64_t{0}).bytes();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read_leb128(64), ~std::uint64_t{0});
  EXPECT_FALSE(reader.failed());
}

TEST(ByteReader, ALeb128NumberMayHaveLeadingZeros) {
  const ByteVector bytes = bytes_of(std::string_view("\x83\x80\x80\x80\x00", 5));
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read_leb128(), 3U);
  EXPECT_FALSE(reader.failed());
}

TEST(ByteReader, ALeb128NumberThatIsTooLargeTooLongOrCutOffFails) {
  const std::string_view numbers[] = {
      {"\x80\x80\x80\x80\x10", 5},      // 2^32
      {"\xFF\xFF\xFF\xFF\x7F", 5},      // 2^35 - 1
      {"\x80\x80\x80\x80\x80\x00", 6},  // more bytes than 32 bits need
      {"\x80", 1},
      {"\xFF\xFF\xFF\xFF", 4},
      {"", 0},
  };
  for (const std::string_view number : numbers) {
    const ByteVector bytes = bytes_of(number);
    ByteReader reader(bytes);
    EXPECT_EQ(reader.read_leb128(), 0U);
    EXPECT_TRUE(reader.failed());
  }
}

TEST(ByteReader, ALeb128NumberCanBeSkippedWhateverItIs) {
  const ByteVector bytes = bytes_of(std::string_view("\xFF\xFF\xFF\xFF\x7F\x00\x41", 7));
  ByteReader reader(bytes);
  reader.skip_leb128(35);
  EXPECT_EQ(reader.position(), 5U);
  reader.skip_leb128(35);
  EXPECT_EQ(reader.position(), 6U);
  ByteReader limited(bytes);
  limited.skip_leb128(28);
  EXPECT_TRUE(limited.failed());
}

TEST(ByteReader, FailIsForGood) {
  const ByteVector bytes = bytes_of("abc");
  ByteReader reader(bytes);
  reader.fail();
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.read<std::uint8_t>(), 0U);
}

TEST(ByteReader, ANameIsALengthAndThatManyBytes) {
  const ByteVector bytes = WasmBytes().name("memory").name("").name("x").bytes();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read_name(), "memory");
  EXPECT_EQ(reader.read_name(), "");
  EXPECT_EQ(reader.read_name(), "x");
  EXPECT_TRUE(reader.at_end());

  const ByteVector cut = WasmBytes().leb(10).raw("short").bytes();
  ByteReader cut_reader(cut);
  EXPECT_EQ(cut_reader.read_name(), "");
  EXPECT_TRUE(cut_reader.failed());
}

}  // namespace
}  // namespace minitensor
