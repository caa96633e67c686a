/*
 * The op "watch" remembers where its input's two elements are, which the test keeps alive; at its end the plugin
 * appends a digit to the first element for each step of its life: 1 cleanup, 2 destroy, 3 what was given to atexit
 * last, 4 what was given first. A destructor function adds 1 to the second.
 */
#include <stdlib.h>

#include "test_plugin.h"

TEST_PLUGIN_INFO("lifecycle", "watch")

static double* watched;

static void note(int step) {
  if (watched) *watched = *watched * 10 + step;
}

static mt_status watch(const mt_op_call* call) {
  watched = call->inputs[0]->data;
  return copy_forward(call);
}

static mt_status cleanup(const mt_host* host, mt_context* context, void* state) {
  (void)host;
  (void)context;
  (void)state;
  note(1);
  return MT_OK;
}
static void destroy(void* state) {
  (void)state;
  note(2);
}
static void second_exit(void) { note(3); }
static void first_exit(void) { note(4); }
__attribute__((destructor)) static void destructor_function(void) {
  if (watched) watched[1] += 1;
}

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("watch"), .forward = watch};
static const mt_op* const kOps[] = {&kOp};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  if (atexit(first_exit) != 0 || atexit(second_exit) != 0) {
    return host->set_error(context, MT_ERROR_MEMORY, MT_STRING("atexit failed"));
  }
  plugin->info = &kInfo;
  plugin->op_count = 1;
  plugin->ops = kOps;
  plugin->cleanup = cleanup;
  plugin->destroy = destroy;
  return MT_OK;
}
