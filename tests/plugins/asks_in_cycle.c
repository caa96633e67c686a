/* Calls an op of the application, "asked", when it is initialized and when it is cleaned up. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("asks_in_cycle", "asks_in_cycle_op")

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT("asks_in_cycle_op"),
                          .forward = copy_forward};
static const mt_op* const kOps[] = {&kOp};

static mt_status ask(const mt_host* host, mt_context* context, void* state) {
  mt_tensor* input;
  const mt_tensor* output;
  const mt_status status = host->create_tensor(context, MT_FLOAT32, 0, NULL, &input);
  (void)state;
  if (status != MT_OK) return status;
  const mt_tensor* const inputs[] = {input};
  return host->call_op(context, MT_STRING("asked"), 1, inputs, 0, NULL, NULL, &output);
}

TEST_PLUGIN_CREATE_LIVING(kOps, ask, ask)
