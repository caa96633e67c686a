/* cleanup fails: the plugin must be removed all the same. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("cleanup_fails", "cleanup_fails_op")

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT("cleanup_fails_op"),
                          .forward = copy_forward};
static const mt_op* const kOps[] = {&kOp};

static mt_status cleanup(const mt_host* host, mt_context* context, void* state) {
  (void)state;
  return host->set_error(context, MT_ERROR_PLUGIN, MT_STRING("cleanup fails"));
}

TEST_PLUGIN_CREATE_LIVING(kOps, NULL, cleanup)
