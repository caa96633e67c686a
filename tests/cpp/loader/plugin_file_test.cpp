#include "minitensor/loader/plugin_file.h"

#include <gtest/gtest.h>

#include "loader/loading.h"

namespace minitensor {
namespace {

using test::bytes_of;

TEST(PluginFile, IsReadWhole) {
  const test::TemporaryFile file("content.plugin");
  file.write(bytes_of("twelve bytes"));
  EXPECT_EQ(read_plugin_file(file.path()), bytes_of("twelve bytes"));
  file.write({});
  EXPECT_TRUE(read_plugin_file(file.path()).empty());
}

TEST(PluginFile, ThatIsTooLargeIsRefusedByItsSize) {
  const test::TemporaryFile file("large.plugin");
  file.write(bytes_of("twelve bytes"));
  EXPECT_EQ(read_plugin_file(file.path(), 12).size(), 12U);
  EXPECT_PLUGIN_ERROR(read_plugin_file(file.path(), 11), "read",
                      "plugin file " + file.path() + " has 12 bytes, the most is 11");
}

TEST(PluginFile, ThatCannotBeReadIsNamedWithTheReason) {
  EXPECT_PLUGIN_ERROR(read_plugin_file("no/such/file.so"), "read",
                      "plugin file no/such/file.so cannot be read: it does not exist");
  EXPECT_PLUGIN_ERROR(read_plugin_file("."), "read", "plugin file . cannot be read: it is not a regular file");
}

}  // namespace
}  // namespace minitensor
