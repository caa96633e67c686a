/*
 * Ops that do not end, want all memory there is, or log 5,000 lines, and one that is well. With HANGS_IN_CREATE
 * create_plugin does not end either.
 */
#include <stdlib.h>

#include "test_plugin.h"

TEST_PLUGIN_INFO(HANGS_NAME, "hang,grow,grow_page,allocate,chatter,twice")

static volatile int forever = 1;

static mt_status hang(const mt_op_call* call) {
  (void)call;
  while (forever) {
  }
  return MT_OK;
}

/* Around the host's allocator. The output is how many pages the memory then has. */
static mt_status grow(const mt_op_call* call) {
  while (__builtin_wasm_memory_grow(0, 1) != (size_t)-1) {
  }
  ((float*)call->output->data)[0] = (float)__builtin_wasm_memory_size(0);
  return MT_OK;
}

static mt_status grow_page(const mt_op_call* call) {
  ((float*)call->output->data)[0] = __builtin_wasm_memory_grow(0, 1) == (size_t)-1 ? 0 : 1;
  return MT_OK;
}

static mt_status allocate(const mt_op_call* call) {
  while (malloc(1 << 20) != NULL) {
  }
  return fail(call, MT_ERROR_MEMORY, "allocate: no more memory");
}

static mt_status chatter(const mt_op_call* call) {
  for (int i = 0; i < 5000; ++i) call->host->log(call->context, MT_STRING("chatter"));
  return copy_forward(call);
}

static mt_status twice(const mt_op_call* call) {
  const float* x = (const float*)call->inputs[0]->data;
  for (int64_t i = 0; i < call->output->size; ++i) ((float*)call->output->data)[i] = 2 * x[i];
  return MT_OK;
}

#define OP(function)                   \
  {.struct_size = sizeof(mt_op),       \
   .input_count = 1,                   \
   .name = MT_STRING_INIT(#function),  \
   .dtypes = MT_DTYPE_BIT(MT_FLOAT32), \
   .forward = function}
static const mt_op kHang = OP(hang);
static const mt_op kGrow = OP(grow);
static const mt_op kGrowPage = OP(grow_page);
static const mt_op kAllocate = OP(allocate);
static const mt_op kChatter = OP(chatter);
static const mt_op kTwice = OP(twice);
static const mt_op* const kOps[] = {&kHang, &kGrow, &kGrowPage, &kAllocate, &kChatter, &kTwice};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
#ifdef HANGS_IN_CREATE
  while (forever) {
  }
#endif
  plugin->info = &kInfo;
  plugin->op_count = sizeof(kOps) / sizeof(kOps[0]);
  plugin->ops = kOps;
  return MT_OK;
}
