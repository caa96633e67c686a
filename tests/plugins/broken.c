/* What a plugin hands over is broken, each time in another way: BROKEN_<KIND> says which. */
#include "test_plugin.h"

#if defined(BROKEN_UNDECLARED)
TEST_PLUGIN_INFO(BROKEN_NAME, "another_op")
#elif defined(BROKEN_TWICE)
TEST_PLUGIN_INFO(BROKEN_NAME, "broken_op,broken_op")
#elif defined(BROKEN_LAYER)
MT_PLUGIN_METADATA(kInfo, BROKEN_NAME, "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "", "",
                   "BrokenLayer")
#else
TEST_PLUGIN_INFO(BROKEN_NAME, "broken_op")
#endif

#define UNUSED __attribute__((unused))

static const mt_attribute kText UNUSED = {
    .struct_size = sizeof(mt_attribute), .type = MT_TEXT, .text = MT_STRING_INIT("text")};
static const mt_attribute kNullText UNUSED = {
    .struct_size = sizeof(mt_attribute), .type = MT_TEXT, .text = {.data = NULL, .size = 5}};
static const mt_attribute kNullIntegers UNUSED = {
    .struct_size = sizeof(mt_attribute), .type = MT_INTEGERS, .integer_count = 1000};
static const mt_attribute kOddDefault UNUSED = {.struct_size = sizeof(mt_attribute), .type = 99};

static const mt_attribute_spec kSpec UNUSED = {
    .struct_size = sizeof(mt_attribute_spec),
#if defined(BROKEN_DEFAULT_TYPE)
    .type = MT_NUMBER,
    .default_value = &kText,
#elif defined(BROKEN_DEFAULT_UNKNOWN)
    .type = MT_NUMBER,
    .default_value = &kOddDefault,
#elif defined(BROKEN_DEFAULT_TEXT)
    .type = MT_TEXT,
    .default_value = &kNullText,
#elif defined(BROKEN_DEFAULT_INTEGERS)
    .type = MT_INTEGERS,
    .default_value = &kNullIntegers,
#else
    .type = 99,
#endif
    .name = MT_STRING_INIT("attribute"),
};
static const mt_attribute_spec* const kSpecs[] UNUSED = {
#if defined(BROKEN_SPEC_NULL)
    NULL,
#elif defined(BROKEN_SPEC_TWICE)
    &kSpec,
    &kSpec,
#else
    &kSpec,
#endif
};

static const mt_op kOp UNUSED = {
    .struct_size = sizeof(mt_op),
#if defined(BROKEN_INPUTS)
    .input_count = 1000,
#elif defined(BROKEN_NO_INPUTS)
    .input_count = 0,
#else
    .input_count = 1,
#endif
#if defined(BROKEN_NAME_NULL)
    .name = {.data = NULL, .size = 5},
#elif defined(BROKEN_NAME_UTF8)
    .name = MT_STRING_INIT("\xFF\xFE"),
#else
    .name = MT_STRING_INIT("broken_op"),
#endif
#if defined(BROKEN_SPECS)
    .attribute_count = sizeof kSpecs / sizeof kSpecs[0],
    .attributes = kSpecs,
#elif defined(BROKEN_SPECS_NULL)
    .attribute_count = 3,
#endif
    .forward = copy_forward,
};

static const mt_op* const kOps[] UNUSED = {
#if defined(BROKEN_OP_NULL)
    NULL
#elif defined(BROKEN_TWICE)
    &kOp, &kOp
#else
    &kOp
#endif
};

static const mt_layer_type kLayerType UNUSED = {.struct_size = sizeof(mt_layer_type),
                                                .name = MT_STRING_INIT("BrokenLayer")};
static const mt_layer_type* const kLayerTypes[] UNUSED = {
#if defined(BROKEN_LAYER_NULL)
    NULL
#else
    &kLayerType
#endif
};

mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
#if defined(BROKEN_INFO_NULL)
  (void)kInfo;
#else
  plugin->info = &kInfo;
#endif
#if defined(BROKEN_SILENT)
  return MT_ERROR_SHAPE;
#elif defined(BROKEN_STATUS)
  return host->set_error(context, 12345, MT_STRING("a status that there is not"));
#elif defined(BROKEN_REGISTERS_EARLY)
  return host->register_op(context, &kOp);
#elif defined(BROKEN_LAYER)
  plugin->layer_type_count = 1;
#if !defined(BROKEN_LAYERS_NULL)
  plugin->layer_types = kLayerTypes;
#endif
#else
  plugin->op_count = sizeof kOps / sizeof kOps[0];
#if !defined(BROKEN_OPS_NULL)
  plugin->ops = kOps;
#endif
#endif
  return MT_OK;
}
