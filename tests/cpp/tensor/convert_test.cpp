#include "minitensor/tensor/convert.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace minitensor {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ConvertElement, CutsFractionsOff) {
  EXPECT_EQ(convert_element<std::int32_t>(1.9), 1);
  EXPECT_EQ(convert_element<std::int32_t>(-1.9F), -1);
  EXPECT_EQ(convert_element<std::uint8_t>(-0.9), 0);
}

TEST(ConvertElement, LimitsToTheRange) {
  EXPECT_EQ(convert_element<std::uint8_t>(256.0), 255);
  EXPECT_EQ(convert_element<std::uint8_t>(255.99F), 255);
  EXPECT_EQ(convert_element<std::uint8_t>(-1.0), 0);
  EXPECT_EQ(convert_element<std::int32_t>(2147483648.0F), 2147483647);
  EXPECT_EQ(convert_element<std::int32_t>(-2147483649.0), -2147483647 - 1);
  EXPECT_EQ(convert_element<std::int64_t>(9223372036854775808.0), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(convert_element<std::int64_t>(-kInf), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(convert_element<std::int64_t>(9223372036854774784.0), 9223372036854774784);
}

TEST(ConvertElement, OfNaNIsZeroAndTrue) {
  EXPECT_EQ(convert_element<std::int32_t>(kNaN), 0);
  EXPECT_EQ(convert_element<std::int64_t>(kNaN), 0);
  EXPECT_TRUE(convert_element<bool>(kNaN));
  EXPECT_TRUE(convert_element<bool>(0.25));
  EXPECT_FALSE(convert_element<bool>(-0.0));
}

TEST(ConvertElement, OfIntegersWrapsAround) {
  EXPECT_EQ(convert_element<std::uint8_t>(std::int64_t{-1}), 255);
  EXPECT_EQ(convert_element<std::int32_t>(std::int64_t{1} << 32), 0);
  EXPECT_EQ(convert_element<std::int32_t>(std::int64_t{2147483648}), -2147483647 - 1);
}

TEST(ConvertElement, RoundsOnceToFloat32) {
  // 2^60 + 2^36 + 1: in float64 it ends on the middle between two float32 numbers, and is above it.
  EXPECT_EQ(convert_element<float>((std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1),
            static_cast<float>(1152921642045800448.0));
}

TEST(ConvertElements, TakesAnyStep) {
  std::vector<float> source;
  for (int i = 0; i < 2000; ++i) source.push_back(static_cast<float>(i));
  for (const std::int64_t step : {-3, -1, 0, 1, 3}) {
    const std::int64_t first = step < 0 ? 1999 : 0;
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{257}, std::size_t{600}}) {
      std::vector<std::int64_t> target(count + 1, -7);
      convert_elements(source.data() + first, DType::kFloat32, step, target.data(), DType::kInt64, count);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(target[i], first + static_cast<std::int64_t>(i) * step) << step << ' ' << count;
      }
      EXPECT_EQ(target[count], -7);
    }
  }
}

}  // namespace
}  // namespace minitensor
