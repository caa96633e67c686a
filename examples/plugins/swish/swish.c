/* The op "swish": x * sigmoid(beta * x), with its gradient. A complete plugin, in C. */
#include <math.h>

#include "minitensor/sdk/plugin_api.h"

MT_PLUGIN_METADATA(kInfo, "swish", "1.0.0", "The activation function x * sigmoid(beta * x)", "The MiniTensor authors",
                   "0.1.0", "", "", "swish", "")

/* Both dtypes are computed in double. exp is only asked for numbers up to 0, so it never overflows. */
static double sigmoid(double x) {
  const double e = exp(-fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

static double swish(double x, double beta) { return x * sigmoid(beta * x); }

/* With s = sigmoid(beta * x), the derivative of swish is s + beta * x * s * (1 - s). */
static double derivative(double x, double beta) {
  const double s = sigmoid(beta * x);
  return s + beta * x * s * (1 - s);
}

static mt_status forward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
  const double beta = call->attributes[0]->number;
  if (input->dtype == MT_FLOAT64) {
    const double* x = input->data;
    double* y = call->output->data;
    for (int64_t i = 0; i < input->size; ++i) y[i] = swish(x[i], beta);
  } else {
    const float* x = input->data;
    float* y = call->output->data;
    for (int64_t i = 0; i < input->size; ++i) y[i] = (float)swish(x[i], beta);
  }
  return MT_OK;
}

static mt_status backward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
  const double beta = call->attributes[0]->number;
  if (input->dtype == MT_FLOAT64) {
    const double* x = input->data;
    const double* dy = call->grad_output->data;
    double* dx = call->grad_inputs[0]->data;
    for (int64_t i = 0; i < input->size; ++i) dx[i] = dy[i] * derivative(x[i], beta);
  } else {
    const float* x = input->data;
    const float* dy = call->grad_output->data;
    float* dx = call->grad_inputs[0]->data;
    for (int64_t i = 0; i < input->size; ++i) dx[i] = dy[i] * (float)derivative(x[i], beta);
  }
  return MT_OK;
}

static const mt_attribute kOne = {.struct_size = sizeof(mt_attribute), .type = MT_NUMBER, .number = 1};
static const mt_attribute_spec kBeta = {sizeof(mt_attribute_spec), MT_NUMBER, MT_STRING_INIT("beta"), &kOne};
static const mt_attribute_spec* const kAttributes[] = {&kBeta};

static const mt_op kSwish = {
    .struct_size = sizeof(mt_op),
    .input_count = 1,
    .name = MT_STRING_INIT("swish"),
    .summary = MT_STRING_INIT("x * sigmoid(beta * x), element by element"),
    .dtypes = MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_FLOAT64),
    .attribute_count = 1,
    .attributes = kAttributes,
    .forward = forward,
    .backward = backward,
};
static const mt_op* const kOps[] = {&kSwish};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  if (plugin->abi_version != MT_PLUGIN_ABI_VERSION) {
    return host->set_error(context, MT_ERROR_PLUGIN, MT_STRING("swish: the host has another plugin ABI"));
  }
  plugin->info = &kInfo;
  plugin->op_count = 1;
  plugin->ops = kOps;
  return MT_OK;
}
