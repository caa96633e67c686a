/*
 * Exports functions under names of the host's, which count their calls; the op tells how many there were. Nobody is to
 * come by them: neither the host nor another plugin.
 */
#include "test_plugin.h"

TEST_PLUGIN_INFO("exports_host_names", "stolen_calls")

#if defined(__wasm__)
#define EXPORTED(name) __attribute__((visibility("default"), export_name(#name)))
#else
#define EXPORTED(name) __attribute__((visibility("default")))
#endif

static int stolen_calls;

EXPORTED(malloc) void* malloc(size_t size) {
  (void)size;
  ++stolen_calls;
  return NULL;
}

EXPORTED(calloc) void* calloc(size_t count, size_t size) {
  (void)count;
  (void)size;
  ++stolen_calls;
  return NULL;
}

EXPORTED(free) void free(void* pointer) {
  (void)pointer;
  ++stolen_calls;
}

EXPORTED(mt_linker_run) void mt_linker_run(void) { ++stolen_calls; }

static mt_status forward(const mt_op_call* call) {
  if (call->output->size > 0) *(float*)call->output->data = (float)stolen_calls;
  return MT_OK;
}

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("stolen_calls"), .forward = forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
