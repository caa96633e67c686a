/// \file
/// What the functions of a plugin are given: the host, and the arguments of the call.
#ifndef MINITENSOR_SDK_PLUGIN_CALL_HPP
#define MINITENSOR_SDK_PLUGIN_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "minitensor/sdk/plugin/attribute.hpp"
#include "minitensor/sdk/plugin/message.hpp"
#include "minitensor/sdk/plugin/tensor_view.hpp"
#include "minitensor/sdk/plugin/values.hpp"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor::sdk {

/// The results of an op that may have several, at most N.
template <std::size_t N>
class Outputs {
 public:
  /// How many there are.
  std::size_t size() const { return size_; }
  /// The result at an index below size().
  TensorView operator[](std::size_t index) const { return TensorView(tensors_[index]); }

 private:
  friend class Host;

  const mt_tensor* tensors_[N] = {};
  std::uint32_t size_ = 0;
};

/// The host, in one call of the plugin.
class Host {
 public:
  Host(const mt_host* host, mt_context* context) : host_(host), context_(context) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Notes the message for an error, and returns that error. The message is made of texts, numbers, dtypes and shapes;
  /// let it say the rule and the actual values. The host puts the name of the op, layer type or function before it:
  /// `return call.error(ErrorCode::kShape, "sizes differ: ", a.shape(), " and ", b.shape());`
  template <class... Parts>
  Status error(ErrorCode code, const Parts&... parts) const {
    const Part list[] = {parts...};
    return error_of(code, {list, sizeof...(Parts)});
  }

  /// Writes a line, made as the message of error is, to the application's log, which may go nowhere.
  template <class... Parts>
  void log(const Parts&... parts) const {
    const Part list[] = {parts...};
    const Message message({list, sizeof...(Parts)});
    host_->log(context_, to_mt_string(message.text()));
  }

  /// A new row-major tensor of zeros.
  Result<MutableTensorView> create_tensor(DType dtype, Shape shape) const {
    mt_tensor* tensor = nullptr;
    const Status status(host_->create_tensor(context_, static_cast<mt_dtype>(dtype),
                                             static_cast<std::int32_t>(shape.size()), shape.data(), &tensor));
    if (!status.ok()) return status;
    return MutableTensorView(tensor);
  }
  Result<MutableTensorView> create_tensor(DType dtype, std::initializer_list<std::int64_t> shape) const {
    return create_tensor(dtype, Shape(shape.begin(), shape.size()));
  }

  /// Runs an op of the engine or of any plugin: `call_op("sum", {x})`. An error's message is noted already.
  Result<TensorView> call_op(std::string_view name, std::initializer_list<const mt_tensor*> inputs) const {
    return call_op(name, inputs, 0, nullptr, nullptr);
  }
  /// The same with attributes: `call_op("softmax", {x}, {{"axis", 1}})`. Those left out have their defaults.
  template <std::size_t N>
  Result<TensorView> call_op(std::string_view name, std::initializer_list<const mt_tensor*> inputs,
                             const Argument (&arguments)[N]) const {
    const NamedValues<N> named(arguments);
    return call_op(name, inputs, static_cast<std::uint32_t>(N), named.names, named.values);
  }

  /// Runs an op with any number of outputs, but no more than Capacity:
  /// `const auto top = call.call_op_many<2>("topk", {x}, {{"k", 3}})`, then (*top)[0] and (*top)[1].
  /// kNotImplemented from a host that is too old for it.
  template <std::size_t Capacity>
  Result<Outputs<Capacity>> call_op_many(std::string_view name, std::initializer_list<const mt_tensor*> inputs) const {
    Outputs<Capacity> outputs;
    return many(name, inputs, 0, nullptr, nullptr, outputs);
  }
  template <std::size_t Capacity, std::size_t N>
  Result<Outputs<Capacity>> call_op_many(std::string_view name, std::initializer_list<const mt_tensor*> inputs,
                                         const Argument (&arguments)[N]) const {
    const NamedValues<N> named(arguments);
    Outputs<Capacity> outputs;
    return many(name, inputs, static_cast<std::uint32_t>(N), named.names, named.values, outputs);
  }

