/*
 * Its structs end early, as those of an SDK that knew fewer fields: what struct_size does not cover must count as zero.
 * Behind the end stand functions that fail.
 */
#include "test_plugin.h"

TEST_PLUGIN_INFO("old_struct", "old_struct_op")

static mt_status beyond_the_end(const mt_op_call* call) {
  return fail(call, MT_ERROR_PLUGIN, "old_struct: a field was read that struct_size does not cover");
}

static mt_status shape_beyond_the_end(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)rank;
  (void)shape;
  return beyond_the_end(call);
}

static const mt_op kOp = {.struct_size = offsetof(mt_op, backward),
                          .input_count = 1,
                          .name = MT_STRING_INIT("old_struct_op"),
                          .forward = copy_forward,
                          .backward = beyond_the_end,
                          .validate = beyond_the_end,
                          .output_shape = shape_beyond_the_end};
static const mt_op* const kOps[] = {&kOp};

static mt_plugin_info info;

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
  info = kInfo;
  info.struct_size = offsetof(mt_plugin_info, max_minitensor_version);
  info.max_minitensor_version = MT_STRING("0.0.0");
  plugin->info = &info;
  plugin->op_count = 1;
  plugin->ops = kOps;
  return MT_OK;
}
