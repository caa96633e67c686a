/* global addToLibrary, wasmTable */
// What only JavaScript can count, for process_state_wasm.cpp.
addToLibrary({
  mt_test_table_slots_used__deps: ['$wasmTable'],
  mt_test_table_slots_used: () => {
    let used = 0;
    for (let slot = 0; slot < wasmTable.length; slot++) {
      if (wasmTable.get(slot) !== null) used++;
    }
    return used;
  },

  mt_test_table_size__deps: ['$wasmTable'],
  mt_test_table_size: () => wasmTable.length,
});
