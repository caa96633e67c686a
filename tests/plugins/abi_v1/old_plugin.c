/*
 * A plugin as it was written for the first version of the header, plugin_api.h beside this file. Neither is ever
 * changed: every later host must load it, and it must compute what it always has.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin_api.h"

MT_PLUGIN_METADATA(kInfo, "old_plugin", "1.2.3", "Of the first header", "MiniTensor's tests", "0.1.0", "", "",
                   "old_scale,old_late,old_constant", "OldScale")

typedef struct state {
  double calls;
} state;

static int same(mt_string text, const char* other) {
  return text.size == strlen(other) && memcmp(text.data, other, text.size) == 0;
}

static const int64_t kAxes[] = {1, -2, 3};
static const mt_attribute kBy = {.struct_size = sizeof(mt_attribute), .type = MT_NUMBER, .number = 2};
static const mt_attribute kMode = {
    .struct_size = sizeof(mt_attribute), .type = MT_TEXT, .text = MT_STRING_INIT("plain")};
static const mt_attribute kNegate = {.struct_size = sizeof(mt_attribute), .type = MT_BOOLEAN, .boolean = 0};
static const mt_attribute kList = {
    .struct_size = sizeof(mt_attribute), .type = MT_INTEGERS, .integers = kAxes, .integer_count = 3};

static const mt_attribute_spec kSpecBy = {sizeof(mt_attribute_spec), MT_NUMBER, MT_STRING_INIT("by"), &kBy};
static const mt_attribute_spec kSpecMode = {sizeof(mt_attribute_spec), MT_TEXT, MT_STRING_INIT("mode"), &kMode};
static const mt_attribute_spec kSpecNegate = {sizeof(mt_attribute_spec), MT_BOOLEAN, MT_STRING_INIT("negate"),
                                              &kNegate};
static const mt_attribute_spec kSpecList = {sizeof(mt_attribute_spec), MT_INTEGERS, MT_STRING_INIT("list"), &kList};
static const mt_attribute_spec* const kSpecs[] = {&kSpecBy, &kSpecMode, &kSpecNegate, &kSpecList};

/* (x + the sum of list) * by, negated if asked for; mode must be "plain". */
static double factor(const mt_op_call* call) {
  return call->attributes[2]->boolean ? -call->attributes[0]->number : call->attributes[0]->number;
}

static mt_status validate(const mt_op_call* call) {
  if (same(call->attributes[1]->text, "plain")) return MT_OK;
  return call->host->set_error(call->context, MT_ERROR_VALUE, MT_STRING("mode must be \"plain\""));
}

static mt_status output_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  const mt_tensor* x = call->inputs[0];
  *rank = x->rank;
  memcpy(shape, x->shape, (size_t)x->rank * sizeof(int64_t));
  return MT_OK;
}

static mt_status output_dtype(const mt_op_call* call, mt_dtype* dtype) {
  *dtype = call->inputs[0]->dtype;
  return MT_OK;
}

static mt_status forward(const mt_op_call* call) {
  const mt_attribute* list = call->attributes[3];
  double sum = 0;
  for (uint32_t i = 0; i < list->integer_count; ++i) sum += (double)list->integers[i];
  const double* x = call->inputs[0]->data;
  double* y = call->output->data;
  for (int64_t i = 0; i < call->output->size; ++i) y[i] = (x[i] + sum) * factor(call);
  ((state*)call->plugin_state)->calls += 1;
  return MT_OK;
}

static mt_status backward(const mt_op_call* call) {
  const double* dy = call->grad_output->data;
  double* dx = call->grad_inputs[0]->data;
  for (int64_t i = 0; i < call->inputs[0]->size; ++i) dx[i] = dy[i] * factor(call);
  return MT_OK;
}

static const mt_string kInputs[] = {MT_STRING_INIT("x")};
static const mt_op kScale = {.struct_size = sizeof(mt_op),
                             .input_count = 1,
                             .name = MT_STRING_INIT("old_scale"),
                             .summary = MT_STRING_INIT("(x + sum of list) * by"),
                             .dtypes = MT_DTYPE_BIT(MT_FLOAT64),
                             .attribute_count = 4,
                             .attributes = kSpecs,
                             .forward = forward,
                             .backward = backward,
                             .validate = validate,
                             .output_shape = output_shape,
                             .output_dtype = output_dtype,
                             .input_names = kInputs};

