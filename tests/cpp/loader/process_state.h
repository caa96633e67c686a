#pragma once

#include <cstddef>

namespace minitensor::test {

/// How much code is loaded: natively the number of shared libraries in the process. In WebAssembly the number of slots
/// in use of the table of functions.
std::size_t loaded_code();

/// The size of what only grows: natively 0. In WebAssembly the number of slots of the table, used or not.
std::size_t table_size();

/// Bytes that malloc has given out.
std::size_t heap_in_use();

/// What tools take of it whenever plugins with global objects are loaded: AddressSanitizer registers a function of its
/// own for every destructor, and forgets none.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr std::size_t kHeapOfToolsPerCycle = 80;
#else
inline constexpr std::size_t kHeapOfToolsPerCycle = 0;
#endif

/// Memory of the process that is in use, 0 in WebAssembly.
std::size_t resident_bytes();

/// The number of open files, 0 in WebAssembly.
std::size_t open_files();

}  // namespace minitensor::test
