/*
 * The MiniTensor plugin ABI, version 1.
 *
 * A plugin is a WebAssembly side module or a native shared library that exports one function, create_plugin, and
 * carries its metadata in a section called "minitensor.plugin". Include this header, describe the plugin with
 * MT_PLUGIN_METADATA, describe its ops with mt_op, and define create_plugin. examples/plugins/swish is a complete one.
 *
 * Rules that hold everywhere:
 *  - C only. Nothing but what stands here crosses: no exception, no C++ type, no FILE, no ownership of memory.
 *  - Every struct begins with its size as its maker knows it. Fields are only ever appended, and whenever some are, the
 *    size grows: a reader uses a field only when struct_size covers it, and treats one that is not there as zero.
 *  - Tensors that a plugin is given are row-major, unless its op says MT_OP_STRIDED_INPUTS.
 *  - What the plugin hands over (mt_plugin, mt_op, mt_layer_type and what they point to) must stay valid and unchanged
 *    until the plugin is unloaded. What the host hands over is valid until the function it was given to returns.
 *  - A function that returns mt_status returns MT_OK or another mt_status. To say what went wrong, return what
 *    host->set_error returns. Without a message the host writes one.
 *  - Text is UTF-8, with a length, not terminated.
 *  - One thread: the host calls a plugin from one thread at a time. Calls may nest, through host->call_op.
 *
 * This header compiles alone as C11, C17, C++17 and C++20.
 */
#ifndef MINITENSOR_SDK_PLUGIN_API_H
#define MINITENSOR_SDK_PLUGIN_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this ABI. It is apart from the version of MiniTensor, and changes only when old plugins break. */
#define MT_PLUGIN_ABI_VERSION 1

#define MT_MAX_RANK 8

/* Outcome of a call. The numbers are those of the engine's error codes. */
typedef int32_t mt_status;
enum {
  MT_OK = 0,
  MT_ERROR_VALUE = 1,
  MT_ERROR_KEY = 2,
  MT_ERROR_NOT_IMPLEMENTED = 3,
  MT_ERROR_SHAPE = 4,
  MT_ERROR_DTYPE = 5,
  MT_ERROR_PLUGIN = 6,
  MT_ERROR_MEMORY = 7
};

/* Element type. */
typedef int32_t mt_dtype;
enum {
  MT_FLOAT32 = 1,
  MT_FLOAT64 = 2,
  MT_INT32 = 3,
  MT_INT64 = 4,
  MT_UINT8 = 5,
  MT_BOOL = 6 /* a byte, 0 or 1 */
};

/* A set of dtypes, for mt_op.dtypes: MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_FLOAT64) */
#define MT_DTYPE_BIT(dtype) (1u << (uint32_t)(dtype))

typedef struct mt_string {
  const char* data; /* may be NULL when size is 0 */
  uint32_t size;    /* in bytes */
} mt_string;

/* An mt_string from a string literal: as an initializer, and as an expression. */
#define MT_STRING_INIT(literal) {"" literal, (uint32_t)(sizeof(literal) - 1)}
#ifdef __cplusplus
#define MT_STRING(literal) (mt_string MT_STRING_INIT(literal))
#else
#define MT_STRING(literal) ((mt_string)MT_STRING_INIT(literal))
#endif

/* A tensor, as a plugin sees it. Elements of the host's tensor, not a copy. Made by the host only. */
typedef struct mt_tensor {
  uint32_t struct_size;
  mt_dtype dtype;
  int32_t rank;           /* 0..MT_MAX_RANK */
  int32_t reserved;       /* 0 */
  int64_t size;           /* number of elements */
  const int64_t* shape;   /* rank sizes */
  const int64_t* strides; /* rank strides, in elements */
  void* data;             /* first element; read-only unless this is an output or made by create_tensor */
} mt_tensor;

typedef int32_t mt_attribute_type;
enum { MT_NUMBER = 1, MT_TEXT = 2, MT_BOOLEAN = 3, MT_INTEGERS = 4 };

