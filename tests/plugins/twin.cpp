// Plugins that are the same inside but for TWIN_VALUE: types, singletons, static data. The op TWIN_NAME gives
// TWIN_VALUE plus the number of its calls, both by way of everything that a linker may take to be one for the whole
// process.
#include <stdexcept>
#include <string>
#include <typeinfo>

#include "test_plugin.h"

TEST_PLUGIN_INFO(TWIN_NAME, TWIN_NAME)

namespace shared {

struct Base {
  Base() = default;
  Base(const Base&) = delete;
  Base& operator=(const Base&) = delete;
  virtual ~Base() = default;
  virtual int value() const = 0;
};

struct Derived : Base {
  int value() const override { return TWIN_VALUE; }
};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
  int value = TWIN_VALUE;
};

/// A static variable of an inline function.
inline Base& singleton() {
  static Derived instance;
  return instance;
}

/// A static member of a template.
template <class T>
struct Counter {
  static int calls;
};
template <class T>
int Counter<T>::calls = 0;

/// An inline variable.
inline int inline_variable = TWIN_VALUE;

inline int thrown_value() {
  try {
    throw Failure(typeid(Failure).name());
  } catch (const Failure& failure) {
    return failure.value;
  }
}

}  // namespace shared

// A name that another plugin exports, too, or the host.
extern "C" __attribute__((visibility("default"))) int mt_error_pending() { return TWIN_VALUE; }

static mt_status forward(const mt_op_call* call) {
  using namespace shared;
  const auto* derived = dynamic_cast<Derived*>(&singleton());
  const int values[] = {singleton().value(), derived != nullptr ? derived->value() : -1, inline_variable,
                        thrown_value(), mt_error_pending()};
  for (const int value : values) {
    if (value != TWIN_VALUE) return fail(call, MT_ERROR_PLUGIN, "twin: that is the other's");
  }
  *static_cast<double*>(call->output->data) = TWIN_VALUE + ++Counter<Derived>::calls;
  return MT_OK;
}

static mt_op make_op() {
  mt_op op = {};
  op.struct_size = sizeof(mt_op);
  op.input_count = 1;
  op.name = MT_STRING(TWIN_NAME);
  op.dtypes = MT_DTYPE_BIT(MT_FLOAT64);
  op.forward = forward;
  return op;
}

static const mt_op kOp = make_op();
static const mt_op* const kOps[] = {&kOp};

TEST_PLUGIN_CREATE(kOps)
