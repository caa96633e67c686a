/*
 * Ops that copy a float32 input and write where they must not, each in one way, for `minitensor check`. Each is an op
 * of its own plugin: DAMAGES_NAME, with DAMAGES_OUTPUT and the like.
 */
#include <stdlib.h>

#include "test_plugin.h"

TEST_PLUGIN_INFO(DAMAGES_NAME, DAMAGES_NAME)

static mt_status forward(const mt_op_call* call) {
  const float* x = call->inputs[0]->data;
  float* y = call->output->data;
  const int64_t size = call->inputs[0]->size;
  for (int64_t i = 0; i < size; ++i) y[i] = x[i];
#ifdef DAMAGES_OUTPUT
  if (size == 12) ((char*)y)[size * 4] = 1;
#endif
#if defined(DAMAGES_FREED) || defined(DAMAGES_TWICE)
  /* Volatile, so that no compiler leaves anything out. */
  char* volatile address = malloc(64);
  free(address);
#endif
#ifdef DAMAGES_FREED
  address[8] = 1;
#endif
#ifdef DAMAGES_TWICE
  free(address);
#endif
#ifdef DAMAGES_BLOCK
  char* volatile block = malloc(64);
  block[64] = 1;
  free(block);
#endif
#ifdef DAMAGES_ENGINE
  /* Beyond all guards, so that it shows when the engine uses what is there. */
  for (int64_t i = 0; i < 100000; ++i) y[size + 1000 + i] = 1;
#endif
  return MT_OK;
}

static mt_status backward(const mt_op_call* call) {
  const mt_tensor* gradient = call->grad_inputs[0];
  for (int64_t i = 0; i < gradient->size; ++i) ((float*)gradient->data)[i] = ((const float*)call->grad_output->data)[i];
#ifdef DAMAGES_GRADIENT
  ((float*)gradient->data)[gradient->size] = 42;
#endif
#ifdef DAMAGES_GRAD_OUTPUT
  if (gradient->size > 0) ((float*)call->grad_output->data)[0] = 7;
#endif
#ifdef DAMAGES_FORWARD_OUTPUT
  if (gradient->size > 0) ((float*)call->output->data)[0] = 7;
#endif
  return MT_OK;
}

#ifdef DAMAGES_SMALL
static mt_status output_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  (void)shape;
  *rank = 0;
  return MT_OK;
}
#endif

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT(DAMAGES_NAME),
                          .dtypes = MT_DTYPE_BIT(MT_FLOAT32),
                          .forward = forward,
#ifdef DAMAGES_SMALL
                          .output_shape = output_shape,
#endif
                          .backward = backward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
