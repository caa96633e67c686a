// Faults that only a WebAssembly host survives. The op "abort" aborts, the op "recurse" calls itself until the stack is
// used up. With FAULTS_IN_CONSTRUCTOR or FAULTS_IN_DESTRUCTOR, that of a global object traps with some of the stack in
// use.
#include <cstdlib>

#include "test_plugin.h"

TEST_PLUGIN_INFO(FAULTS_NAME, "abort,recurse")

namespace {

[[maybe_unused]] void trap() {
  volatile char stack[4096];
  stack[0] = 1;
  stack[sizeof stack - 1] = stack[0];
  __builtin_trap();
}

struct Global {
  Global() {
#ifdef FAULTS_IN_CONSTRUCTOR
    trap();
#endif
  }
  ~Global() {
#ifdef FAULTS_IN_DESTRUCTOR
    trap();
#endif
  }
};
const Global kGlobal;

mt_status abort_now(const mt_op_call*) { std::abort(); }

int depth(volatile int* above) {
  volatile int here[64] = {*above + 1};
  if (here[0] < 0) return 0;  // never, as far as the stack goes
  return depth(here) + here[0];
}

mt_status recurse(const mt_op_call*) {
  volatile int start = 0;
  return depth(&start) == 0 ? MT_OK : MT_ERROR_VALUE;
}

mt_op make_op(mt_string name, mt_status (*forward)(const mt_op_call*)) {
  mt_op op = {};
  op.struct_size = sizeof(mt_op);
  op.input_count = 1;
  op.name = name;
  op.forward = forward;
  return op;
}

const mt_op kAbort = make_op(MT_STRING("abort"), abort_now);
const mt_op kRecurse = make_op(MT_STRING("recurse"), recurse);
const mt_op* const kOps[] = {&kAbort, &kRecurse};

}  // namespace

TEST_PLUGIN_CREATE(kOps)
