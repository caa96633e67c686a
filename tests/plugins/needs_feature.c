/* Needs a feature that no host has. */
#include "test_plugin.h"

MT_PLUGIN_METADATA(kInfo, "needs_feature", "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "",
                   "time-travel", "needs_feature_op", "")

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT("needs_feature_op"),
                          .forward = copy_forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
