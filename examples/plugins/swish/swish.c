/* The op "swish": x * sigmoid(beta * x), with its gradient. A complete plugin, in C. */
#include <stdint.h>
#include <string.h>

#include "minitensor/sdk/plugin_api.h"

MT_PLUGIN_METADATA(kInfo, "swish", "1.0.0", "The activation function x * sigmoid(beta * x)", "The MiniTensor authors",
                   "0.1.0", "", "", "swish", "")

/*
 * e^x for x <= 0. The C library's exp would do, but its table of 2 KB is half of what this plugin weighs. With n the
 * integer next to x / ln 2, e^x is 2^n * e^r, where r is at most ln 2 / 2: 13 terms of its series are exact to a
 * double's last digit. ln 2 is in two parts, so that n times the first is exact. Below -708 the result would be
 * denormal: 0.
 */
static double exp_of_negative(double x) {
  if (!(x > -708)) return x < 0 ? 0 : x; /* NaN stays NaN */
  const int64_t n = (int64_t)(x * 1.4426950408889634 - 0.5);
  const double r = (x - (double)n * 0x1.62e42feep-1) - (double)n * 0x1.a39ef35793c76p-33;
  double sum = 1;
  for (int k = 13; k > 0; --k) sum = 1 + sum * r * (1.0 / k);
  const uint64_t exponent = (uint64_t)(n + 1023) << 52;
  double power;
  memcpy(&power, &exponent, sizeof power);
  return sum * power;
}

/* Both dtypes are computed in double. */
static double sigmoid(double x) {
  const double e = exp_of_negative(x < 0 ? x : -x);
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

static const mt_string kInputNames[] = {MT_STRING_INIT("x")};

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
    .input_names = kInputNames,
};
static const mt_op* const kOps[] = {&kSwish};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  if (plugin->abi_version != MT_PLUGIN_ABI_VERSION) {
    return host->set_error(context, MT_ERROR_PLUGIN, MT_STRING("the host has another plugin ABI"));
  }
  plugin->info = &kInfo;
  plugin->op_count = 1;
  plugin->ops = kOps;
  return MT_OK;
}
