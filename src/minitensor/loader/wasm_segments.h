#pragma once

#include <cstdint>
#include <optional>

#include "minitensor/loader/byte_reader.h"
#include "minitensor/loader/module_file.h"

namespace minitensor {

/// The indices of the imported globals by which a side module knows where the host has placed it.
struct BaseGlobals {
  std::optional<std::uint32_t> memory;  ///< __memory_base
  std::optional<std::uint32_t> table;   ///< __table_base
};

/// Reads the content of a data section: how far its segments reach, and into `data` how many bytes they hold.
/// False when it is malformed.
/// https://webassembly.github.io/spec/core/binary/modules.html describes segments and constant expressions.
bool read_data_segments(ByteReader& reader, const BaseGlobals& globals, SegmentExtent& extent, std::uint64_t& data);

/// The same of an element section, which fills the function table.
bool read_element_segments(ByteReader& reader, const BaseGlobals& globals, SegmentExtent& extent);

}  // namespace minitensor
