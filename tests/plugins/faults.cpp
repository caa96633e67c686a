// Faults that only a WebAssembly host survives: the op "abort" aborts, "assert" asserts what is not so, "recurse"
// calls itself until the stack is used up, "divide" divides by zero, "read" reads far beyond the memory, "call_null"
// calls no function, "exit" calls exit(3), "call_at" what stands at a place in its table that is not its own,
// "recurse_host" calls itself through the host with ever more of the stack in use, "recurse_allocator" allocates and
// frees at each level until the engine's stack ends, "fill_memory" allocates without end. With FAULTS_IN_CONSTRUCTOR or
// FAULTS_IN_DESTRUCTOR, that of a global object traps with some of the stack in use.
#undef NDEBUG
#include <cassert>
#include <cstdint>
#include <cstdlib>

#include "test_plugin.h"

TEST_PLUGIN_INFO(FAULTS_NAME,
                 "abort,assert,recurse,divide,read,call_null,exit,call_at,recurse_host,recurse_allocator,fill_memory")

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

mt_status assert_now(const mt_op_call* call) {
  assert(call->inputs[0]->size < 0);
  return MT_OK;
}

int depth(volatile int* above) {
  volatile int here[64] = {*above + 1};
  if (here[0] < 0) return 0;  // never, as far as the stack goes
  return depth(here) + here[0];
}

mt_status recurse(const mt_op_call*) {
  volatile int start = 0;
  return depth(&start) == 0 ? MT_OK : MT_ERROR_VALUE;
}

mt_status divide(const mt_op_call* call) {
  volatile int zero = 0;
  return static_cast<int>(call->inputs[0]->size) / zero;
}

mt_status read(const mt_op_call*) {
  const volatile int* const end = reinterpret_cast<int*>(0xfffffff0U);
  return *end;
}

mt_status call_null(const mt_op_call* call) {
  mt_status (*volatile none)(const mt_op_call*) = nullptr;
  return none(call);
}

mt_status exit_now(const mt_op_call*) { std::exit(3); }

mt_status call_at(const mt_op_call* call) {
  // What is the plugin's own stands above all that is not.
  const double place = static_cast<const float*>(call->inputs[0]->data)[0];
  if (place >= reinterpret_cast<std::uintptr_t>(abort_now) || place >= reinterpret_cast<std::uintptr_t>(call_null)) {
    return call->host->set_error(call->context, MT_ERROR_VALUE, MT_STRING("it is its own"));
  }
  volatile auto address = static_cast<std::uintptr_t>(place);
  return reinterpret_cast<mt_status (*)(const mt_op_call*)>(address)(call);
}

mt_status recurse_host(const mt_op_call* call) {
  volatile char stack[60000];
  for (volatile char& byte : stack) byte = 1;
  const mt_tensor* output;
  const mt_status status =
      call->host->call_op(call->context, MT_STRING("recurse_host"), 1, call->inputs, 0, nullptr, nullptr, &output);
  return stack[0] == 1 ? status : MT_ERROR_VALUE;
}

void* volatile last_block = nullptr;

int allocate_deeper(int level);
// A compiler makes a loop of a recursion that it sees.
int (*volatile next_level)(int) = allocate_deeper;

// Nothing of it is in memory, so that the engine's own stack is the one to end.
int allocate_deeper(int level) {
  last_block = std::malloc(static_cast<std::size_t>(16 + level % 64 * 16));
  std::free(last_block);
  return level < 0 ? 0 : next_level(level + 1) + level;
}

mt_status recurse_allocator(const mt_op_call*) { return allocate_deeper(0) == 0 ? MT_OK : MT_ERROR_VALUE; }

mt_status fill_memory(const mt_op_call* call) {
  void** last = nullptr;
  // Small pieces stay: with Emscripten's assertions, throwing an exception takes memory, and aborts where there is
  // none.
  for (std::size_t size = std::size_t{16} << 20U; size >= std::size_t{64} << 10U; size /= 2) {
    while (void** block = static_cast<void**>(std::malloc(size))) {
      *block = last;
      last = block;
    }
  }
  mt_tensor* tensor;
  const int64_t shape[] = {1000000};
  const mt_status status = call->host->create_tensor(call->context, MT_FLOAT64, 1, shape, &tensor);
  while (last) {
    void** const next = static_cast<void**>(*last);
    std::free(last);
    last = next;
  }
  return status;
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
const mt_op kAssert = make_op(MT_STRING("assert"), assert_now);
const mt_op kRecurse = make_op(MT_STRING("recurse"), recurse);
const mt_op kDivide = make_op(MT_STRING("divide"), divide);
const mt_op kRead = make_op(MT_STRING("read"), read);
const mt_op kCallNull = make_op(MT_STRING("call_null"), call_null);
const mt_op kExit = make_op(MT_STRING("exit"), exit_now);
const mt_op kCallAt = make_op(MT_STRING("call_at"), call_at);
const mt_op kRecurseHost = make_op(MT_STRING("recurse_host"), recurse_host);
const mt_op kRecurseAllocator = make_op(MT_STRING("recurse_allocator"), recurse_allocator);
const mt_op kFillMemory = make_op(MT_STRING("fill_memory"), fill_memory);
const mt_op* const kOps[] = {&kAbort, &kAssert, &kRecurse,     &kDivide,           &kRead,      &kCallNull,
                             &kExit,  &kCallAt, &kRecurseHost, &kRecurseAllocator, &kFillMemory};

}  // namespace

TEST_PLUGIN_CREATE(kOps)
