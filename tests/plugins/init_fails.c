/* initialize registers an op, and then fails: the op must go again, and cleanup must not be called. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("init_fails", "init_fails_op")

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("init_fails_op"), .forward = copy_forward};

static mt_status initialize(const mt_host* host, mt_context* context, void* state) {
  (void)state;
  const mt_status status = host->register_op(context, &kOp);
  if (status != MT_OK) return status;
  return host->set_error(context, MT_ERROR_PLUGIN, MT_STRING("initialize fails after registering an op"));
}

static mt_status cleanup(const mt_host* host, mt_context* context, void* state) {
  (void)state;
  return host->set_error(context, MT_ERROR_PLUGIN, MT_STRING("cleanup is called after a failed initialize"));
}

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  plugin->info = &kInfo;
  plugin->initialize = initialize;
  plugin->cleanup = cleanup;
  return MT_OK;
}
