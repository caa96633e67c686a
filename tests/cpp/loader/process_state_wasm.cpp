#include <malloc.h>

#include "loader/process_state.h"

// In process_state.js.
extern "C" {
std::size_t mt_test_table_slots_used();
std::size_t mt_test_table_size();
}

namespace minitensor::test {

std::size_t loaded_code() { return mt_test_table_slots_used(); }
std::size_t table_size() { return mt_test_table_size(); }
std::size_t resident_bytes() { return 0; }

std::size_t heap_in_use() { return mallinfo().uordblks; }
std::size_t open_files() { return 0; }

}  // namespace minitensor::test
