/* What the plugins for tests have in common. */
#ifndef MINITENSOR_TESTS_PLUGINS_TEST_PLUGIN_H
#define MINITENSOR_TESTS_PLUGINS_TEST_PLUGIN_H

#include <stddef.h>
#include <string.h>

#include "minitensor/sdk/plugin_api.h"

/* Metadata of a plugin that registers `ops`, a list separated by commas. */
#define TEST_PLUGIN_INFO(name, ops) \
  MT_PLUGIN_METADATA(kInfo, name, "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "", ops, "")

/* create_plugin of a plugin with kInfo and the ops of the array `table`. */
#define TEST_PLUGIN_CREATE(table) TEST_PLUGIN_CREATE_LIVING(table, NULL, NULL)

/* The same with these functions for its life cycle, or NULL. */
#define TEST_PLUGIN_CREATE_LIVING(table, at_start, at_end)                               \
  mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) { \
    (void)host;                                                                          \
    (void)context;                                                                       \
    plugin->info = &kInfo;                                                               \
    plugin->op_count = sizeof(table) / sizeof((table)[0]);                               \
    plugin->ops = table;                                                                 \
    plugin->initialize = at_start;                                                       \
    plugin->cleanup = at_end;                                                            \
    return MT_OK;                                                                        \
  }

/* Returns the error `status` with a message. */
static inline mt_status fail(const mt_op_call* call, mt_status status, const char* message) {
  const mt_string text = {message, (uint32_t)strlen(message)};
  return call->host->set_error(call->context, status, text);
}

/* forward of an op that returns its first input. */
static inline mt_status copy_forward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
  const size_t element = input->dtype == MT_FLOAT64 ? sizeof(double) : sizeof(float);
  if (input->size > 0) memcpy(call->output->data, input->data, (size_t)input->size * element);
  return MT_OK;
}

#endif /* MINITENSOR_TESTS_PLUGINS_TEST_PLUGIN_H */
