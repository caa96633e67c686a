/*
 * The op "all_attributes" has an attribute of every type, and one that is required. Its output is float64 and 1-D:
 * number, size of the text, first byte of the text (0 if empty), boolean, required, then each of the integers.
 */
#include "test_plugin.h"

TEST_PLUGIN_INFO("all_attributes", "all_attributes")

enum { kNumber, kText, kBoolean, kIntegers, kRequired, kFixed };

static const int64_t kOneTwoThree[] = {1, 2, 3};
static const mt_attribute kNumberDefault = {.struct_size = sizeof(mt_attribute), .type = MT_NUMBER, .number = 1.5};
static const mt_attribute kTextDefault = {
    .struct_size = sizeof(mt_attribute), .type = MT_TEXT, .text = MT_STRING_INIT("grüße")};
static const mt_attribute kBooleanDefault = {.struct_size = sizeof(mt_attribute), .type = MT_BOOLEAN, .boolean = 1};
static const mt_attribute kIntegersDefault = {
    .struct_size = sizeof(mt_attribute), .type = MT_INTEGERS, .integers = kOneTwoThree, .integer_count = 3};

static const mt_attribute_spec kSpecs[] = {
    {sizeof(mt_attribute_spec), MT_NUMBER, MT_STRING_INIT("number"), &kNumberDefault},
    {sizeof(mt_attribute_spec), MT_TEXT, MT_STRING_INIT("text"), &kTextDefault},
    {sizeof(mt_attribute_spec), MT_BOOLEAN, MT_STRING_INIT("boolean"), &kBooleanDefault},
    {sizeof(mt_attribute_spec), MT_INTEGERS, MT_STRING_INIT("integers"), &kIntegersDefault},
    {sizeof(mt_attribute_spec), MT_NUMBER, MT_STRING_INIT("required"), NULL},
};
static const mt_attribute_spec* const kAttributes[] = {&kSpecs[kNumber], &kSpecs[kText], &kSpecs[kBoolean],
                                                       &kSpecs[kIntegers], &kSpecs[kRequired]};

static mt_status forward(const mt_op_call* call) {
  double* y = call->output->data;
  const mt_string text = call->attributes[kText]->text;
  const mt_attribute* integers = call->attributes[kIntegers];
  y[kNumber] = call->attributes[kNumber]->number;
  y[1] = text.size;
  y[2] = text.size ? (unsigned char)text.data[0] : 0;
  y[3] = call->attributes[kBoolean]->boolean;
  y[4] = call->attributes[kRequired]->number;
  for (uint32_t i = 0; i < integers->integer_count; ++i) y[kFixed + i] = (double)integers->integers[i];
  return MT_OK;
}

static mt_status output_shape(const mt_op_call* call, int32_t* rank, int64_t* shape) {
  *rank = 1;
  shape[0] = kFixed + call->attributes[kIntegers]->integer_count;
  return MT_OK;
}

static mt_status output_dtype(const mt_op_call* call, mt_dtype* dtype) {
  (void)call;
  *dtype = MT_FLOAT64;
  return MT_OK;
}

static const mt_op kOp = {.struct_size = sizeof(mt_op),
                          .input_count = 1,
                          .name = MT_STRING_INIT("all_attributes"),
                          .attribute_count = 5,
                          .attributes = kAttributes,
                          .forward = forward,
                          .output_shape = output_shape,
                          .output_dtype = output_dtype};
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
