/*
 * The op VALUE_OP fills its output with VALUE, which it gets through functions and variables that every plugin made of
 * this file has under the same names.
 */
#include "test_plugin.h"

TEST_PLUGIN_INFO(VALUE_PLUGIN, VALUE_OP)

extern float shared_name_variable;
float shared_name_variable = VALUE;

extern float shared_name_function(void);
__attribute__((noinline)) float shared_name_function(void) { return shared_name_variable; }

static mt_status forward(const mt_op_call* call) {
  for (int64_t i = 0; i < call->output->size; ++i) ((float*)call->output->data)[i] = shared_name_function();
  return MT_OK;
}

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT(VALUE_OP),
                          .dtypes = MT_DTYPE_BIT(MT_FLOAT32),
                          .forward = forward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
