/*
 * The op "misuse" and the layer type "Misuse" use the host's functions as nobody should; the attribute "how" says in
 * which way. What the host answers is what they return; "goes_on" is answered with MT_OK after every misuse of all.
 */
#include "test_plugin.h"

MT_PLUGIN_METADATA(kInfo, "misuse", "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "", "misuse",
                   "Misuse")

static const mt_attribute_spec kHow = {sizeof(mt_attribute_spec), MT_TEXT, MT_STRING_INIT("how"), NULL};
static const mt_attribute_spec* const kAttributes[] = {&kHow};

static int is(mt_string text, const char* other) {
  return text.size == strlen(other) && memcmp(text.data, other, text.size) == 0;
}

static const int64_t kShape[] = {2, 3};
static const int64_t kNegative[] = {2, -3};
static const int64_t kHuge[] = {INT64_MAX, INT64_MAX};
static const int64_t kNineOnes[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
static const mt_string kNullText = {NULL, 5};

static mt_status create_tensor(const mt_host* host, mt_context* context, mt_string how, int* found) {
  mt_tensor* tensor;
  *found = 1;
  if (is(how, "no_result")) return host->create_tensor(context, MT_FLOAT32, 2, kShape, NULL);
  if (is(how, "no_context")) return host->create_tensor(NULL, MT_FLOAT32, 2, kShape, &tensor);
  if (is(how, "no_shape")) return host->create_tensor(context, MT_FLOAT32, 2, NULL, &tensor);
  if (is(how, "dtype_0")) return host->create_tensor(context, 0, 2, kShape, &tensor);
  if (is(how, "dtype_77")) return host->create_tensor(context, 77, 2, kShape, &tensor);
  if (is(how, "rank_9")) return host->create_tensor(context, MT_FLOAT32, 9, kNineOnes, &tensor);
  if (is(how, "rank_99")) return host->create_tensor(context, MT_FLOAT32, 99, kShape, &tensor);
  if (is(how, "negative_rank")) return host->create_tensor(context, MT_FLOAT32, -1, kShape, &tensor);
  if (is(how, "negative_size")) return host->create_tensor(context, MT_FLOAT32, 2, kNegative, &tensor);
  if (is(how, "huge")) return host->create_tensor(context, MT_FLOAT64, 2, kHuge, &tensor);
  *found = 0;
  return MT_OK;
}

static mt_status call_op(const mt_host* host, mt_context* context, mt_string how, const mt_tensor* input, int* found) {
  const mt_tensor* output;
  const mt_tensor* inputs[] = {input, input};
  const mt_tensor* null_inputs[] = {input, NULL};
  const mt_tensor copy = *input;
  const mt_tensor* foreign_inputs[] = {input, &copy};
  const mt_string names[] = {MT_STRING_INIT("axis")};
  const mt_string null_names[] = {{NULL, 5}};
  const mt_attribute odd = {.struct_size = sizeof(mt_attribute), .type = 99};
  const mt_attribute no_text = {.struct_size = sizeof(mt_attribute), .type = MT_TEXT, .text = {NULL, 5}};
  const mt_attribute no_integers = {.struct_size = sizeof(mt_attribute), .type = MT_INTEGERS, .integer_count = 5};
  const mt_attribute* odd_attributes[] = {&odd};
  const mt_attribute* no_text_attributes[] = {&no_text};
  const mt_attribute* no_integers_attributes[] = {&no_integers};
  const mt_attribute* null_attributes[] = {NULL};
  const mt_string add = MT_STRING("add");
  *found = 1;
  if (is(how, "call_no_result")) return host->call_op(context, add, 2, inputs, 0, NULL, NULL, NULL);
  if (is(how, "call_no_context")) return host->call_op(NULL, add, 2, inputs, 0, NULL, NULL, &output);
  if (is(how, "call_no_name")) return host->call_op(context, kNullText, 2, inputs, 0, NULL, NULL, &output);
  if (is(how, "call_no_inputs")) return host->call_op(context, add, 2, NULL, 0, NULL, NULL, &output);
  if (is(how, "call_null_input")) return host->call_op(context, add, 2, null_inputs, 0, NULL, NULL, &output);
  if (is(how, "call_foreign_input")) return host->call_op(context, add, 2, foreign_inputs, 0, NULL, NULL, &output);
  if (is(how, "call_no_names")) return host->call_op(context, add, 2, inputs, 1, NULL, odd_attributes, &output);
  if (is(how, "call_null_name")) return host->call_op(context, add, 2, inputs, 1, null_names, odd_attributes, &output);
  if (is(how, "call_no_attributes")) return host->call_op(context, add, 2, inputs, 1, names, NULL, &output);
  if (is(how, "call_null_attribute")) {
    return host->call_op(context, add, 2, inputs, 1, names, null_attributes, &output);
  }
  if (is(how, "call_odd_attribute")) return host->call_op(context, add, 2, inputs, 1, names, odd_attributes, &output);
  if (is(how, "call_null_text")) return host->call_op(context, add, 2, inputs, 1, names, no_text_attributes, &output);
  if (is(how, "call_null_integers")) {
    return host->call_op(context, add, 2, inputs, 1, names, no_integers_attributes, &output);
  }
  if (is(how, "call_itself")) {
    const mt_string itself[] = {MT_STRING_INIT("how")};
    const mt_attribute text = {.struct_size = sizeof(mt_attribute), .type = MT_TEXT, .text = how};
    const mt_attribute* const texts[] = {&text};
    return host->call_op(context, MT_STRING("misuse"), 1, inputs, 1, itself, texts, &output);
  }
  *found = 0;
  return MT_OK;
}

static mt_status call_op_many(const mt_host* host, mt_context* context, mt_string how, const mt_tensor* input,
                              int* found) {
  const mt_string topk = MT_STRING("topk");
  const mt_string names[] = {MT_STRING_INIT("k")};
  const mt_attribute one = {.struct_size = sizeof(mt_attribute), .type = MT_NUMBER, .number = 1};
  const mt_attribute* const values[] = {&one};
  const mt_tensor* outputs[2] = {NULL, NULL};
  uint32_t count = 77;
  *found = 1;
  if (is(how, "call_topk")) return host->call_op(context, topk, 1, &input, 1, names, values, outputs);
  if (is(how, "many_no_result")) {
    return host->call_op_many(context, topk, 1, &input, 1, names, values, 2, NULL, &count);
  }
  if (is(how, "many_no_count")) {
    return host->call_op_many(context, topk, 1, &input, 1, names, values, 2, outputs, NULL);
  }
  if (is(how, "many_no_context")) {
    return host->call_op_many(NULL, topk, 1, &input, 1, names, values, 2, outputs, &count);
  }
  if (is(how, "many_no_inputs")) {
    return host->call_op_many(context, topk, 1, NULL, 1, names, values, 2, outputs, &count);
  }
  if (is(how, "many_no_room") || is(how, "many_little_room")) {
    const uint32_t capacity = is(how, "many_little_room");
    const mt_status status = host->call_op_many(context, topk, 1, &input, 1, names, values, capacity, outputs, &count);
    return count == 2 && !outputs[0] && !outputs[1] ? status : MT_OK;
  }
  if (is(how, "many_unknown")) {
    const mt_status status =
        host->call_op_many(context, MT_STRING("no_such_op"), 1, &input, 0, NULL, NULL, 2, outputs, &count);
    return count == 0 ? status : MT_OK;
  }
  *found = 0;
  return MT_OK;
}

static mt_status copy(const mt_op_call* call) { return copy_forward(call); }

static mt_status other(const mt_host* host, mt_context* context, mt_string how, const mt_tensor* input, int* found) {
  static const mt_op kOp = {
      .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("too_late"), .forward = copy};
  static const mt_layer_type kType = {.struct_size = sizeof(mt_layer_type), .name = MT_STRING_INIT("TooLate")};
  *found = 1;
  if (is(how, "register_op")) return host->register_op(context, &kOp);
  if (is(how, "register_null_op")) return host->register_op(context, NULL);
  if (is(how, "register_layer_type")) return host->register_layer_type(context, &kType);
  if (is(how, "add_parameter")) return host->add_parameter(context, MT_STRING("weight"), input);
  if (is(how, "error_null_text")) return host->set_error(context, MT_ERROR_VALUE, kNullText);
  if (is(how, "error_not_utf8")) return host->set_error(context, MT_ERROR_VALUE, MT_STRING("\xFF\xFE"));
  if (is(how, "error_no_context")) return host->set_error(NULL, MT_ERROR_VALUE, MT_STRING("to nobody"));
  if (is(how, "error_unknown_status")) return host->set_error(context, 12345, MT_STRING("an odd status"));
  if (is(how, "error_of_the_engine")) return host->set_error(context, 9, MT_STRING("an engine's own status"));
  if (is(how, "error_ok")) return host->set_error(context, MT_OK, MT_STRING("no error"));
  if (is(how, "status_only")) return MT_ERROR_SHAPE;
  if (is(how, "status_negative")) return -1;
  if (is(how, "log_null_text")) {
    host->log(context, kNullText);
    host->log(NULL, MT_STRING("to nobody"));
    return MT_OK;
  }
  if (is(how, "interface")) {
    return host->get_interface(context, MT_STRING("of a later version")) == NULL ? MT_OK : MT_ERROR_PLUGIN;
  }
  *found = 0;
  return MT_OK;
}

static mt_status misuse(const mt_host* host, mt_context* context, mt_string how, const mt_tensor* input) {
  int found;
  mt_status status = create_tensor(host, context, how, &found);
  if (!found) status = call_op(host, context, how, input, &found);
  if (!found) status = call_op_many(host, context, how, input, &found);
  if (!found) status = other(host, context, how, input, &found);
  if (!found) status = host->set_error(context, MT_ERROR_KEY, MT_STRING("no such misuse"));
  return status;
}

static mt_status forward(const mt_op_call* call) {
  const mt_string how = call->attributes[0]->text;
  if (!is(how, "goes_on")) {
    const mt_status status = misuse(call->host, call->context, how, call->inputs[0]);
    return status == MT_OK ? copy_forward(call) : status;
  }
  static const char* const kAll[] = {"no_result",   "dtype_77",      "call_no_inputs", "call_foreign_input",
                                     "register_op", "add_parameter", "error_not_utf8", "many_little_room"};
  for (size_t i = 0; i < sizeof kAll / sizeof kAll[0]; ++i) {
    const mt_string one = {kAll[i], (uint32_t)strlen(kAll[i])};
    if (misuse(call->host, call->context, one, call->inputs[0]) == MT_OK) return MT_ERROR_PLUGIN;
  }
  return copy_forward(call);
}

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT("misuse"),
                          .attribute_count = 1,
                          .attributes = kAttributes,
                          .forward = forward};
