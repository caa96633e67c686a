/* Needs a version of MiniTensor that is far away. */
#include "test_plugin.h"

MT_PLUGIN_METADATA(kInfo, "needs_newer", "1.0.0", "A plugin for tests", "MiniTensor's tests", "99.0.0", "", "",
                   "needs_newer_op", "")

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("needs_newer_op"), .forward = copy_forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
