/*
 * Ops that declare other dtypes than float32 and float64, right ones and wrong ones, for `minitensor check`. Each is an
 * op of its own plugin, DTYPES_NAME: with DTYPES_GATHER the elements of a float32 vector at int64 places, with
 * DTYPES_ARGMAX the place of the largest element, else x * x in float32, which does one thing wrong.
 */
#include "test_plugin.h"

TEST_PLUGIN_INFO(DTYPES_NAME, DTYPES_NAME)

#ifdef DTYPES_GATHER
static mt_status validate(const mt_op_call* call) {
  const mt_tensor* x = call->inputs[0];
  const mt_tensor* places = call->inputs[1];
  if (x->dtype != MT_FLOAT32 || x->rank != 1) return fail(call, MT_ERROR_DTYPE, "x must be a float32 vector");
  if (places->dtype != MT_INT64) return fail(call, MT_ERROR_DTYPE, "the places must be int64");
  for (int64_t i = 0; i < places->size; ++i) {
    const int64_t place = ((const int64_t*)places->data)[i];
    if (place < 0 || place >= x->size) return fail(call, MT_ERROR_VALUE, "there is no such place");
  }
  return MT_OK;
}

static mt_status output_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  *rank = call->inputs[1]->rank;
  for (int32_t i = 0; i < *rank; ++i) shape[i] = call->inputs[1]->shape[i];
  return MT_OK;
}

static mt_status output_dtype(const mt_op_call* call, mt_dtype* dtype) {
  *dtype = call->inputs[0]->dtype;
  return MT_OK;
}

static mt_status forward(const mt_op_call* call) {
  for (int64_t i = 0; i < call->output->size; ++i) {
    const int64_t place = ((const int64_t*)call->inputs[1]->data)[i];
    ((float*)call->output->data)[i] = ((const float*)call->inputs[0]->data)[place];
  }
  return MT_OK;
}

static mt_status backward(const mt_op_call* call) {
  for (int64_t i = 0; i < call->grad_output->size; ++i) {
    const int64_t place = ((const int64_t*)call->inputs[1]->data)[i];
    ((float*)call->grad_inputs[0]->data)[place] += ((const float*)call->grad_output->data)[i];
  }
  return MT_OK;
}
#elif defined(DTYPES_ARGMAX)
static mt_status output_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  (void)shape;
  *rank = 0;
  return MT_OK;
}

static mt_status output_dtype(const mt_op_call* call, mt_dtype* dtype) {
  (void)call;
  *dtype = MT_INT64;
  return MT_OK;
}

static mt_status forward(const mt_op_call* call) {
  const float* x = call->inputs[0]->data;
  int64_t largest = 0;
  for (int64_t i = 0; i < call->inputs[0]->size; ++i) {
    if (x[i] > x[largest]) largest = i;
  }
  ((int64_t*)call->output->data)[0] = largest;
  return MT_OK;
}

static mt_status backward(const mt_op_call* call) {
  (void)call;
  return MT_OK;
}
#else
static mt_status forward(const mt_op_call* call) {
  const mt_tensor* x = call->inputs[0];
  double factor = 1;
#ifdef DTYPES_INT64
  if (x->dtype == MT_INT64) __builtin_trap();
#endif
#ifdef DTYPES_MIX
  if (x->dtype != call->inputs[1]->dtype) __builtin_trap();
#endif
#ifdef DTYPES_ONLY_7X7
  if (x->rank != 2 || x->shape[0] != 7 || x->shape[1] != 7) return fail(call, MT_ERROR_SHAPE, "wants 7x7");
#endif
#ifdef DTYPES_ATTRIBUTE
  factor = call->attributes[0]->number;
#endif
  if (x->dtype == MT_INT64) {
    for (int64_t i = 0; i < x->size; ++i) ((int64_t*)call->output->data)[i] = 0;
    return MT_OK;
  }
  for (int64_t i = 0; i < x->size; ++i) {
    const float value = ((const float*)x->data)[i];
    ((float*)call->output->data)[i] = (float)factor * value * value;
  }
  return MT_OK;
}

static mt_status backward(const mt_op_call* call) {
  float factor = 2;
#ifdef DTYPES_GRADIENT
  static int calls;
  factor += (float)++calls * 1e-6F;
#endif
  const mt_tensor* x = call->inputs[0];
  for (int64_t i = 0; x->dtype == MT_FLOAT32 && i < x->size; ++i) {
    ((float*)call->grad_inputs[0]->data)[i] =
        factor * ((const float*)x->data)[i] * ((const float*)call->grad_output->data)[i];
  }
  return MT_OK;
}
#endif

#ifdef DTYPES_NEGATIVE_SIZE
static mt_status output_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  *rank = 1;
  shape[0] = -1;
  return MT_OK;
}
#endif

#ifdef DTYPES_ATTRIBUTE
/* backward forgets it. */
static const mt_attribute kOne = {.struct_size = sizeof(mt_attribute), .type = MT_NUMBER, .number = 1};
static const mt_attribute_spec kScale = {sizeof(mt_attribute_spec), MT_NUMBER, MT_STRING_INIT("scale"), &kOne};
static const mt_attribute_spec* const kAttributes[] = {&kScale};
#endif

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .name = MT_STRING_INIT(DTYPES_NAME),
#if defined(DTYPES_GATHER) || defined(DTYPES_MIX)
                          .input_count = 2,
                          .dtypes = MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_INT64),
                          .flags = MT_OP_MIXED_DTYPES,
#elif defined(DTYPES_INT64)
                          .input_count = 1,
                          .dtypes = MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_INT64),
#else
                          .input_count = 1,
                          .dtypes = MT_DTYPE_BIT(MT_FLOAT32),
#endif
#ifdef DTYPES_GATHER
                          .validate = validate,
#endif
#if defined(DTYPES_GATHER) || defined(DTYPES_ARGMAX) || defined(DTYPES_NEGATIVE_SIZE)
                          .output_shape = output_shape,
#endif
#if defined(DTYPES_GATHER) || defined(DTYPES_ARGMAX)
                          .output_dtype = output_dtype,
#endif
#ifdef DTYPES_ATTRIBUTE
                          .attribute_count = 1,
                          .attributes = kAttributes,
#endif
                          .forward = forward,
                          .backward = backward};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
