/* Takes no version of MiniTensor above 0.0.1: to it, any MiniTensor is too new. */
#include "test_plugin.h"

MT_PLUGIN_METADATA(kInfo, "too_new", "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.0.1", "0.0.1", "",
                   "too_new_op", "")

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("too_new_op"), .forward = copy_forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
