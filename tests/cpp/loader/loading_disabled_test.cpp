// A build without dynamic loading (MINITENSOR_DYNAMIC_LOADING=OFF) has the whole interface.
#include "loader/metadata_text.h"
#include "loader/plugin_error.h"
#include "loader/wasm_builder.h"
#include "minitensor/loader/plugin_loader.h"

namespace minitensor {
namespace {

class LoadingDisabled : public testing::Test {
 protected:
  test::ByteVector plugin() const {
    return test::WasmBuilder().dylink().metadata(test::MetadataText().section()).bytes();
  }

  OpRegistry ops_;
  LayerRegistry layers_;
  PluginLoader loader_{ops_, layers_};
};

TEST_F(LoadingDisabled, LoadingIsNotImplemented) {
  const test::ByteVector bytes = plugin();
  EXPECT_MT_ERROR(loader_.load_plugin("x.so"), ErrorCode::kNotImplemented,
                  "load_plugin: x.so: this build has no dynamic loading (MINITENSOR_DYNAMIC_LOADING=OFF)");
  EXPECT_MT_ERROR(loader_.load_plugin({bytes, "x.wasm"}), ErrorCode::kNotImplemented, "load_plugin: x.wasm: ");
  EXPECT_MT_ERROR(loader_.load_plugin("does not exist"), ErrorCode::kNotImplemented, "no dynamic loading");
  EXPECT_MT_ERROR(loader_.check(bytes, "x.wasm"), ErrorCode::kNotImplemented, "no dynamic loading");
}

TEST_F(LoadingDisabled, NothingIsLoaded) {
  loader_.set_log([](std::string_view, std::string_view) {});
  EXPECT_TRUE(loader_.list_plugins().empty());
  EXPECT_FALSE(loader_.is_plugin_loaded("swish"));
  EXPECT_PLUGIN_ERROR(loader_.get_plugin_info("swish"), "lookup", "no plugin \"swish\" is loaded; loaded are: none");
  EXPECT_PLUGIN_ERROR(loader_.unload_plugin("swish"), "lookup", "no plugin \"swish\" is loaded; loaded are: none");
}

TEST_F(LoadingDisabled, FilesAreInspectedAllTheSame) {
  EXPECT_EQ(inspect_plugin(plugin(), "x.wasm").metadata.info.name, "swish");
}

}  // namespace
}  // namespace minitensor
