#include <cstdint>

#include "minitensor/loader/staged_file.h"

// In dynamic_linker.js.
extern "C" {
void mt_linker_stage(const char* path, const char* compiled, const void* bytes, std::size_t size,
                     std::uint32_t memory_size, std::uint32_t memory_alignment, std::uint32_t table_size);
void mt_linker_unstage(const char* path);
}

namespace minitensor {

namespace {

std::string next_path() {
  static unsigned count = 0;
  return "plugin:" + std::to_string(++count);
}

}  // namespace

StagedFile::StagedFile(const PluginSource& source, const ModuleFile& file) : path_(next_path()) {
  mt_linker_stage(path_.c_str(), source.compiled.c_str(), source.bytes.data(), source.bytes.size(),
                  file.dylink->memory_size, file.dylink->memory_alignment, file.dylink->table_size);
}

StagedFile::~StagedFile() { mt_linker_unstage(path_.c_str()); }

void StagedFile::run_constructors(void*) const {}

// The import check has named them before anything was compiled.
std::vector<std::string> StagedFile::missing_symbols(const ModuleFile&) const { return {}; }

}  // namespace minitensor
