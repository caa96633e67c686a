/* Its op has no forward. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("bad_op", "bad_op_op")

static const mt_op kOp = {.struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("bad_op_op")};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
