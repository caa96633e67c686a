// The hard case: exceptions, the C++ library, a global object with a constructor and a destructor. The op "count_calls"
// fills its output with the number of calls so far, kept by text in a map; "throws" throws and catches within.
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "test_plugin.h"

TEST_PLUGIN_INFO("static_state", "count_calls,throws")

namespace {

/// Notices whether its constructor ran.
class Calls {
 public:
  Calls() : names_(std::make_unique<std::unordered_map<std::string, int>>()) {
    names_->emplace("a name too long to be small", 0);
  }
  ~Calls() { names_->clear(); }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  int count(const std::string& name) { return ++names_->at(name); }

 private:
  std::unique_ptr<std::unordered_map<std::string, int>> names_;
};

Calls calls;

mt_status count_calls(const mt_op_call* call) {
  const int count = calls.count("a name too long to be small");
  for (int64_t i = 0; i < call->output->size; ++i) {
    if (call->output->dtype == MT_FLOAT64) {
      static_cast<double*>(call->output->data)[i] = count;
    } else {
      static_cast<float*>(call->output->data)[i] = static_cast<float>(count);
    }
  }
  return MT_OK;
}

mt_status throws(const mt_op_call* call) {
  try {
    calls.count("no such name as " + std::to_string(call->inputs[0]->size));
  } catch (const std::out_of_range& error) {
    const std::string message = std::string("throws: caught ") + error.what();
    return fail(call, MT_ERROR_KEY, message.c_str());
  }
  return MT_OK;
}

mt_op make_op(mt_string name, mt_status (*forward)(const mt_op_call*)) {
  mt_op op = {};
  op.struct_size = sizeof(mt_op);
  op.input_count = 1;
  op.name = name;
  op.forward = forward;
  return op;
}

const mt_op kCountCalls = make_op(MT_STRING("count_calls"), count_calls);
const mt_op kThrows = make_op(MT_STRING("throws"), throws);
const mt_op* const kOps[] = {&kCountCalls, &kThrows};

}  // namespace

TEST_PLUGIN_CREATE(kOps)
