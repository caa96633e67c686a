// Ops that run others with several outputs through the host: "largest_of_parts" split and topk, "sum_as_list" one with
// a single output, "of_older_host" any by a table without call_op_many.
#include <cstddef>

#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "many_outputs", "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "",
                   "largest_of_parts,sum_as_list,of_older_host", "")

namespace {

/// Of each part of a vector its largest element, and where in the part that stands.
struct LargestOfParts {
  static constexpr auto name = "largest_of_parts";
  static constexpr int input_count = 1;
  static constexpr mt::Attribute attributes[] = {mt::number("sections")};

  static mt::Dims output_shape(const mt::OpCall& call) { return {static_cast<std::int64_t>(call.number(0)), 2}; }
  template <class T>
  static mt::Status forward(const mt::OpCall& call) {
    const auto parts = call.call_op_many<3>("split", {call.input(0)}, {{"sections", call.number(0)}});
    if (!parts) return parts.status();
    T* out = call.output().data<T>();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const auto top = call.call_op_many<2>("topk", {(*parts)[i]}, {{"k", 1}});
      if (!top) return top.status();
      *out++ = (*top)[0].data<T>()[0];
      *out++ = static_cast<T>((*top)[1].data<std::int64_t>()[0]);
    }
    return {};
  }
};

/// The number of outputs of sum, and then what it gives.
struct SumAsList {
  static constexpr auto name = "sum_as_list";
  static constexpr int input_count = 1;
  static mt::Dims output_shape(const mt::OpCall&) { return {2}; }
  template <class T>
  static mt::Status forward(const mt::OpCall& call) {
    const auto sums = call.call_op_many<4>("sum", {call.input(0)});
    if (!sums) return sums.status();
    call.output().data<T>()[0] = static_cast<T>(sums->size());
    call.output().data<T>()[1] = (*sums)[0].data<T>()[0];
    return {};
  }
};

struct OfOlderHost {
  static constexpr auto name = "of_older_host";
  static constexpr int input_count = 1;
  static mt::Status forward(const mt::OpCall& call) {
    mt_host older = *call.raw_host();
    older.struct_size = offsetof(mt_host, call_op_many);
    older.call_op_many = nullptr;
    return mt::Host(&older, call.raw_context()).call_op_many<2>("topk", {call.input(0)}, {{"k", 1}}).status();
  }
};

struct ManyOutputs {
  static const mt_plugin_info& info() { return kInfo; }
  static mt::OpList custom_operations() { return mt::ops<LargestOfParts, SumAsList, OfOlderHost>; }
};

}  // namespace

MINITENSOR_PLUGIN(ManyOutputs)