  /// A further table of functions of the host, nullptr when it has none of that id.
  const void* get_interface(std::string_view id) const { return host_->get_interface(context_, to_mt_string(id)); }

  const mt_host* raw_host() const { return host_; }
  mt_context* raw_context() const { return context_; }

 protected:
  /// Notes that the plugin's own code asks for something that is not there. The call then fails, whatever it returns.
  template <class... Parts>
  void misuse(const Parts&... parts) const {
    if (misuse_.ok()) misuse_ = error(ErrorCode::kPlugin, parts...);
  }

  mutable Status misuse_;

 private:
  /// Arguments as the ABI has them. It points into what it was made of.
  template <std::size_t N>
  struct NamedValues {
    explicit NamedValues(const Argument (&arguments)[N]) {
      for (std::size_t i = 0; i < N; ++i) {
        names[i] = to_mt_string(arguments[i].name);
        values[i] = &arguments[i].value.raw();
      }
    }
    mt_string names[N];
    const mt_attribute* values[N];
  };

  MINITENSOR_SDK_COLD Status error_of(ErrorCode code, Span<const Part> parts) const {
    const Message message(parts);
    return Status(host_->set_error(context_, static_cast<mt_status>(code), to_mt_string(message.text())));
  }

  Result<TensorView> call_op(std::string_view name, std::initializer_list<const mt_tensor*> inputs, std::uint32_t count,
                             const mt_string* names, const mt_attribute* const* values) const {
    if (!misuse_.ok()) return misuse_;
    const mt_tensor* output = nullptr;
    const Status status(host_->call_op(context_, to_mt_string(name), static_cast<std::uint32_t>(inputs.size()),
                                       inputs.begin(), count, names, values, &output));
    if (!status.ok()) return status;
    return TensorView(output);
  }

  template <std::size_t N>
  Result<Outputs<N>> many(std::string_view name, std::initializer_list<const mt_tensor*> inputs, std::uint32_t count,
                          const mt_string* names, const mt_attribute* const* values, Outputs<N>& outputs) const {
    if (!misuse_.ok()) return misuse_;
    if (!MT_HOST_HAS(host_, call_op_many)) {
      return error(ErrorCode::kNotImplemented, name, ": this host is too old to run ops with several outputs");
    }
    const Status status(host_->call_op_many(context_, to_mt_string(name), static_cast<std::uint32_t>(inputs.size()),
                                            inputs.begin(), count, names, values, static_cast<std::uint32_t>(N),
                                            outputs.tensors_, &outputs.size_));
    if (!status.ok()) return status;
    return outputs;
  }

  const mt_host* host_;
  mt_context* context_;
};

/// A call of an op or a layer: the host, and the attributes. Each is asked for by its name, or by its index in the
/// array that declares them. To ask for one that is not declared, or not with that type, makes the call fail.
class Call : public Host {
 public:
  double number(std::string_view name) const { return find(name, MT_NUMBER).number; }
  double number(int index) const { return find(index, MT_NUMBER).number; }
  bool boolean(std::string_view name) const { return find(name, MT_BOOLEAN).boolean != 0; }
  bool boolean(int index) const { return find(index, MT_BOOLEAN).boolean != 0; }
  std::string_view text(std::string_view name) const { return to_string_view(find(name, MT_TEXT).text); }
  std::string_view text(int index) const { return to_string_view(find(index, MT_TEXT).text); }
  Integers integers(std::string_view name) const { return integers_of(find(name, MT_INTEGERS)); }
  Integers integers(int index) const { return integers_of(find(index, MT_INTEGERS)); }

  /// The object of the plugin's class, which must have data members.
  template <class Plugin>
  Plugin& plugin() const {
    return *static_cast<Plugin*>(plugin_state_);
  }

