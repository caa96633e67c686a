/// \file
/// Ops, from classes to the structs of the ABI.
#ifndef MINITENSOR_SDK_PLUGIN_OP_HPP
#define MINITENSOR_SDK_PLUGIN_OP_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "minitensor/sdk/plugin/call.hpp"
#include "minitensor/sdk/plugin/guard.hpp"
#include "minitensor/sdk/plugin/member.hpp"
#include "minitensor/sdk/plugin/values.hpp"
#include "minitensor/sdk/plugin_api.h"

namespace minitensor::sdk {
namespace detail {

MINITENSOR_SDK_MEMBER(input_names);
MINITENSOR_SDK_MEMBER(dtypes);
MINITENSOR_SDK_MEMBER(strided_inputs);
MINITENSOR_SDK_MEMBER(mixed_dtypes);
MINITENSOR_SDK_MEMBER(backward);
MINITENSOR_SDK_MEMBER(validate);
MINITENSOR_SDK_MEMBER(output_shape);
MINITENSOR_SDK_MEMBER(output_dtype);

/// Calls `f` with the C++ type that stores `dtype`, which is one of those that the op takes.
template <class Op, std::size_t index = 0, class F>
decltype(auto) dispatch_for(DType dtype, F&& f) {
  if constexpr (!Has_dtypes<Op>::value) {
    return dispatch(dtype, f);
  } else {
    constexpr DType own = Op::dtypes[index];
    if constexpr (index + 1 < sizeof(Op::dtypes) / sizeof(own)) {
      if (dtype != own) return dispatch_for<Op, index + 1>(dtype, f);
    }
    return f(Type<ElementOf<own>>());
  }
}

/// Defines call_<member><Op>(call), which calls Op::<member>; if that is a template, for the dtype of the first input,
/// or of the output when there are no inputs. (Of a template, the address cannot be taken.)
#define MINITENSOR_SDK_KERNEL(member)                                                               \
  template <class Op, class = void>                                                                 \
  struct IsTemplate_##member : std::true_type {};                                                   \
  template <class Op>                                                                               \
  struct IsTemplate_##member<Op, std::void_t<decltype(&Op::member)>> : std::false_type {};          \
  template <class Op>                                                                               \
  Status call_##member(const OpCall& call) {                                                        \
    if constexpr (IsTemplate_##member<Op>::value) {                                                 \
      const DType dtype = call.input_count() > 0 ? call.input(0).dtype() : call.output().dtype();   \
      return dispatch_for<Op>(dtype, [&](auto type) {                                               \
        return status_of([&] { return Op::template member<typename decltype(type)::type>(call); }); \
      });                                                                                           \
    } else {                                                                                        \
      return status_of([&] { return Op::member(call); });                                           \
    }                                                                                               \
  }
MINITENSOR_SDK_KERNEL(forward)
MINITENSOR_SDK_KERNEL(backward)
MINITENSOR_SDK_KERNEL(validate)
#undef MINITENSOR_SDK_KERNEL

/// The functions of an op as the ABI calls them.
template <class Op>
struct OpFunctions {
  static mt_status forward(const mt_op_call* call) { return run(call, call_forward<Op>); }
  static mt_status backward(const mt_op_call* call) { return run(call, call_backward<Op>); }
  static mt_status validate(const mt_op_call* call) { return run(call, call_validate<Op>); }

  static mt_status output_shape(const mt_op_call* raw, std::int32_t* rank, std::int64_t* shape) {
    return run(raw, [&](const OpCall& call) {
      const Result<Dims> dims = Op::output_shape(call);
      if (!dims) return dims.status();
      *rank = dims->rank();
      for (const std::int64_t size : Shape(*dims)) *shape++ = size;
      return Status();
    });
  }

  static mt_status output_dtype(const mt_op_call* raw, mt_dtype* dtype) {
    return run(raw, [&](const OpCall& call) { *dtype = static_cast<mt_dtype>(Op::output_dtype(call)); });
  }

