// Plain exports: the way of every tensor and every op, so the shortest one. A handle or pointer of 0 means that an
// error is noted, except where said otherwise.

#include <algorithm>
#include <cstdint>

#include "bindings/engine.h"
#include "bindings/guard.h"

namespace minitensor::bindings {

namespace {

// How mt_tensor_describe writes: dtype, rank, the sizes, the strides. Numbers are doubles because JavaScript's are.
constexpr std::size_t kDescriptionHeader = 2;

}  // namespace

extern "C" {

/// A new row-major tensor, whose elements JavaScript writes at once. `sizes` are `rank` doubles.
std::uint32_t mt_tensor_create(int dtype, int rank, const double* sizes) {
  return guard([&] {
    if (!is_dtype_number(dtype)) throw Error(ErrorCode::kInternal, "tensor: not a dtype: " + std::to_string(dtype));
    Shape shape;
    for (int axis = 0; axis < rank; ++axis) shape.push_back(static_cast<std::int64_t>(sizes[axis]));
    return engine().tensors.add(Tensor::empty(shape, static_cast<DType>(dtype)));
  });
}

/// The first element. Requires nothing: the layout is what mt_tensor_describe says.
const void* mt_tensor_data(std::uint32_t handle) {
  return guard([&] { return tensor_at(handle).raw_data(); });
}

/// The elements in another dtype, under a handle of their own.
std::uint32_t mt_tensor_cast(std::uint32_t handle, int dtype) {
  return guard([&] { return engine().tensors.add(tensor_at(handle).cast(static_cast<DType>(dtype))); });
}

/// The tensor in row-major order, under a handle of its own.
std::uint32_t mt_tensor_contiguous(std::uint32_t handle) {
  return guard([&] { return engine().tensors.add(tensor_at(handle).contiguous()); });
}

/// Writes dtype, rank, the sizes and the strides to `out`, which has room for 2 + 2 * kMaxRank doubles. 1 when done.
int mt_tensor_describe(std::uint32_t handle, double* out) {
  return guard([&] {
    const Tensor& tensor = tensor_at(handle);
    out[0] = static_cast<double>(tensor.dtype());
    out[1] = tensor.rank();
    double* position = out + kDescriptionHeader;
    for (const std::int64_t size : tensor.shape()) *position++ = static_cast<double>(size);
    for (const std::int64_t stride : tensor.strides()) *position++ = static_cast<double>(stride);
    return 1;
  });
}

/// Nothing happens for a handle that is released already.
void mt_tensor_release(std::uint32_t handle) { engine().tensors.release(handle); }

}  // extern "C"

}  // namespace minitensor::bindings
