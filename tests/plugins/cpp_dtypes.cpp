// Ops over plugin.hpp for dtypes other than float32 and float64.
#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "cpp_dtypes", "1.0.0", "A plugin for tests", "MiniTensor's tests", "0.1.0", "", "",
                   "cpp_next,cpp_is_positive,cpp_seven", "")

namespace {

/// x + 1, modulo 256 for uint8.
struct Next {
  static constexpr auto name = "cpp_next";
  static constexpr int input_count = 1;
  static constexpr mt::DType dtypes[] = {mt::DType::kInt32, mt::DType::kInt64, mt::DType::kUint8};

  template <class T>
  static void forward(const mt::OpCall& call) {
    const T* x = call.input(0).data<T>();
    for (T& y : call.output().elements<T>()) y = static_cast<T>(*x++ + 1);
  }
};

/// x > 0, as bool. Refuses bool itself.
struct IsPositive {
  static constexpr auto name = "cpp_is_positive";
  static constexpr int input_count = 1;
  static constexpr mt::DType dtypes[] = {mt::DType::kFloat32, mt::DType::kFloat64, mt::DType::kInt32,
                                         mt::DType::kInt64,   mt::DType::kUint8,   mt::DType::kBool};

  static mt::Status validate(const mt::OpCall& call) {
    const mt::DType dtype = call.input(0).dtype();
    if (dtype != mt::DType::kBool) return {};
    return call.error(mt::ErrorCode::kDType, "x must be of numbers, but it is ", dtype);
  }
  static mt::DType output_dtype(const mt::OpCall&) { return mt::DType::kBool; }

  template <class T>
  static void forward(const mt::OpCall& call) {
    const T* x = call.input(0).data<T>();
    for (bool& y : call.output().elements<bool>()) y = *x++ > 0;
  }
};

/// 7 in the dtype of the input, by fill.
struct Seven {
  static constexpr auto name = "cpp_seven";
  static constexpr int input_count = 1;
  static constexpr auto& dtypes = IsPositive::dtypes;
  static void forward(const mt::OpCall& call) { call.output().fill(7); }
};

struct Plugin {
  static const mt_plugin_info& info() { return kInfo; }
  static mt::OpList custom_operations() { return mt::ops<Next, IsPositive, Seven>; }
};

}  // namespace

MINITENSOR_PLUGIN(Plugin)
