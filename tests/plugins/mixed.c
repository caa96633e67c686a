/*
 * The op "mixed": the transpose of a plus b, for a of shape [m,n] and b of [n,m], each of any dtype and any strides.
 * The output is float64.
 */
#include "test_plugin.h"

TEST_PLUGIN_INFO("mixed", "mixed")

static double element(const mt_tensor* tensor, int64_t row, int64_t column) {
  const int64_t at = row * tensor->strides[0] + column * tensor->strides[1];
  return tensor->dtype == MT_FLOAT64 ? ((const double*)tensor->data)[at] : ((const float*)tensor->data)[at];
}

static mt_status validate(const mt_op_call* call) {
  const mt_tensor* a = call->inputs[0];
  const mt_tensor* b = call->inputs[1];
  if (a->rank != 2 || b->rank != 2) return fail(call, MT_ERROR_SHAPE, "mixed: both inputs must have 2 dimensions");
  if (a->shape[0] != b->shape[1] || a->shape[1] != b->shape[0]) {
    return fail(call, MT_ERROR_SHAPE, "mixed: the shape of the second input must be that of the first, transposed");
  }
  return MT_OK;
}

static mt_status output_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  *rank = 2;
  shape[0] = call->inputs[0]->shape[1];
  shape[1] = call->inputs[0]->shape[0];
  return MT_OK;
}

static mt_status output_dtype(const mt_op_call* call, mt_dtype* dtype) {
  (void)call;
  *dtype = MT_FLOAT64;
  return MT_OK;
}

static mt_status forward(const mt_op_call* call) {
  const int64_t rows = call->output->shape[0];
  const int64_t columns = call->output->shape[1];
  double* y = call->output->data;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      y[i * columns + j] = element(call->inputs[0], j, i) + element(call->inputs[1], i, j);
    }
  }
  return MT_OK;
}

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 2,
                          .name = MT_STRING_INIT("mixed"),
                          .flags = MT_OP_STRIDED_INPUTS | MT_OP_MIXED_DTYPES,
                          .forward = forward,
                          .validate = validate,
                          .output_shape = output_shape,
                          .output_dtype = output_dtype};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
