/* The op "my_plugin": x / (1 + |x|), known as softsign, element by element, with its gradient. */
#include "minitensor/sdk/plugin_api.h"

MT_PLUGIN_METADATA(kInfo, "my_plugin", "1.0.0", "x / (1 + |x|), element by element", "Your name", "0.1.0", "", "",
                   "my_plugin", "")

static double one_plus_abs(double x) { return 1 + (x < 0 ? -x : x); }

/* Fills the output, which the host has made: here of the input's shape and dtype. */
static mt_status forward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
  if (input->dtype == MT_FLOAT64) {
    const double* x = input->data;
    double* y = call->output->data;
    for (int64_t i = 0; i < input->size; ++i) y[i] = x[i] / one_plus_abs(x[i]);
  } else {
    const float* x = input->data;
    float* y = call->output->data;
    for (int64_t i = 0; i < input->size; ++i) y[i] = (float)(x[i] / one_plus_abs(x[i]));
  }
  return MT_OK;
}

/* Fills the gradient of each input. The derivative is 1 / (1 + |x|)^2. */
static mt_status backward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
  if (input->dtype == MT_FLOAT64) {
    const double* x = input->data;
    const double* dy = call->grad_output->data;
    double* dx = call->grad_inputs[0]->data;
    for (int64_t i = 0; i < input->size; ++i) dx[i] = dy[i] / (one_plus_abs(x[i]) * one_plus_abs(x[i]));
  } else {
    const float* x = input->data;
    const float* dy = call->grad_output->data;
    float* dx = call->grad_inputs[0]->data;
    for (int64_t i = 0; i < input->size; ++i) dx[i] = (float)(dy[i] / (one_plus_abs(x[i]) * one_plus_abs(x[i])));
  }
  return MT_OK;
}

static const mt_string kInputNames[] = {MT_STRING_INIT("x")};

static const mt_op kOp = {
    .struct_size = sizeof(mt_op),
    .input_count = 1,
    .name = MT_STRING_INIT("my_plugin"),
    .summary = MT_STRING_INIT("x / (1 + |x|), element by element"),
    .dtypes = MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_FLOAT64),
    .forward = forward,
    .backward = backward,
    .input_names = kInputNames,
};
static const mt_op* const kOps[] = {&kOp};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  plugin->info = &kInfo;
  plugin->op_count = 1;
  plugin->ops = kOps;
  return MT_OK;
}
