/* Registers an op of its own, and one called as the engine's add. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("clash", "clash_op,add")

static const mt_op kOwn = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("clash_op"), .forward = copy_forward};
static const mt_op kAdd = {
    .struct_size = sizeof(mt_op), .input_count = 2, .name = MT_STRING_INIT("add"), .forward = copy_forward};
static const mt_op* const kOps[] = {&kOwn, &kAdd};

TEST_PLUGIN_CREATE(kOps)