static const mt_op* const kOps[] = {&kOp};

static mt_status create_layer(const mt_layer_call* call) {
  const mt_host* host = call->host;
  const mt_string how = call->attributes[0]->text;
  mt_tensor* tensor;
  const mt_status status = host->create_tensor(call->context, MT_FLOAT32, 2, kShape, &tensor);
  if (status != MT_OK) return status;
  const mt_tensor foreign = *tensor;
  if (is(how, "parameter_null")) return host->add_parameter(call->context, MT_STRING("weight"), NULL);
  if (is(how, "parameter_foreign")) return host->add_parameter(call->context, MT_STRING("weight"), &foreign);
  if (is(how, "parameter_null_name")) return host->add_parameter(call->context, kNullText, tensor);
  if (is(how, "parameter_no_name")) return host->add_parameter(call->context, MT_STRING(""), tensor);
  return host->add_parameter(call->context, MT_STRING("weight"), tensor);
}

static mt_status forward_layer(const mt_layer_call* call, const mt_tensor** output) {
  static mt_tensor foreign;
  const mt_string how = call->attributes[0]->text;
  if (is(how, "output_parameter")) *output = call->parameters[0];
  if (is(how, "output_input")) *output = call->inputs[0];
  if (is(how, "output_foreign")) *output = &foreign;
  if (is(how, "add_parameter")) return misuse(call->host, call->context, how, call->inputs[0]);
  return MT_OK;
}

static const mt_layer_type kLayerType = {.struct_size = sizeof(mt_layer_type),
                                         .attribute_count = 1,
                                         .name = MT_STRING_INIT("Misuse"),
                                         .attributes = kAttributes,
                                         .create = create_layer,
                                         .forward = forward_layer};
static const mt_layer_type* const kLayerTypes[] = {&kLayerType};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  plugin->info = &kInfo;
  plugin->op_count = 1;
  plugin->ops = kOps;
  plugin->layer_type_count = 1;
  plugin->layer_types = kLayerTypes;
  return MT_OK;
}
