/*
 * Types of layers that multiply by a parameter, each of which does one thing wrong, for `minitensor check`: "Scale" of
 * the plugin WRONG_NAME, with WRONG_INPUT and the like.
 */
#include <stdlib.h>

#include "test_plugin.h"

MT_PLUGIN_METADATA(kInfo, WRONG_NAME, "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "", "", "Scale")

static mt_status create(const mt_layer_call* call) {
  mt_tensor* weight;
  const mt_status status = call->host->create_tensor(call->context, MT_FLOAT32, 0, NULL, &weight);
  if (status != MT_OK) return status;
  ((float*)weight->data)[0] = 2;
  return call->host->add_parameter(call->context, MT_STRING("weight"), weight);
}

static mt_status forward(const mt_layer_call* call, const mt_tensor** output) {
  const mt_tensor* input = call->inputs[0];
#ifdef WRONG_REFUSES
  return call->host->set_error(call->context, MT_ERROR_VALUE, MT_STRING("takes nothing"));
#endif
#ifdef WRONG_THREE
  if (call->input_count != 3) return call->host->set_error(call->context, MT_ERROR_VALUE, MT_STRING("wants 3 inputs"));
#endif
#ifdef WRONG_TRAPS
  if (input->rank == 2) __builtin_trap();
#endif
#ifdef WRONG_INPUT
  if (input->dtype == MT_FLOAT32 && input->size > 0) ((float*)input->data)[0] = 9;
#endif
#ifdef WRONG_PARAMETER
  if (input->rank == 1) ((float*)call->parameters[0]->data)[0] = 3;
#endif
#ifdef WRONG_LEAKS
  volatile char* leak = malloc(77);
  if (leak) leak[0] = 1;
#endif
#ifdef WRONG_RANDOM
  static int calls;
  mt_tensor* number;
  const mt_status status = call->host->create_tensor(call->context, MT_FLOAT32, 0, NULL, &number);
  if (status != MT_OK) return status;
  ((float*)number->data)[0] = (float)++calls;
  *output = number;
  return MT_OK;
#endif
  const mt_tensor* factors[] = {input, call->parameters[0]};
  return call->host->call_op(call->context, MT_STRING("mul"), 2, factors, 0, NULL, NULL, output);
}

static const mt_layer_type kScale = {
    .struct_size = sizeof(mt_layer_type), .name = MT_STRING_INIT("Scale"), .create = create, .forward = forward};
static const mt_layer_type* const kLayers[] = {&kScale};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  plugin->info = &kInfo;
  plugin->layer_type_count = 1;
  plugin->layer_types = kLayers;
  return MT_OK;
}
