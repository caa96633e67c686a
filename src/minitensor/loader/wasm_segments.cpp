#include "minitensor/loader/wasm_segments.h"

#include <algorithm>
#include <array>

namespace minitensor {

namespace {

// A number that a constant expression computes: `bases` times the base, plus a constant; or one that only the host
// knows.
struct Place {
  std::uint32_t bases = 0;
  std::uint32_t constant = 0;
  bool is_known = true;
};

std::uint32_t read_i32(ByteReader& reader) {
  std::uint32_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    const std::uint32_t byte = reader.read<std::uint8_t>();
    value |= (byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) {
      const bool is_negative = (byte & 0x40U) != 0;
      if (is_negative && shift < 25) value |= ~std::uint32_t{0} << (shift + 7);
      return value;
    }
  }
  reader.fail();
  return 0;
}

Place combine(std::uint8_t opcode, const Place& a, const Place& b) {
  const bool is_known = a.is_known && b.is_known;
  if (opcode == 0x6A) return {a.bases + b.bases, a.constant + b.constant, is_known};
  if (opcode == 0x6B) return {a.bases - b.bases, a.constant - b.constant, is_known};
  return {0, 0, false};
}

// Runs a constant expression. What it would be in a module with GC types or 64-bit addresses fails the reader: no
// plugin for this host has them.
Place read_expression(ByteReader& reader, std::optional<std::uint32_t> base) {
  std::array<Place, 8> stack;
  std::size_t depth = 0;
  const auto push = [&](const Place& place) {
    if (depth == stack.size()) return reader.fail();
    stack[depth++] = place;
  };
  while (!reader.failed()) {
    const auto opcode = reader.read<std::uint8_t>();
    switch (opcode) {
      case 0x0B:  // end
        if (depth != 1) reader.fail();
        return stack[0];
      case 0x23: {  // global.get
        const auto index = reader.read_leb128();
        push(base && index == *base ? Place{1, 0, true} : Place{0, 0, false});
        break;
      }
      case 0x41:  // i32.const
        push({0, read_i32(reader), true});
        break;
      case 0x42:  // i64.const
        reader.skip_leb128(70);
        push({0, 0, false});
        break;
      case 0x6A:  // i32.add
      case 0x6B:  // i32.sub
      case 0x6C:  // i32.mul
      case 0x7C:  // i64.add
      case 0x7D:  // i64.sub
      case 0x7E:  // i64.mul
        if (depth < 2) {
          reader.fail();
          break;
        }
        --depth;
        stack[depth - 1] = combine(opcode, stack[depth - 1], stack[depth]);
        break;
      case 0xD0:  // ref.null
        reader.skip_leb128(35);
        push({0, 0, false});
        break;
      case 0xD2:  // ref.func
        reader.read_leb128();
        push({0, 0, false});
        break;
      default:
        reader.fail();
    }
  }
  return {};
}

void add(SegmentExtent& extent, const Place& place, std::uint64_t size) {
  if (!place.is_known || place.bases != 1) {
    extent.is_elsewhere = true;
  } else {
    extent.end = std::max(extent.end, place.constant + size);
  }
}

bool skip_elements(ByteReader& reader, std::uint64_t count, bool are_expressions) {
  for (; count > 0 && !reader.failed(); --count) {
    if (are_expressions) {
      read_expression(reader, std::nullopt);
    } else {
      reader.read_leb128();
    }
  }
  return !reader.failed();
}

}  // namespace

bool read_data_segments(ByteReader& reader, const BaseGlobals& globals, SegmentExtent& extent, std::uint64_t& data) {
  for (std::uint64_t count = reader.read_leb128(); count > 0 && !reader.failed(); --count) {
    const auto flags = reader.read_leb128();
    const bool is_passive = flags == 1;
    if (flags > 2) return false;
    if (flags == 2) reader.read_leb128();  // which memory
    const Place place = is_passive ? Place{} : read_expression(reader, globals.memory);
    const std::uint64_t size = reader.read_leb128();
    reader.skip(size);
    data += size;
    if (!is_passive) add(extent, place, size);
  }
  return !reader.failed() && reader.at_end();
}

bool read_element_segments(ByteReader& reader, const BaseGlobals& globals, SegmentExtent& extent) {
  constexpr unsigned kInactive = 1;
  constexpr unsigned kExplicit = 2;
  constexpr unsigned kExpressions = 4;
  for (std::uint64_t count = reader.read_leb128(); count > 0 && !reader.failed(); --count) {
    const auto flags = static_cast<unsigned>(reader.read_leb128());
    if (flags > 7) return false;
    const bool is_active = (flags & kInactive) == 0;
    if (is_active && (flags & kExplicit) != 0) reader.read_leb128();  // which table
    const Place place = is_active ? read_expression(reader, globals.table) : Place{};
    if ((flags & (kInactive | kExplicit)) != 0) {
      const auto type = reader.read<std::uint8_t>();
      if (type == 0x63 || type == 0x64) reader.skip_leb128(35);
    }
    const std::uint64_t size = reader.read_leb128();
    if (!skip_elements(reader, size, (flags & kExpressions) != 0)) return false;
    if (is_active) add(extent, place, size);
  }
  return !reader.failed() && reader.at_end();
}

}  // namespace minitensor
