// What a loader leaves behind when any one of its allocations fails, or one and all that follow it.
#include <utility>

#include "loader/loading.h"
#include "support/failing_allocator.h"

namespace minitensor {
namespace {

using test::fail_everywhere;
using test::make_tensor;
using test::Strings;
using test::test_plugin;

/// Files and names of plugins: of one with an op and a layer type, and of one whose names are long.
constexpr std::pair<const char*, const char*> kPlugins[] = {{"misuse", "misuse"},
                                                            {"value_long", "a_plugin_whose_name_takes_memory"}};

class OutOfMemory : public test::Loading, public testing::WithParamInterface<bool> {};

TEST_P(OutOfMemory, AFailedLoadLeavesNothingAndTheSameFileLoadsThen) {
  for (const auto& plugin : kPlugins) {
    const std::string name = plugin.second;  // which lambdas take
    const std::string path = test_plugin(plugin.first);
    const Strings before = engine().contents();
    load(path);
    const Strings loaded = engine().contents();
    unload(name);
    ASSERT_EQ(engine().contents(), before);
    const std::size_t code = test::loaded_code();
    const std::size_t files = test::open_files();
    std::size_t heap = 0;
    std::size_t failures = 0;
    // What the library of C keeps for good, it takes the first time.
    for (int round = 0; round < 2; ++round) {
      if (round > 0) unload(name);
      heap = test::heap_in_use();
      failures = fail_everywhere(
          GetParam(), [&] { load(path); },
          [&](bool has_thrown) {
            if (!has_thrown) unload(name);
            EXPECT_EQ(engine().contents(), before);
            EXPECT_EQ(test::loaded_code(), code);
            EXPECT_EQ(test::open_files(), files);
            EXPECT_EQ(Storage::live_bytes(), 0U);
          });
      EXPECT_GT(failures, 80U);
    }
    unload(name);
    EXPECT_LE(test::heap_in_use(), heap + failures * test::kHeapOfToolsPerCycle + 512);
    load(path);
    EXPECT_EQ(engine().contents(), loaded);
    unload(name);
    EXPECT_EQ(engine().contents(), before);
  }
}

TEST_P(OutOfMemory, AFailedUnloadLeavesThePluginOrTakesItAway) {
  for (const auto& plugin : kPlugins) {
    const std::string name = plugin.second;  // which lambdas take
    const std::string path = test_plugin(plugin.first);
    const Strings before = engine().contents();
    load(path);
    const Strings loaded = engine().contents();
    fail_everywhere(
        GetParam(), [&] { unload(name); },
        [&](bool) {
          const Strings now = engine().contents();
          EXPECT_TRUE(now == loaded || now == before) << "half of it is left";
          if (now == before) load(path);
        });
    EXPECT_EQ(engine().contents(), before);
  }
}

TEST_P(OutOfMemory, AFailedCallOfAnOpLeavesNothing) {
  load(test_plugin("value_one"));
  const std::vector<Tensor> x = {make_tensor({0}, {1})};
  const std::size_t bytes = Storage::live_bytes();
  [[maybe_unused]] const std::size_t failures =
      fail_everywhere(GetParam(), [&] { run("value", x); }, [&](bool) { EXPECT_EQ(Storage::live_bytes(), bytes); });
#ifndef __wasm__
  EXPECT_GT(failures, 0U) << "in WebAssembly elements do not come from operator new, and this call needs nothing else";
#endif
  EXPECT_EQ(run("value", x).item(), 1);
}

INSTANTIATE_TEST_SUITE_P(Memory, OutOfMemory, testing::Bool(),
                         [](const auto& memory) { return memory.param ? "ThatIsUsedUp" : "ThatIsShortOnce"; });

}  // namespace
}  // namespace minitensor