  /// How the call ends when the plugin's code returned `status`.
  Status end(Status status) const { return status.ok() ? misuse_ : status; }

 protected:
  template <class RawCall>
  Call(const RawCall& call, Span<const Attribute> declared)
      : Host(call.host, call.context),
        declared_(declared),
        attributes_(call.attributes),
        plugin_state_(call.plugin_state) {}

  /// list[index]; an empty tensor, and a failing call, if there are fewer.
  template <class View, class Raw>
  View tensor(Raw* const* list, std::uint32_t count, int index, const char* kind) const {
    if (list && static_cast<std::uint32_t>(index) < count) return View(list[index]);
    no_tensor(kind, index);
    return View();
  }
  MINITENSOR_SDK_COLD void no_tensor(const char* kind, int index) const {
    misuse("the plugin asks for ", kind, " ", index, ", which is not there");
  }

 private:
  static Integers integers_of(const mt_attribute& value) { return {value.integers, value.integer_count}; }

  const mt_attribute& find(std::string_view name, mt_attribute_type type) const {
    for (std::size_t i = 0; i < declared_.size(); ++i) {
      if (declared_[i].name == name && declared_[i].value.raw().type == type) return *attributes_[i];
    }
    return no_attribute(name);
  }
  const mt_attribute& find(int index, mt_attribute_type type) const {
    const auto i = static_cast<std::size_t>(index);
    return i < declared_.size() && declared_[i].value.raw().type == type ? *attributes_[i] : no_attribute(index);
  }
  template <class Key>
  MINITENSOR_SDK_COLD const mt_attribute& no_attribute(Key key) const {
    misuse("the plugin asks for attribute ", key, ", which it does not declare with that type");
    return kNoAttribute;
  }

  static constexpr mt_attribute kNoAttribute = {sizeof(mt_attribute), MT_NUMBER, 0, {nullptr, 0}, nullptr, 0, 0};

  Span<const Attribute> declared_;
  const mt_attribute* const* attributes_;
  void* plugin_state_;
};

/// A call of an op.
class OpCall : public Call {
 public:
  OpCall(const mt_op_call& call, Span<const Attribute> declared) : Call(call, declared), call_(call) {}

  int input_count() const { return static_cast<int>(call_.input_count); }
  TensorView input(int index) const { return tensor<TensorView>(call_.inputs, call_.input_count, index, "input"); }
  /// In forward: to be filled; its elements are undefined. In backward: what forward gave.
  MutableTensorView output() const {
    return tensor<MutableTensorView>(&call_.output, call_.output ? 1 : 0, 0, "output");
  }
  /// In backward: the gradient with respect to the output.
  TensorView grad_output() const {
    return tensor<TensorView>(&call_.grad_output, call_.grad_output ? 1 : 0, 0, "grad_output");
  }
  /// In backward: the gradient with respect to an input, to be filled; its elements are 0.
  MutableTensorView grad_input(int index) const {
    return tensor<MutableTensorView>(call_.grad_inputs, call_.input_count, index, "grad_input");
  }

 private:
  const mt_op_call& call_;
};

/// A call of a layer. The attributes are the layer's configuration.
class LayerCall : public Call {
 public:
  LayerCall(const mt_layer_call& call, Span<const Attribute> declared) : Call(call, declared), call_(call) {}

  /// In forward: the inputs that were given.
  int input_count() const { return static_cast<int>(call_.input_count); }
  TensorView input(int index) const { return tensor<TensorView>(call_.inputs, call_.input_count, index, "input"); }
  /// In forward: the parameters, in the order in which create added them.
  TensorView parameter(int index) const {
    return tensor<TensorView>(call_.parameters, call_.parameter_count, index, "parameter");
  }
  /// In create: adds a parameter, a copy of `value`.
  Status add_parameter(std::string_view name, TensorView value) const {
    return Status(raw_host()->add_parameter(raw_context(), to_mt_string(name), value));
  }

 private:
  const mt_layer_call& call_;
};

}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_CALL_HPP