/* Without inputs: the number of calls of old_scale. */
static mt_status constant_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  (void)shape;
  *rank = 0;
  return MT_OK;
}
static mt_status constant_dtype(const mt_op_call* call, mt_dtype* dtype) {
  (void)call;
  *dtype = MT_FLOAT64;
  return MT_OK;
}
static mt_status constant(const mt_op_call* call) {
  *(double*)call->output->data = ((state*)call->plugin_state)->calls;
  return MT_OK;
}
static const mt_op kConstant = {.struct_size = sizeof(mt_op),
                                .name = MT_STRING_INIT("old_constant"),
                                .forward = constant,
                                .output_shape = constant_shape,
                                .output_dtype = constant_dtype};

/* Through the host: the input with strides, plus a tensor of ones. */
static mt_status late(const mt_op_call* call) {
  const mt_host* host = call->host;
  const mt_tensor* x = call->inputs[0];
  mt_tensor* ones;
  mt_status status = host->create_tensor(call->context, MT_FLOAT64, x->rank, x->shape, &ones);
  if (status != MT_OK) return status;
  for (int64_t i = 0; i < ones->size; ++i) ((double*)ones->data)[i] = 1;
  const mt_tensor* inputs[] = {x, ones};
  const mt_tensor* sum;
  status = host->call_op(call->context, MT_STRING("add"), 2, inputs, 0, NULL, NULL, &sum);
  if (status != MT_OK) return status;
  memcpy(call->output->data, sum->data, (size_t)sum->size * sizeof(double));
  return MT_OK;
}
static const mt_op kLate = {.struct_size = sizeof(mt_op),
                            .input_count = 1,
                            .name = MT_STRING_INIT("old_late"),
                            .dtypes = MT_DTYPE_BIT(MT_FLOAT64),
                            .flags = MT_OP_STRIDED_INPUTS,
                            .forward = late};

/* x * weight, which is `by` to begin with. */
static const mt_attribute_spec kRequired = {sizeof(mt_attribute_spec), MT_NUMBER, MT_STRING_INIT("by"), NULL};
static const mt_attribute_spec* const kLayerSpecs[] = {&kRequired};
static mt_status create_layer(const mt_layer_call* call) {
  mt_tensor* weight;
  const mt_status status = call->host->create_tensor(call->context, MT_FLOAT64, 0, NULL, &weight);
  if (status != MT_OK) return status;
  *(double*)weight->data = call->attributes[0]->number;
  return call->host->add_parameter(call->context, MT_STRING("weight"), weight);
}
static mt_status forward_layer(const mt_layer_call* call, const mt_tensor** output) {
  const mt_tensor* inputs[] = {call->inputs[0], call->parameters[0]};
  return call->host->call_op(call->context, MT_STRING("mul"), 2, inputs, 0, NULL, NULL, output);
}
static const mt_layer_type kLayer = {.struct_size = sizeof(mt_layer_type),
                                     .attribute_count = 1,
                                     .name = MT_STRING_INIT("OldScale"),
                                     .attributes = kLayerSpecs,
                                     .create = create_layer,
                                     .forward = forward_layer};

static const mt_op* const kOps[] = {&kScale, &kConstant};
static const mt_layer_type* const kLayers[] = {&kLayer};

static mt_status initialize(const mt_host* host, mt_context* context, void* plugin_state) {
  (void)plugin_state;
  host->log(context, MT_STRING("initialize"));
  if (host->get_interface(context, MT_STRING("nothing")) != NULL) return MT_ERROR_PLUGIN;
  return host->register_op(context, &kLate);
}
static mt_status cleanup(const mt_host* host, mt_context* context, void* plugin_state) {
  (void)plugin_state;
  host->log(context, MT_STRING("cleanup"));
  return MT_OK;
}
static void destroy(void* plugin_state) { free(plugin_state); }

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  if (host->abi_version != MT_PLUGIN_ABI_VERSION || host->struct_size < sizeof(mt_host) ||
      plugin->struct_size < sizeof(mt_plugin)) {
    return host->set_error(context, MT_ERROR_PLUGIN, MT_STRING("the host is older than this plugin"));
  }
  plugin->state = calloc(1, sizeof(state));
  if (!plugin->state) return host->set_error(context, MT_ERROR_MEMORY, MT_STRING("out of memory"));
  plugin->info = &kInfo;
  plugin->op_count = 2;
  plugin->ops = kOps;
  plugin->layer_type_count = 1;
  plugin->layer_types = kLayers;
  plugin->initialize = initialize;
  plugin->cleanup = cleanup;
  plugin->destroy = destroy;
  return MT_OK;
}