/* The value of an attribute. */
typedef struct mt_attribute {
  uint32_t struct_size;
  mt_attribute_type type;
  double number;           /* MT_NUMBER */
  mt_string text;          /* MT_TEXT */
  const int64_t* integers; /* MT_INTEGERS */
  uint32_t integer_count;  /* MT_INTEGERS */
  uint32_t boolean;        /* MT_BOOLEAN: 0 or 1 */
} mt_attribute;

/* An attribute that an op or a layer type declares. */
typedef struct mt_attribute_spec {
  uint32_t struct_size;
  mt_attribute_type type;
  mt_string name;
  const mt_attribute* default_value; /* NULL: the caller must give it */
} mt_attribute_spec;

/* What a call is made in; the host's own, only handed back to it. */
typedef struct mt_context mt_context;

struct mt_op;
struct mt_layer_type;

/* The functions of the host. */
typedef struct mt_host {
  uint32_t struct_size;
  uint32_t abi_version;
  uint32_t version_major; /* of MiniTensor */
  uint32_t version_minor;
  uint32_t version_patch;
  uint32_t reserved; /* 0 */

  /* Notes the message for the error that the plugin is about to return, and returns `status`. */
  mt_status (*set_error)(mt_context* context, mt_status status, mt_string message);

  /* A new row-major tensor with elements of value 0, valid until the plugin's function returns. */
  mt_status (*create_tensor)(mt_context* context, mt_dtype dtype, int32_t rank, const int64_t* shape,
                             mt_tensor** tensor);

  /*
   * Runs an op of the engine or of any plugin. `attribute_names` and `attributes` have `attribute_count` entries; ones
   * that are left out have their defaults. The result is valid until the plugin's function returns. On an error the
   * message is noted already: return the status.
   */
  mt_status (*call_op)(mt_context* context, mt_string name, uint32_t input_count, const mt_tensor* const* inputs,
                       uint32_t attribute_count, const mt_string* attribute_names,
                       const mt_attribute* const* attributes, const mt_tensor** output);

  /* Only in mt_plugin.initialize: adds an op beside those of mt_plugin.ops. */
  mt_status (*register_op)(mt_context* context, const struct mt_op* op);

  /* Only in mt_plugin.initialize: adds a layer type beside those of mt_plugin.layer_types. */
  mt_status (*register_layer_type)(mt_context* context, const struct mt_layer_type* type);

  /* Only in mt_layer_type.create: adds a parameter, a copy of `value`, to the layer that is being made. */
  mt_status (*add_parameter)(mt_context* context, mt_string name, const mt_tensor* value);

  /* A line for the application's log, which may go nowhere. */
  void (*log)(mt_context* context, mt_string message);

  /* A further table of functions by its id, NULL when this host has none of that id. None are defined yet. */
  const void* (*get_interface)(mt_context* context, mt_string id);

  /*
   * Not in every host of this ABI: see MT_HOST_HAS. The same as call_op for an op with any number of outputs, as topk
   * and split have. `outputs` has room for `output_capacity` of them. When there are more, that is an error with
   * MT_ERROR_PLUGIN, and `output_count` tells how many there are; of any other error it is 0.
   */
  mt_status (*call_op_many)(mt_context* context, mt_string name, uint32_t input_count, const mt_tensor* const* inputs,
                            uint32_t attribute_count, const mt_string* attribute_names,
                            const mt_attribute* const* attributes, uint32_t output_capacity, const mt_tensor** outputs,
                            uint32_t* output_count);
} mt_host;

/* Whether `host` has `function`. To be asked before one is called that was appended after the first version of
 * mt_host, which ends with get_interface. */
#define MT_HOST_HAS(host, function) ((host)->struct_size >= offsetof(mt_host, function) + sizeof((host)->function))

/* The arguments of the functions of an op. */
typedef struct mt_op_call {
  uint32_t struct_size;
  uint32_t input_count;
  const mt_host* host;
  mt_context* context;
  void* plugin_state; /* mt_plugin.state */
  const mt_tensor* const* inputs;
  uint32_t attribute_count;
  uint32_t reserved;                     /* 0 */
  const mt_attribute* const* attributes; /* every declared one, in the order of declaration */

  /* forward: to be filled, of the promised shape and dtype, row-major, elements undefined. backward: what forward gave.
   * NULL otherwise. */
  mt_tensor* output;

  /* backward only, NULL otherwise. */
  const mt_tensor* grad_output;  /* gradient with respect to the output, row-major */
  mt_tensor* const* grad_inputs; /* to be filled, one for each input, of its shape and dtype, row-major, elements 0 */
} mt_op_call;

