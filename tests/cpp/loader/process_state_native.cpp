#include <link.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "loader/process_state.h"

#if defined(__SANITIZE_ADDRESS__)
// As in sanitizer/allocator_interface.h, which not every installation has.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#else
#include <malloc.h>
#endif

namespace minitensor::test {

std::size_t loaded_code() {
  std::size_t count = 0;
  const auto add = [](dl_phdr_info*, std::size_t, void* data) {
    ++*static_cast<std::size_t*>(data);
    return 0;
  };
  dl_iterate_phdr(add, &count);
  return count;
}

std::size_t table_size() { return 0; }

std::size_t heap_in_use() {
#if defined(__SANITIZE_ADDRESS__)
  return __sanitizer_get_current_allocated_bytes();
#else
  return mallinfo2().uordblks;
#endif
}

std::size_t resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  pages >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

}  // namespace minitensor::test
