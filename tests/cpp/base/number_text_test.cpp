#include "minitensor/base/number_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace minitensor {
namespace {

TEST(NumberText, HasTheDigitsThatTellANumberFromEveryOther) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},
      {7, "7"},
      {-12, "-12"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {-2.5, "-2.5"},
      {0.001, "0.001"},
      {9007199254740991, "9007199254740991"},
      {1.25e300, "1.25e+300"},
      {-std::numeric_limits<double>::max(), "-1.7976931348623157e+308"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
  };
  for (const auto& [value, text] : cases) EXPECT_EQ(number_text(value), text);
}

}  // namespace
}  // namespace minitensor
