/* Registers an op in initialize, beside the one of its table, and logs its life. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("registers_late", "early_op,late_op")

static const mt_op kEarly = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("early_op"), .forward = copy_forward};
static const mt_op* const kOps[] = {&kEarly};

static const mt_op kLate = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("late_op"), .forward = copy_forward};

static mt_status initialize(const mt_host* host, mt_context* context, void* state) {
  (void)state;
  host->log(context, MT_STRING("registers_late: initialize"));
  return host->register_op(context, &kLate);
}

static mt_status cleanup(const mt_host* host, mt_context* context, void* state) {
  (void)state;
  host->log(context, MT_STRING("registers_late: cleanup"));
  return MT_OK;
}

TEST_PLUGIN_CREATE_LIVING(kOps, initialize, cleanup)