/* Flags of an op. */
enum {
  MT_OP_STRIDED_INPUTS = 1, /* forward reads strides. Without it, the host makes every input row-major first */
  MT_OP_MIXED_DTYPES = 2    /* inputs may differ in dtype. Without it, the host refuses that */
};

/* An operation. */
typedef struct mt_op {
  uint32_t struct_size;
  uint32_t input_count;
  mt_string name;    /* unique among all ops of the host */
  mt_string summary; /* one line: what it computes; may be empty */
  uint32_t dtypes;   /* the dtypes it takes, by MT_DTYPE_BIT; 0: float32 and float64 */
  uint32_t flags;
  uint32_t attribute_count;
  uint32_t reserved; /* 0 */
  const mt_attribute_spec* const* attributes;

  /* Fills call->output. Required. */
  mt_status (*forward)(const mt_op_call* call);
  /* Fills call->grad_inputs. NULL: the op has no gradient. */
  mt_status (*backward)(const mt_op_call* call);
  /* Refuses inputs or attributes that forward does not take. NULL: takes all. */
  mt_status (*validate)(const mt_op_call* call);
  /* Writes the output's rank and sizes (room for MT_MAX_RANK). NULL: those of the first input. */
  mt_status (*output_shape)(const mt_op_call* call, int32_t* rank, int64_t* shape);
  /* Writes the output's dtype. NULL: that of the first input. */
  mt_status (*output_dtype)(const mt_op_call* call, mt_dtype* dtype);
  /* What the inputs are called, for people: input_count names. NULL: x0, x1, … */
  const mt_string* input_names;
} mt_op;

/* The arguments of the functions of a layer type. */
typedef struct mt_layer_call {
  uint32_t struct_size;
  uint32_t input_count;
  const mt_host* host;
  mt_context* context;
  void* plugin_state;             /* mt_plugin.state */
  const mt_tensor* const* inputs; /* forward only */
  uint32_t attribute_count;
  uint32_t parameter_count;              /* forward only */
  const mt_attribute* const* attributes; /* the configuration: every declared attribute, in the order of declaration */
  const mt_tensor* const* parameters;    /* forward only: in the order in which create added them */
} mt_layer_call;

/* A kind of layer. Its layers keep their parameters in the host, and have no other state. */
typedef struct mt_layer_type {
  uint32_t struct_size;
  uint32_t attribute_count;
  mt_string name; /* unique among all layer types of the host */
  const mt_attribute_spec* const* attributes;

  /* Adds the parameters of a new layer, by host->add_parameter. NULL: it has none. */
  mt_status (*create)(const mt_layer_call* call);
  /* Writes the result: a tensor that create_tensor or call_op gave, or an input or parameter. Required. */
  mt_status (*forward)(const mt_layer_call* call, const mt_tensor** output);
  mt_string summary; /* one line: what it computes; may be empty */
} mt_layer_type;

/* The metadata of a plugin. It must agree with the section in the file; MT_PLUGIN_METADATA writes both. */
typedef struct mt_plugin_info {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  mt_string name;
  mt_string version; /* "1.0.0" */
  mt_string description;
  mt_string author;
  mt_string min_minitensor_version;
  mt_string max_minitensor_version; /* empty: no maximum */
} mt_plugin_info;

/* What create_plugin fills in. The host sets struct_size (what it has room for) and abi_version, and zeroes the rest.
 */
