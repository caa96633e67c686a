#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace minitensor::test {

/// The content of a metadata section, right to begin with, key by key.
class MetadataText {
 public:
  MetadataText& set(std::string_view key, std::string_view value) {
    const auto entry = find(key);
    if (entry == entries_.end()) {
      entries_.emplace_back(key, value);
    } else {
      entry->second = value;
    }
    return *this;
  }
  MetadataText& remove(std::string_view key) {
    entries_.erase(find(key));
    return *this;
  }

  std::string section() const {
    std::string text;
    for (const auto& [key, value] : entries_) text += key + '=' + value + '\0';
    return text;
  }

 private:
  using Entries = std::vector<std::pair<std::string, std::string>>;

  Entries::iterator find(std::string_view key) {
    return std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == key; });
  }

  Entries entries_ = {
      {"abi", "1"},
      {"name", "swish"},
      {"version", "1.2.3"},
      {"description", "x * sigmoid(x)"},
      {"author", "Ada"},
      {"min_minitensor_version", "0.1.0"},
      {"max_minitensor_version", ""},
      {"features", ""},
      {"ops", "swish"},
      {"layers", ""},
  };
};

}  // namespace minitensor::test
