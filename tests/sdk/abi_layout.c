/*
 * Freezes the layout of the ABI's structs, on wasm32 and on 64-bit machines. Fields are only ever appended: the numbers
 * of the ones that are here never change, and a new one gets a line of its own. Only a struct's size may grow; it must
 * grow on both, for mt_tensor and mt_attribute end in 4 bytes of padding on wasm32, which no struct_size tells from a
 * field.
 */
#include <stddef.h>
#include <stdint.h>

#include "minitensor/sdk/plugin_api.h"

#if defined(__wasm32__) || UINTPTR_MAX == UINT64_MAX

#define ON_THIS_MACHINE(wasm32, other) (sizeof(void*) == 4 ? (wasm32) : (other))
#define SIZE(type, wasm32, other) \
  _Static_assert(sizeof(type) == ON_THIS_MACHINE(wasm32, other), "the size of " #type " has changed")
#define OFFSET(type, field, wasm32, other) \
  _Static_assert(offsetof(type, field) == ON_THIS_MACHINE(wasm32, other), #type "." #field " has moved")

OFFSET(mt_string, data, 0, 0);
OFFSET(mt_string, size, 4, 8);
SIZE(mt_string, 8, 16);

OFFSET(mt_tensor, struct_size, 0, 0);
OFFSET(mt_tensor, dtype, 4, 4);
OFFSET(mt_tensor, rank, 8, 8);
OFFSET(mt_tensor, reserved, 12, 12);
OFFSET(mt_tensor, size, 16, 16);
OFFSET(mt_tensor, shape, 24, 24);
OFFSET(mt_tensor, strides, 28, 32);
OFFSET(mt_tensor, data, 32, 40);
SIZE(mt_tensor, 40, 48);

OFFSET(mt_attribute, struct_size, 0, 0);
OFFSET(mt_attribute, type, 4, 4);
OFFSET(mt_attribute, number, 8, 8);
OFFSET(mt_attribute, text, 16, 16);
OFFSET(mt_attribute, integers, 24, 32);
OFFSET(mt_attribute, integer_count, 28, 40);
OFFSET(mt_attribute, boolean, 32, 44);
SIZE(mt_attribute, 40, 48);

OFFSET(mt_attribute_spec, struct_size, 0, 0);
OFFSET(mt_attribute_spec, type, 4, 4);
OFFSET(mt_attribute_spec, name, 8, 8);
OFFSET(mt_attribute_spec, default_value, 16, 24);
SIZE(mt_attribute_spec, 20, 32);

OFFSET(mt_host, struct_size, 0, 0);
OFFSET(mt_host, abi_version, 4, 4);
OFFSET(mt_host, version_major, 8, 8);
OFFSET(mt_host, version_minor, 12, 12);
OFFSET(mt_host, version_patch, 16, 16);
OFFSET(mt_host, reserved, 20, 20);
OFFSET(mt_host, set_error, 24, 24);
OFFSET(mt_host, create_tensor, 28, 32);
OFFSET(mt_host, call_op, 32, 40);
OFFSET(mt_host, register_op, 36, 48);
OFFSET(mt_host, register_layer_type, 40, 56);
OFFSET(mt_host, add_parameter, 44, 64);
OFFSET(mt_host, log, 48, 72);
OFFSET(mt_host, get_interface, 52, 80);
OFFSET(mt_host, call_op_many, 56, 88);
SIZE(mt_host, 60, 96);

OFFSET(mt_op_call, struct_size, 0, 0);
OFFSET(mt_op_call, input_count, 4, 4);
OFFSET(mt_op_call, host, 8, 8);
OFFSET(mt_op_call, context, 12, 16);
OFFSET(mt_op_call, plugin_state, 16, 24);
OFFSET(mt_op_call, inputs, 20, 32);
OFFSET(mt_op_call, attribute_count, 24, 40);
OFFSET(mt_op_call, reserved, 28, 44);
OFFSET(mt_op_call, attributes, 32, 48);
OFFSET(mt_op_call, output, 36, 56);
OFFSET(mt_op_call, grad_output, 40, 64);
OFFSET(mt_op_call, grad_inputs, 44, 72);
SIZE(mt_op_call, 48, 80);

OFFSET(mt_op, struct_size, 0, 0);
OFFSET(mt_op, input_count, 4, 4);
OFFSET(mt_op, name, 8, 8);
OFFSET(mt_op, summary, 16, 24);
OFFSET(mt_op, dtypes, 24, 40);
OFFSET(mt_op, flags, 28, 44);
OFFSET(mt_op, attribute_count, 32, 48);
OFFSET(mt_op, reserved, 36, 52);
OFFSET(mt_op, attributes, 40, 56);
OFFSET(mt_op, forward, 44, 64);
OFFSET(mt_op, backward, 48, 72);
OFFSET(mt_op, validate, 52, 80);
OFFSET(mt_op, output_shape, 56, 88);
OFFSET(mt_op, output_dtype, 60, 96);
OFFSET(mt_op, input_names, 64, 104);
SIZE(mt_op, 68, 112);

OFFSET(mt_layer_call, struct_size, 0, 0);
OFFSET(mt_layer_call, input_count, 4, 4);
OFFSET(mt_layer_call, host, 8, 8);
OFFSET(mt_layer_call, context, 12, 16);
OFFSET(mt_layer_call, plugin_state, 16, 24);
OFFSET(mt_layer_call, inputs, 20, 32);
OFFSET(mt_layer_call, attribute_count, 24, 40);
OFFSET(mt_layer_call, parameter_count, 28, 44);
OFFSET(mt_layer_call, attributes, 32, 48);
OFFSET(mt_layer_call, parameters, 36, 56);
SIZE(mt_layer_call, 40, 64);

OFFSET(mt_layer_type, struct_size, 0, 0);
OFFSET(mt_layer_type, attribute_count, 4, 4);
OFFSET(mt_layer_type, name, 8, 8);
OFFSET(mt_layer_type, attributes, 16, 24);
OFFSET(mt_layer_type, create, 20, 32);
OFFSET(mt_layer_type, forward, 24, 40);
OFFSET(mt_layer_type, summary, 28, 48);
SIZE(mt_layer_type, 36, 64);

OFFSET(mt_plugin_info, struct_size, 0, 0);
OFFSET(mt_plugin_info, reserved, 4, 4);
OFFSET(mt_plugin_info, name, 8, 8);
OFFSET(mt_plugin_info, version, 16, 24);
OFFSET(mt_plugin_info, description, 24, 40);
OFFSET(mt_plugin_info, author, 32, 56);
OFFSET(mt_plugin_info, min_minitensor_version, 40, 72);
OFFSET(mt_plugin_info, max_minitensor_version, 48, 88);
SIZE(mt_plugin_info, 56, 104);

OFFSET(mt_plugin, struct_size, 0, 0);
OFFSET(mt_plugin, abi_version, 4, 4);
OFFSET(mt_plugin, info, 8, 8);
OFFSET(mt_plugin, state, 12, 16);
OFFSET(mt_plugin, op_count, 16, 24);
OFFSET(mt_plugin, layer_type_count, 20, 28);
OFFSET(mt_plugin, ops, 24, 32);
OFFSET(mt_plugin, layer_types, 28, 40);
OFFSET(mt_plugin, initialize, 32, 48);
OFFSET(mt_plugin, cleanup, 36, 56);
OFFSET(mt_plugin, destroy, 40, 64);
SIZE(mt_plugin, 44, 72);

#endif

/* The numbers that are handed over. */
_Static_assert(MT_OK == 0, "MT_OK has changed");
_Static_assert(MT_ERROR_VALUE == 1, "MT_ERROR_VALUE has changed");
_Static_assert(MT_ERROR_KEY == 2, "MT_ERROR_KEY has changed");
_Static_assert(MT_ERROR_NOT_IMPLEMENTED == 3, "MT_ERROR_NOT_IMPLEMENTED has changed");
_Static_assert(MT_ERROR_SHAPE == 4, "MT_ERROR_SHAPE has changed");
_Static_assert(MT_ERROR_DTYPE == 5, "MT_ERROR_DTYPE has changed");
_Static_assert(MT_ERROR_PLUGIN == 6, "MT_ERROR_PLUGIN has changed");
_Static_assert(MT_ERROR_MEMORY == 7, "MT_ERROR_MEMORY has changed");
_Static_assert(MT_FLOAT32 == 1, "MT_FLOAT32 has changed");
_Static_assert(MT_FLOAT64 == 2, "MT_FLOAT64 has changed");
_Static_assert(MT_NUMBER == 1, "MT_NUMBER has changed");
_Static_assert(MT_TEXT == 2, "MT_TEXT has changed");
_Static_assert(MT_BOOLEAN == 3, "MT_BOOLEAN has changed");
_Static_assert(MT_INTEGERS == 4, "MT_INTEGERS has changed");
_Static_assert(MT_OP_STRIDED_INPUTS == 1, "MT_OP_STRIDED_INPUTS has changed");
_Static_assert(MT_OP_MIXED_DTYPES == 2, "MT_OP_MIXED_DTYPES has changed");
_Static_assert(MT_PLUGIN_ABI_VERSION == 1, "the version of the ABI has changed");
_Static_assert(MT_MAX_RANK == 8, "MT_MAX_RANK has changed");
_Static_assert(MT_FLOAT32 == 1 && MT_FLOAT64 == 2 && MT_INT32 == 3 && MT_INT64 == 4 && MT_UINT8 == 5 && MT_BOOL == 6,
               "a dtype's number has changed");
_Static_assert(MT_DTYPE_BIT(MT_FLOAT64) == 4, "MT_DTYPE_BIT has changed");
