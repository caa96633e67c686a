/* The op "trap" traps, with some of the stack in use. Natively, where nothing can stop that, it fails. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("throws_trap", "trap")

#ifdef __wasm__
static mt_status forward(const mt_op_call* call) {
  volatile char stack[4096];
  stack[(uint32_t)call->inputs[0]->size % sizeof stack] = 1;
  __builtin_trap();
}
#else
static mt_status forward(const mt_op_call* call) { return fail(call, MT_ERROR_PLUGIN, "trap: only WebAssembly traps"); }
#endif

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("trap"), .forward = forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
