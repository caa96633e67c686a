// Includes the C++ header alone, and uses everything in it.
#include "minitensor/sdk/plugin.hpp"

MT_PLUGIN_METADATA(kInfo, "everything", "1.2.3", "Everything", "Ada", "0.1.0", "0.9.0", "",
                   "plain,typed,lambdas,source", "Everything,Plain")

namespace mt = minitensor::sdk;

namespace {

/// Nothing but what is required.
struct Plain {
  static constexpr auto name = "plain";
  static constexpr int input_count = 1;
  static void forward(const mt::OpCall& call) { call.output().fill(0); }
};

constexpr std::int64_t kAxes[] = {0, 1};

class Plugin;

/// Everything, as templates.
struct Typed {
  static constexpr std::string_view name = "typed";
  static constexpr std::string_view summary = "everything";
  static constexpr int input_count = 2;
  static constexpr mt::DType dtypes[] = {mt::DType::kFloat64};
  static constexpr bool strided_inputs = true;
  static constexpr bool mixed_dtypes = true;
  static constexpr mt::Attribute attributes[] = {
      mt::number("number", 1),
      mt::number("required_number"),
      mt::text("text", "grüße"),
      mt::text("required_text"),
      mt::boolean("boolean", true),
      mt::boolean("required_boolean"),
      mt::integers("integers", {kAxes, 2}),
      mt::integers("required_integers"),
  };

  template <class T>
  static mt::Status validate(const mt::OpCall& call) {
    if (call.input_count() != 2 || call.input(0).elements<T>().empty()) {
      return call.error(mt::ErrorCode::kShape, "typed: ", call.input(0).shape(), call.input(0).dtype(), true, 1, -2L,
                        3u, 'c', 4.5, 5.5f, std::string_view("text"), call.text("text"));
    }
    call.log(call.number(0), call.text(2), call.boolean(4), call.integers(6));
    return {};
  }
  template <class T>
  static mt::Status forward(const mt::OpCall& call);
  template <class T>
  static mt::Status backward(const mt::OpCall& call) {
    const T* dy = call.grad_output().data<T>();
    for (T& dx : call.grad_input(1).elements<T>()) dx = *dy++;
    return {};
  }
  static mt::Result<mt::Dims> output_shape(const mt::OpCall& call) {
    mt::Dims dims(call.input(0).shape());
    dims.push_back(call.integers("integers")[0]);
    if (dims.rank() > 3) return call.error(mt::ErrorCode::kShape, "typed: too many axes: ", dims);
    dims[0] = 1;
    return dims;
  }
  static mt::DType output_dtype(const mt::OpCall& call) { return call.input(1).dtype(); }
};

/// Functions that are constants.
struct Lambdas {
  static constexpr auto name = "lambdas";
  static constexpr int input_count = 1;
  static constexpr auto forward = [](const mt::OpCall& call) { call.output().fill(1); };
  static constexpr auto backward = [](const mt::OpCall& call) { return call.error(mt::ErrorCode::kValue, "no"); };
  static constexpr auto output_shape = [](const mt::OpCall&) { return mt::Dims{2, 3}; };
};

/// No inputs: the dtype is that of the output.
struct Source {
  static constexpr auto name = "source";
  static constexpr int input_count = 0;
  template <class T>
  static void forward(const mt::OpCall& call) {
    for (T& y : call.output().elements<T>()) y = T{1};
  }
  static mt::Dims output_shape(const mt::OpCall&) { return {}; }
  static mt::DType output_dtype(const mt::OpCall&) { return mt::DType::kFloat32; }
};

struct PlainLayer {
  static constexpr auto name = "Plain";
  static mt::Result<mt::TensorView> forward(const mt::LayerCall& call) { return call.input(0); }
};

struct Layer {
  static constexpr auto name = "Everything";
  static constexpr auto summary = "everything";
  static constexpr mt::Attribute attributes[] = {mt::number("size")};
  static void create(const mt::LayerCall& call) {
    const auto weight = call.create_tensor(mt::DType::kFloat64, {2, 3});
    if (weight) static_cast<void>(call.add_parameter("weight", *weight));
  }
  static mt::Result<mt::TensorView> forward(const mt::LayerCall& call) {
    if (call.input_count() != 1) return call.error(mt::ErrorCode::kValue, "Everything: takes one input");
    return call.call_op("mul", {call.input(0), call.parameter(0)});
  }
};

class Plugin {
 public:
  static const mt_plugin_info& info() { return kInfo; }
  mt::OpList custom_operations() const { return mt::ops<Plain, Typed, Lambdas>; }
  mt::LayerList custom_layers() const { return mt::layers<Layer>; }
  mt::Status initialize(const mt::Registry& registry) {
    ++count_;
    if (registry.get_interface("minitensor.nothing")) return {};
    const mt::Status status = registry.register_op<Source>();
    return status.ok() ? registry.register_layer<PlainLayer>() : status;
  }
  void cleanup(const mt::Host& host) { host.log("used ", count_, " times"); }

  int count_ = 0;
};

template <class T>
mt::Status Typed::forward(const mt::OpCall& call) {
  ++call.plugin<Plugin>().count_;
  const mt::Shape strides = call.input(0).strides();
  const auto sum = call.call_op("sum", {call.input(0)},
                                {{"axes", call.integers("integers")}, {"keep_dims", true}, {"mode", "x"}, {"n", 1}});
  if (!sum) return sum.status();
  const mt::Result<mt::MutableTensorView> scratch = call.create_tensor(mt::dtype_of<T>, call.input(0).shape());
  if (!scratch) return scratch.status();
  const auto parts = call.call_op_many<2>("split", {call.input(0)}, {{"sections", 2}});
  if (!parts) return parts.status();
  const auto places = call.call_op_many<MT_MAX_RANK>("nonzero", {(*parts)[parts->size() - 1]});
  if (!places) return places.status();
  call.log((*places)[0].dtype(), (*places)[0].elements<std::int64_t>().size());
  return mt::dispatch(sum->dtype(), [&](auto type) {
    using S = typename decltype(type)::type;
    const auto factor = static_cast<T>(*sum->data<S>());
    call.output().data<T>()[0] = factor * call.input(1).data<T>()[strides.back()];
    scratch->data<T>()[0] = 0;
    return mt::Status();
  });
}

}  // namespace

MINITENSOR_PLUGIN(Plugin)
