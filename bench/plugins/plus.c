/* a + b for float32 of one shape: what the built-in add does, as a plugin. The number in its name is replaced in the
 * file to make many plugins of it (bench/plugin_files.js). */
#include "minitensor/sdk/plugin_api.h"

MT_PLUGIN_METADATA(kInfo, "plus_000", "1.0.0", "a + b", "The MiniTensor authors", "0.1.0", "", "", "plus_000", "")

static mt_status validate(const mt_op_call* call) {
  const mt_tensor* a = call->inputs[0];
  const mt_tensor* b = call->inputs[1];
  int32_t axis = 0;
  while (a->rank == b->rank && axis < a->rank && a->shape[axis] == b->shape[axis]) ++axis;
  if (a->rank == b->rank && axis == a->rank) return MT_OK;
  return call->host->set_error(call->context, MT_ERROR_SHAPE, MT_STRING("the shapes differ"));
}

static mt_status forward(const mt_op_call* call) {
  const float* a = call->inputs[0]->data;
  const float* b = call->inputs[1]->data;
  float* restrict sum = call->output->data;
  for (int64_t i = 0, n = call->output->size; i < n; ++i) sum[i] = a[i] + b[i];
  return MT_OK;
}

static const mt_op kPlus = {
    .struct_size = sizeof(mt_op),
    .input_count = 2,
    .name = MT_STRING_INIT("plus_000"),
    .dtypes = MT_DTYPE_BIT(MT_FLOAT32),
    .forward = forward,
    .validate = validate,
};
static const mt_op* const kOps[] = {&kPlus};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  plugin->info = &kInfo;
  plugin->op_count = 1;
  plugin->ops = kOps;
  return MT_OK;
}
