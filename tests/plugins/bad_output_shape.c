/* Ops whose output_shape or output_dtype promise what cannot be. */
#include "test_plugin.h"

TEST_PLUGIN_INFO("bad_output_shape", "rank_99,negative_rank,negative_size,unknown_dtype")

static mt_status rank_99(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  for (int32_t i = 0; i < MT_MAX_RANK; ++i) shape[i] = 1;
  *rank = 99;
  return MT_OK;
}

static mt_status negative_rank(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  (void)shape;
  *rank = -1;
  return MT_OK;
}

static mt_status negative_size(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  (void)call;
  *rank = 1;
  shape[0] = -5;
  return MT_OK;
}

static mt_status unknown_dtype(const mt_op_call* call, mt_dtype* dtype) {
  (void)call;
  *dtype = 77;
  return MT_OK;
}

static const mt_op kRank99 = {.struct_size = sizeof(mt_op),
                              .input_count = 1,
                              .name = MT_STRING_INIT("rank_99"),
                              .forward = copy_forward,
                              .output_shape = rank_99};
static const mt_op kNegativeRank = {.struct_size = sizeof(mt_op),
                                    .input_count = 1,
                                    .name = MT_STRING_INIT("negative_rank"),
                                    .forward = copy_forward,
                                    .output_shape = negative_rank};
static const mt_op kNegativeSize = {.struct_size = sizeof(mt_op),
                                    .input_count = 1,
                                    .name = MT_STRING_INIT("negative_size"),
                                    .forward = copy_forward,
                                    .output_shape = negative_size};
static const mt_op kUnknownDtype = {.struct_size = sizeof(mt_op),
                                    .input_count = 1,
                                    .name = MT_STRING_INIT("unknown_dtype"),
                                    .forward = copy_forward,
                                    .output_dtype = unknown_dtype};
static const mt_op* const kOps[] = {&kRank99, &kNegativeRank, &kNegativeSize, &kUnknownDtype};

TEST_PLUGIN_CREATE(kOps)