typedef struct mt_plugin {
  uint32_t struct_size;
  uint32_t abi_version;
  const mt_plugin_info* info; /* required */
  void* state;                /* the plugin's own; handed to every function */
  uint32_t op_count;
  uint32_t layer_type_count;
  const mt_op* const* ops;
  const mt_layer_type* const* layer_types;

  /* After create_plugin: may register further ops and layer types. May be NULL. */
  mt_status (*initialize)(const mt_host* host, mt_context* context, void* state);
  /* Before the ops are removed; also when a load fails after initialize has succeeded. May be NULL. */
  mt_status (*cleanup)(const mt_host* host, mt_context* context, void* state);
  /* Last of all, whether or not initialize was called or failed: frees `state`. May be NULL. Global objects of C++ are
   * destroyed after it. */
  void (*destroy)(void* state);
} mt_plugin;

/* The one export of a plugin. On an error the host unloads the file: of what it had filled in, nothing is called, but
 * functions given to atexit and destructors of global objects are. */
#if defined(__GNUC__)
#define MT_PLUGIN_EXPORT __attribute__((visibility("default"), used))
#else
#define MT_PLUGIN_EXPORT
#endif
MT_PLUGIN_EXPORT mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin);

/*
 * MT_PLUGIN_METADATA(variable, name, version, description, author, min_version, max_version, features, ops, layers)
 *
 * Defines `static const mt_plugin_info variable`, and puts the same text into the section "minitensor.plugin", which
 * the host reads before it runs anything of the file. Each argument but the first is one string literal (or a macro
 * that is one), in UTF-8, with no NUL. `max_version` may be ""; `features` (what the host must have), `ops` and
 * `layers` (the names the plugin registers) are lists separated by commas, or "". Use it once, at file scope.
 *
 *   MT_PLUGIN_METADATA(kInfo, "swish", "1.0.0", "x * sigmoid(beta * x)", "Ada", "0.1.0", "", "", "swish", "")
 *
 * The section is a list of NUL-terminated "key=value" texts. The literals go to the assembler as they are spelled, so
 * that escapes such as \" and \\ mean the same on both sides. A control character, such as \n, is refused.
 */
#define MT_SPELLING_(literal) #literal
#define MT_SPELLING(literal) MT_SPELLING_(literal)
#define MT_METADATA_ENTRY_(key, literal) ".ascii \"" key "=\"\n.asciz " MT_SPELLING(literal) "\n"
#if defined(__wasm__)
#define MT_METADATA_BEGIN_ ".section .custom_section.minitensor.plugin,\"\",@\n"
#define MT_METADATA_END_ ".text\n"
#elif defined(__ELF__)
#define MT_METADATA_BEGIN_ ".pushsection minitensor.plugin,\"\",%progbits\n"
#define MT_METADATA_END_ ".popsection\n"
#endif
#ifdef MT_METADATA_BEGIN_
#define MT_METADATA_SECTION_(name, version, description, author, min_version, max_version, features, ops, layers)    \
  __asm__(MT_METADATA_BEGIN_ MT_METADATA_ENTRY_("abi", MT_SPELLING(MT_PLUGIN_ABI_VERSION)) MT_METADATA_ENTRY_(       \
      "name", name) MT_METADATA_ENTRY_("version", version) MT_METADATA_ENTRY_("description", description)            \
              MT_METADATA_ENTRY_("author", author) MT_METADATA_ENTRY_("min_minitensor_version", min_version)         \
                  MT_METADATA_ENTRY_("max_minitensor_version", max_version) MT_METADATA_ENTRY_("features", features) \
                      MT_METADATA_ENTRY_("ops", ops) MT_METADATA_ENTRY_("layers", layers) MT_METADATA_END_);
#else
#define MT_METADATA_SECTION_(name, version, description, author, min_version, max_version, features, ops, layers)
#endif
#define MT_PLUGIN_METADATA(variable, name, version, description, author, min_version, max_version, features, ops, \
                           layers)                                                                                \
  MT_METADATA_SECTION_(name, version, description, author, min_version, max_version, features, ops, layers)       \
  static const mt_plugin_info variable = {sizeof(mt_plugin_info),      0,                                         \
                                          MT_STRING_INIT(name),        MT_STRING_INIT(version),                   \
                                          MT_STRING_INIT(description), MT_STRING_INIT(author),                    \
                                          MT_STRING_INIT(min_version), MT_STRING_INIT(max_version)};

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* MINITENSOR_SDK_PLUGIN_API_H */
