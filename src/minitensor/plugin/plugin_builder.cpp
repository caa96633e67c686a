#include "minitensor/plugin/plugin_builder.h"

#include <utility>
#include <vector>

#include "minitensor/base/error.h"
#include "minitensor/base/owner.h"
#include "minitensor/base/text.h"

namespace minitensor {

namespace {

void require_text(const char* field, const std::string& text) {
  if (!is_valid_utf8(text)) throw Error(ErrorCode::kValue, std::string("PluginBuilder: ") + field + " is not UTF-8");
  if (text.find('\0') != std::string::npos) {
    throw Error(ErrorCode::kValue, std::string("PluginBuilder: ") + field + " contains a NUL: " + quote(text));
  }
}

}  // namespace

PluginBuilder& PluginBuilder::name(std::string value) {
  name_ = std::move(value);
  return *this;
}

PluginBuilder& PluginBuilder::version(VersionInfo value) {
  version_ = value;
  return *this;
}

PluginBuilder& PluginBuilder::description(std::string value) {
  description_ = std::move(value);
  return *this;
}

PluginBuilder& PluginBuilder::author(std::string value) {
  author_ = std::move(value);
  return *this;
}

PluginBuilder& PluginBuilder::min_minitensor_version(VersionInfo value) {
  min_version_ = value;
  return *this;
}

PluginBuilder& PluginBuilder::max_minitensor_version(VersionInfo value) {
  max_version_ = value;
  return *this;
}

PluginInfo PluginBuilder::build_info() const {
  std::vector<std::string> missing;
  if (!name_) missing.emplace_back("name");
  if (!version_) missing.emplace_back("version");
  if (!description_) missing.emplace_back("description");
  if (!author_) missing.emplace_back("author");
  if (!min_version_) missing.emplace_back("min_minitensor_version");
  if (!missing.empty()) throw Error(ErrorCode::kValue, "PluginBuilder: missing: " + join(missing, ", "));
  if (name_->empty()) throw Error(ErrorCode::kValue, "PluginBuilder: name is empty");
  if (*name_ == kEngineOwner) {
    throw Error(ErrorCode::kValue, "PluginBuilder: the name " + quote(*name_) + " stands for the engine itself");
  }
  require_text("name", *name_);
  require_text("description", *description_);
  require_text("author", *author_);
  if (max_version_ && *max_version_ < *min_version_) {
    throw Error(ErrorCode::kValue, "PluginBuilder: max_minitensor_version " + to_string(*max_version_) +
                                       " is below min_minitensor_version " + to_string(*min_version_));
  }
  return {*name_, *version_, *description_, *author_, *min_version_, max_version_};
}

std::shared_ptr<CustomPlugin> PluginBuilder::build() const { return std::make_shared<CustomPlugin>(build_info()); }

}  // namespace minitensor
