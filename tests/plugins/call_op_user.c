/* Ops that call others through the host: "sum_of_products" mul and sum, "calls_unknown" one that does not exist. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("call_op_user", "sum_of_products,calls_unknown")

static mt_status sum_of_products(const mt_op_call* call) {
  const mt_host* host = call->host;
  const mt_tensor* product;
  mt_status status = host->call_op(call->context, MT_STRING("mul"), 2, call->inputs, 0, NULL, NULL, &product);
  if (status != MT_OK) return status;
  const mt_tensor* sum;
  status = host->call_op(call->context, MT_STRING("sum"), 1, &product, 0, NULL, NULL, &sum);
  if (status != MT_OK) return status;
  const size_t element = sum->dtype == MT_FLOAT64 ? sizeof(double) : sizeof(float);
  memcpy(call->output->data, sum->data, element);
  return MT_OK;
}

static mt_status scalar_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  (void)shape;
  *rank = 0;
  return MT_OK;
}

static mt_status calls_unknown(const mt_op_call* call) {
  const mt_tensor* output;
  return call->host->call_op(call->context, MT_STRING("no_such_op"), 1, call->inputs, 0, NULL, NULL, &output);
}

static const mt_op kSumOfProducts = {.struct_size = sizeof(mt_op),
                                     .input_count = 2,
                                     .name = MT_STRING_INIT("sum_of_products"),
                                     .forward = sum_of_products,
                                     .output_shape = scalar_shape};
static const mt_op kCallsUnknown = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("calls_unknown"), .forward = calls_unknown};
static const mt_op* const kOps[] = {&kSumOfProducts, &kCallsUnknown};

TEST_PLUGIN_CREATE(kOps)
