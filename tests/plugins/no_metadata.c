/* Has no section "minitensor.plugin"; all else is right. */
#include "test_plugin.h"

static const mt_plugin_info kInfo = {
    .struct_size = sizeof(mt_plugin_info),
    .name = MT_STRING_INIT("no_metadata"),
    .version = MT_STRING_INIT("1.0.0"),
    .description = MT_STRING_INIT("A plugin for tests"),
    .author = MT_STRING_INIT("MiniTensor's tests"),
    .min_minitensor_version = MT_STRING_INIT("0.1.0"),
};

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("no_metadata_op"), .forward = copy_forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
