/* Calls two functions that the host does not have. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("missing_import", "missing_import_op")

extern int host_of_nothing(int number);
extern int another_missing(int number);

static mt_status forward(const mt_op_call* call) { return host_of_nothing(another_missing((int)call->input_count)); }

static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("missing_import_op"), .forward = forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
