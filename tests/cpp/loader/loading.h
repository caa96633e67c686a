#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "loader/plugin_error.h"
#include "loader/plugin_folders.h"
#include "loader/process_state.h"
#include "loader/wasm_builder.h"
#include "minitensor/loader/plugin_loader.h"
#include "minitensor/ops/builtin_ops.h"
#include "support/make_tensor.h"

namespace minitensor::test {

using Strings = std::vector<std::string>;

inline std::string example_plugin(const std::string& name) { return kExamplePluginFolder + '/' + name + kPluginSuffix; }
inline std::string test_plugin(const std::string& name) { return kTestPluginFolder + '/' + name + kPluginSuffix; }

inline ByteVector read_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  const std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  return bytes_of(content);
}

/// A file that is removed at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name) : path_(kTemporaryFolder + '/' + name) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }
  void write(const ByteVector& bytes) const {
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    EXPECT_TRUE(stream) << path_;
  }

 private:
  std::string path_;
};

/// An engine's tables with its built-in ops, and a loader over them.
struct LoadingEngine {
  LoadingEngine() { register_builtin_ops(ops); }

  /// Everything in the tables and the loader, a line an entry.
  Strings contents() const {
    Strings lines;
    for (const auto& op : ops.all()) lines.push_back("op " + op->name + " of " + ops.owner_of(op->name));
    for (const std::string& layer : layers.list()) lines.push_back("layer " + layer);
    for (const PluginInfo& info : loader.list_plugins()) lines.push_back("plugin " + info.name);
    return lines;
  }

  Tensor run(std::string_view op, const std::vector<Tensor>& inputs, const NamedAttributes& attributes = {}) const {
    return ops.execute(op, inputs, attributes);
  }

  OpRegistry ops;
  LayerRegistry layers;
  PluginLoader loader{ops, layers};
};

/// Each test has an engine, and must leave the process as it was: no code stays loaded, nothing of the linker's.
class Loading : public testing::Test {
 protected:
  void TearDown() override {
    engine_.reset();
    EXPECT_EQ(loaded_code(), code_before_) << "code of plugins stays in the process";
    EXPECT_EQ(open_files(), files_before_) << "files stay open";
  }

  LoadingEngine& engine() { return *engine_; }
  PluginInfo load(const std::string& path) { return engine().loader.load_plugin(path); }
  void unload(std::string_view name) { engine().loader.unload_plugin(name); }
  Tensor run(std::string_view op, const std::vector<Tensor>& inputs, const NamedAttributes& attributes = {}) {
    return engine().run(op, inputs, attributes);
  }

  /// Loading `path` fails with this phase and text, says of which file and plugin it is about and what to do, and
  /// everything is as before; a good plugin loads afterwards.
  void expect_refused(const std::string& path, std::string_view phase, std::string_view text) {
    const Strings contents = engine().contents();
    const std::size_t bytes = Storage::live_bytes();
    const std::size_t code = loaded_code();
    EXPECT_PLUGIN_ERROR(load(path), phase, text);
    const Error error = error_of([&] { load(path); });
    EXPECT_NE(error.message().find(path), std::string::npos) << error.message();
    EXPECT_NE(error.details().hint, "") << error.message();
    // What cannot be read has no name, and neither has what does not say it.
    const bool is_known = phase != "read" && error.message().find("no MiniTensor metadata") == std::string::npos;
    EXPECT_EQ(error.details().plugin.empty(), !is_known) << error.message();
    EXPECT_EQ(engine().contents(), contents);
    EXPECT_EQ(Storage::live_bytes(), bytes);
    EXPECT_EQ(loaded_code(), code);
    load(example_plugin("swish"));
    EXPECT_EQ(run("swish", {make_tensor({0}, {1})}).to_vector(), std::vector<double>{0});
    unload("swish");
    EXPECT_EQ(engine().contents(), contents);
  }

 private:
  std::size_t code_before_ = loaded_code();
  std::size_t files_before_ = open_files();
  std::unique_ptr<LoadingEngine> engine_ = std::make_unique<LoadingEngine>();
};

}  // namespace minitensor::test
