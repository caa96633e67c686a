/* Says in its metadata that it is made for version 2 of the ABI. */
#include "test_plugin.h"

#undef MT_PLUGIN_ABI_VERSION
#define MT_PLUGIN_ABI_VERSION 2
TEST_PLUGIN_INFO("wrong_abi", "wrong_abi_op")

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("wrong_abi_op"), .forward = copy_forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