 private:
  template <class Body>
  static mt_status run(const mt_op_call* raw, const Body& body) {
    const OpCall call(*raw, attributes_of<Op>());
    return call.end(guard(call, [&] { return body(call); })).code();
  }
};

/// The names of an op's inputs, for mt_op.input_names.
template <class Op>
struct InputNames {
  static constexpr std::size_t count = sizeof(Op::input_names) / sizeof(Op::input_names[0]);
  static_assert(count == static_cast<std::size_t>(Op::input_count), "an op needs a name for each of its inputs");
  mt_string names[count] = {};
  constexpr InputNames() {
    for (std::size_t i = 0; i < count; ++i) names[i] = to_mt_string(Op::input_names[i]);
  }
};
template <class Op>
inline constexpr InputNames<Op> kInputNames{};

template <class Op>
constexpr mt_op make_op() {
  static_assert(Has_forward<Op>::value, "an op needs forward(const OpCall&)");
  mt_op op = {};
  op.struct_size = sizeof(mt_op);
  op.input_count = static_cast<std::uint32_t>(Op::input_count);
  op.name = to_mt_string(Op::name);
  if constexpr (Has_summary<Op>::value) op.summary = to_mt_string(Op::summary);
  if constexpr (Has_input_names<Op>::value) op.input_names = kInputNames<Op>.names;
  if constexpr (Has_dtypes<Op>::value) {
    for (const DType dtype : Op::dtypes) op.dtypes |= MT_DTYPE_BIT(dtype);
  } else {
    // Not 0, which means all: a host to come may have dtypes that this header does not know.
    op.dtypes = MT_DTYPE_BIT(MT_FLOAT32) | MT_DTYPE_BIT(MT_FLOAT64);
  }
  if constexpr (Has_strided_inputs<Op>::value) {
    if (Op::strided_inputs) op.flags |= std::uint32_t{MT_OP_STRIDED_INPUTS};
  }
  if constexpr (Has_mixed_dtypes<Op>::value) {
    if (Op::mixed_dtypes) op.flags |= std::uint32_t{MT_OP_MIXED_DTYPES};
  }
  op.attribute_count = static_cast<std::uint32_t>(attributes_of<Op>().size());
  op.attributes = attribute_specs_of<Op>();
  op.forward = OpFunctions<Op>::forward;
  if constexpr (Has_backward<Op>::value) op.backward = OpFunctions<Op>::backward;
  if constexpr (Has_validate<Op>::value) op.validate = OpFunctions<Op>::validate;
  if constexpr (Has_output_shape<Op>::value) op.output_shape = OpFunctions<Op>::output_shape;
  if constexpr (Has_output_dtype<Op>::value) op.output_dtype = OpFunctions<Op>::output_dtype;
  return op;
}

template <class Op>
inline constexpr mt_op kOp = make_op<Op>();
template <class... Op>
inline constexpr const mt_op* kOps[] = {&kOp<Op>...};

}  // namespace detail

/// A list of ops, as a plugin's custom_operations returns it.
using OpList = Span<const mt_op* const>;

/// The ops made of these classes. The members of such a class, all static, are
///   name, input_count            constants; required
///   summary                      a constant: one line that says what the op computes
///   input_names                  a constant array of texts: what the inputs are called; by default x0, x1, …
///   attributes                   a constant array of Attribute
///   dtypes                       a constant array of DType: those it takes; by default float32 and float64
///   strided_inputs               true if forward reads the strides of the inputs
///   mixed_dtypes                 true if the inputs may differ in dtype
///   forward(const OpCall&)       fills call.output(); required
///   backward(const OpCall&)      fills each call.grad_input(i); without it, the op has no gradient
///   validate(const OpCall&)      refuses inputs or attributes that forward does not take
///   output_shape(const OpCall&)  returns Dims or Result<Dims>; by default it is the shape of the first input
///   output_dtype(const OpCall&)  returns a DType; by default it is that of the first input
/// forward, backward and validate return Status or void. They may be templates of one type: the one that stores the
/// dtype of the first input, of the output when there are no inputs, which is one of `dtypes`. All may be functions, or
/// constants that can be called, such as lambdas. The class must not be final.
template <class... Op>
inline constexpr OpList ops{detail::kOps<Op...>, sizeof...(Op)};

}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_OP_HPP
