/*
 * Ops that compute x * x, each of which does one thing wrong, for `minitensor check`. Each is an op of its own plugin:
 * WRONG_NAME, with WRONG_FORWARD or WRONG_BACKWARD, or both.
 */
#include <stdlib.h>

#include "test_plugin.h"

TEST_PLUGIN_INFO(WRONG_NAME, WRONG_NAME)

#ifdef WRONG_LEAKS_AT_UNLOAD
static void* volatile kept;
#endif

static double element(const mt_tensor* tensor, int64_t i) {
  return tensor->dtype == MT_FLOAT64 ? ((const double*)tensor->data)[i] : (double)((const float*)tensor->data)[i];
}

static void set_element(const mt_tensor* tensor, int64_t i, double value) {
  if (tensor->dtype == MT_FLOAT64) {
    ((double*)tensor->data)[i] = value;
  } else {
    ((float*)tensor->data)[i] = (float)value;
  }
}

static mt_status forward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
#ifdef WRONG_HANGS
  for (volatile int once = 1; once;) continue;
#endif
#ifdef WRONG_TRAPS_WHEN_EMPTY
  if (input->size == 0) __builtin_trap();
#endif
#ifdef WRONG_LEAKS
  volatile char* leak = malloc(48);
  if (leak) leak[0] = 1;
#endif
#ifdef WRONG_LEAKS_AT_UNLOAD
  if (!kept) kept = malloc(1000);
#endif
  for (int64_t i = 0; i < input->size; ++i) {
    double value = element(input, i) * element(input, i);
#ifdef WRONG_ATTRIBUTE
    value *= call->attributes[0]->number;
#endif
#ifdef WRONG_FLOAT32
    if (input->dtype == MT_FLOAT32) value *= 1.01;
#endif
#ifdef WRONG_TAIL
    /* The last elements are left as they were. */
    if (i >= input->size / 4 * 4) continue;
#endif
    set_element(call->output, i, value);
#ifdef WRONG_WRITES_INPUT
    set_element(input, i, 0);
#endif
  }
#ifdef WRONG_COUNTS_CALLS
  static int calls;
  if (input->size > 0) set_element(call->output, 0, ++calls);
#endif
  return MT_OK;
}

static mt_status backward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
#ifdef WRONG_BACKWARD_REFUSES
  return fail(call, MT_ERROR_NOT_IMPLEMENTED, "not today");
#endif
#ifdef WRONG_BACKWARD_WRITES_INPUT
  if (input->size > 0) set_element(input, 0, 5);
#endif
  double factor = 2;
#ifdef WRONG_GRADIENT
  factor = 2.0001;
#endif
  for (int64_t i = 0; i < input->size; ++i) {
    set_element(call->grad_inputs[0], i, factor * element(input, i) * element(call->grad_output, i));
  }
  return MT_OK;
}

#ifdef WRONG_REFUSES
static mt_status validate(const mt_op_call* call) { return fail(call, MT_ERROR_VALUE, "takes nothing"); }
#endif

#ifdef WRONG_ATTRIBUTE
/* backward forgets it. */
static const mt_attribute kOne = {.struct_size = sizeof(mt_attribute), .type = MT_NUMBER, .number = 1};
static const mt_attribute_spec kScale = {sizeof(mt_attribute_spec), MT_NUMBER, MT_STRING_INIT("scale"), &kOne};
static const mt_attribute_spec* const kAttributes[] = {&kScale};
#endif

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT(WRONG_NAME),
                          .forward = forward,
#ifdef WRONG_ATTRIBUTE
                          .attribute_count = 1,
                          .attributes = kAttributes,
#endif
#ifdef WRONG_REFUSES
                          .validate = validate,
#endif
                          .backward = backward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
