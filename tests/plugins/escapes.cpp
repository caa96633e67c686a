// Exceptions leave the plugin, which the ABI forbids: from an op, or, with ESCAPES_FROM_<FUNCTION>, from that function
// of its life cycle or from the constructor of a global object.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "test_plugin.h"

TEST_PLUGIN_INFO(ESCAPES_NAME, "escape")

namespace {

[[noreturn]] void escape() { throw std::runtime_error("a text of the plugin's, long enough to be on the heap"); }

mt_status forward(const mt_op_call* call) {
  const std::string on_the_stack(100, 'x');
  if (call->inputs[0]->size == 1) throw static_cast<int>(on_the_stack.size());
  escape();
}

mt_op make_op() {
  mt_op op = {};
  op.struct_size = sizeof(mt_op);
  op.input_count = 1;
  op.name = MT_STRING("escape");
  op.forward = forward;
  return op;
}

const mt_op kOp = make_op();
const mt_op* const kOps[] = {&kOp};

#ifdef ESCAPES_FROM_CONSTRUCTOR
struct Thrower {
  Thrower() { escape(); }
};
const Thrower kThrower;
#endif

[[maybe_unused]] mt_status escape_from_call(const mt_host*, mt_context*, void*) { escape(); }
[[maybe_unused]] void escape_from_destroy(void*) { escape(); }

}  // namespace

mt_status create_plugin(const mt_host*, mt_context*, mt_plugin* plugin) {
#ifdef ESCAPES_FROM_CREATE
  escape();
#endif
  plugin->info = &kInfo;
  plugin->op_count = 1;
  plugin->ops = kOps;
#ifdef ESCAPES_FROM_INITIALIZE
  plugin->initialize = escape_from_call;
#endif
#ifdef ESCAPES_FROM_CLEANUP
  plugin->cleanup = escape_from_call;
#endif
#ifdef ESCAPES_FROM_DESTROY
  plugin->destroy = escape_from_destroy;
#endif
  return MT_OK;
}
