/*
 * Made with a header to come, whose structs have further fields: the host must take what it knows and leave the rest
 * alone. The plugin itself writes no more of mt_plugin than the host has room for.
 */
#include "test_plugin.h"

TEST_PLUGIN_INFO("newer_struct", "newer_struct_op")

typedef struct newer_attribute {
  mt_attribute known;
  uint64_t unknown[3];
} newer_attribute;

typedef struct newer_attribute_spec {
  mt_attribute_spec known;
  uint64_t unknown[3];
} newer_attribute_spec;

typedef struct newer_op {
  mt_op known;
  mt_status (*unknown_function)(const mt_op_call* call);
  uint64_t unknown[5];
} newer_op;

typedef struct newer_info {
  mt_plugin_info known;
  mt_string unknown[2];
} newer_info;

typedef struct newer_plugin {
  mt_plugin known;
  void (*unknown_function)(void);
} newer_plugin;

static mt_status must_not_be_called(const mt_op_call* call) {
  return fail(call, MT_ERROR_PLUGIN, "newer_struct: the host calls what it cannot know");
}

static const newer_attribute kDefault = {
    .known = {.struct_size = sizeof(newer_attribute), .type = MT_NUMBER, .number = 2.5}, .unknown = {1, 2, 3}};
static const newer_attribute_spec kSpec = {.known = {.struct_size = sizeof(newer_attribute_spec),
                                                     .type = MT_NUMBER,
                                                     .name = MT_STRING_INIT("by"),
                                                     .default_value = &kDefault.known},
                                           .unknown = {1, 2, 3}};
static const mt_attribute_spec* const kSpecs[] = {&kSpec.known};

static mt_status forward(const mt_op_call* call) {
  const double by = call->attributes[0]->number;
  const double* x = call->inputs[0]->data;
  for (int64_t i = 0; i < call->output->size; ++i) ((double*)call->output->data)[i] = x[i] * by;
  return MT_OK;
}

static const newer_op kOp = {.known = {.struct_size = sizeof(newer_op),
                                       .input_count = 1,
                                       .name = MT_STRING_INIT("newer_struct_op"),
                                       .dtypes = MT_DTYPE_BIT(MT_FLOAT64),
                                       .attribute_count = 1,
                                       .attributes = kSpecs,
                                       .forward = forward},
                             .unknown_function = must_not_be_called,
                             .unknown = {1, 2, 3, 4, 5}};
static const mt_op* const kOps[] = {&kOp.known};

static newer_info info;

static void unknown_function(void) {}

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)context;
  info.known = kInfo;
  info.known.struct_size = sizeof(newer_info);
  info.unknown[0] = MT_STRING("unknown");
  plugin->info = &info.known;
  plugin->op_count = 1;
  plugin->ops = kOps;
  /* A field that this host does not have room for, and a function that it does not have. */
  if (plugin->struct_size >= sizeof(newer_plugin)) ((newer_plugin*)plugin)->unknown_function = unknown_function;
  return host->struct_size > sizeof(mt_host) ? MT_ERROR_PLUGIN : MT_OK;
}
