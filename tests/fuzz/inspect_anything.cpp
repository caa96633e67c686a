#include "fuzz/inspect_anything.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"
#include "minitensor/loader/demangle.h"
#include "minitensor/loader/inspect_plugin.h"

namespace minitensor::test {

namespace {

void require(bool condition, const char* promise) {
  if (!condition) throw std::logic_error(promise);
}

void require_good_error(const Error& error) {
  const ErrorDetails& details = error.details();
  require(error.code() == ErrorCode::kPlugin, "the code is kPlugin");
  require(!details.phase.empty(), "there is a phase");
  require(is_valid_utf8(error.message()) && is_valid_utf8(details.hint), "the texts are UTF-8");
  require(error.message().size() < 200'000, "the message is no book");
}

void require_good_list(const std::vector<std::string>& names) {
  for (const std::string& name : names) require(is_valid_utf8(name), "names are UTF-8");
}

void require_good_file(const ModuleFile& file, std::size_t size) {
  std::size_t length = 0;
  for (const ModuleImport& import : file.imports) {
    require(is_valid_utf8(import.module) && is_valid_utf8(import.name), "the names of imports are UTF-8");
    length += import.module.size() + import.name.size();
  }
  for (const ModuleExport& entry : file.exports) {
    require(is_valid_utf8(entry.name), "the names of exports are UTF-8");
    length += entry.name.size();
  }
  require_good_list(file.needed);
  require(length <= size, "names are not longer than the file");
  require(file.imports.size() + file.exports.size() <= size, "each import and export takes bytes of the file");
  require(file.sizes.file == size, "the size is that of the file");
  if (file.format != ModuleFormat::kWasm) return;
  require(file.sizes.code <= size && file.sizes.data <= size, "code and data stand in the file");
  require(file.dylink.has_value(), "a side module has a section dylink.0");
  require(file.data_extent.end <= file.sizes.memory, "data is where the module asked for memory");
  require(file.table_extent.end <= file.sizes.table, "functions are where the module asked for slots");
}

void require_good_inspection(const PluginInspection& inspection, std::size_t size) {
  const ModuleFile& file = inspection.file;
  require_good_file(file, size);
  require(!inspection.metadata.info.name.empty(), "a plugin has a name");
  require(inspection.imports.size() == file.imports.size(), "there is a verdict on each import");
  bool are_all_provided = true;
  for (const ImportVerdict& verdict : inspection.imports) {
    require(verdict.is_provided == verdict.cause.empty(), "what is missing has a cause, and nothing else");
    are_all_provided = are_all_provided && verdict.is_provided;
  }
  require(inspection.missing_imports.empty() == are_all_provided, "the list of what is missing is right");
  for (const Error& problem : inspection.problems) require_good_error(problem);
  const bool exports_create_plugin = std::any_of(
      file.exports.begin(), file.exports.end(),
      [](const ModuleExport& entry) { return entry.name == "create_plugin" && entry.kind == SymbolKind::kFunction; });
  require(exports_create_plugin || !inspection.is_loadable(), "a plugin has an entry point");
}

void require_expected(const Error& error) {
  require_good_error(error);
  const std::string& phase = error.details().phase;
  require(phase == "read" || phase == "metadata", "the phase is read or metadata");
  require(error.message().find("the-file") != std::string::npos, "the message names the file");
  require(!error.details().hint.empty(), "there is a hint");
}

}  // namespace

void inspect_anything(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    if (text.starts_with("_Z")) {
      require(demangle(text).size() <= 8 * text.size(), "a name does not grow beyond measure");
    } else if (text.starts_with("abi=")) {
      require(!parse_plugin_metadata(text, "the-file").info.name.empty(), "metadata has a name");
    } else {
      require_good_inspection(inspect_plugin(bytes, "the-file"), bytes.size());
    }
  } catch (const Error& error) {
    require_expected(error);
  }
}

}  // namespace minitensor::test
