#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace minitensor {

/// The constructors of an ELF shared library, as addresses relative to where it is loaded. They are taken out of the
/// dynamic linker's hands, because a library of which one throws would stay in the C library half loaded, for good.
struct ElfConstructors {
  std::uint64_t init = 0;   // a function; 0: there is none
  std::uint64_t array = 0;  // of functions
  std::uint64_t count = 0;

  /// Finds them in the library's file, and changes the copy so that dlopen runs none. Of a file that is not a 64-bit
  /// ELF library in order, nothing is changed.
  static ElfConstructors take_from(std::span<std::byte> file) noexcept;
  /// Runs them, in order, of the library that dlopen gave this handle for. Throws what they throw.
  void run(void* handle) const;
};

}  // namespace minitensor
