#include "minitensor/base/owner.h"

#include <gtest/gtest.h>

namespace minitensor {
namespace {

TEST(DescribeOwner, NamesTheEngineTheApplicationAndPlugins) {
  EXPECT_EQ(describe_owner(kEngineOwner), "the engine");
  EXPECT_EQ(describe_owner(""), "the application");
  EXPECT_EQ(describe_owner("swish"), "plugin \"swish\"");
  EXPECT_EQ(describe_owner("a\"b"), "plugin \"a\\\"b\"");
}

}  // namespace
}  // namespace minitensor
