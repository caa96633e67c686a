#include "minitensor/ops/windows.h"
#include "minitensor/tensor/message.h"

#include <limits>
#include <string>

namespace minitensor {

namespace {

// The shape but for its last two sizes, which are given.
Dims with_last(const Dims& dims, std::int64_t first, std::int64_t second) {
  Dims result = dims;
  result[dims.rank() - 2] = first;
  result[dims.rank() - 1] = second;
  return result;
}

}  // namespace

std::array<std::int64_t, 2> window_values(std::span<const std::int64_t> given, std::int64_t least,
                                          std::string_view operation, std::string_view name, bool is_flat,
                                          std::int64_t flat_value) {
  bool is_valid = given.size() == 1 || (given.size() == 2 && !is_flat);
  // Small enough that no sum and no product of two overflows.
  for (const std::int64_t value : given) {
    is_valid = is_valid && value >= least && value <= std::numeric_limits<std::int32_t>::max();
  }
  if (!is_valid) {
    std::string list;
    for (const std::int64_t value : given) list += (list.empty() ? "" : ",") + std::to_string(value);
    throw_error(ErrorCode::kValue,
                {operation, ": ", name, " must be ", (is_flat ? "one integer" : "one or two integers"), " from ", least,
                 " to 2147483647, not [", list, "]"});
  }
  return {is_flat ? flat_value : given[0], given[given.size() - 1]};
}

Windows make_windows(const Shape& shape, std::array<std::int64_t, 2> kernel, const WindowOptions& options,
                     std::string_view operation) {
  const auto stride = window_values(options.stride, 1, operation, "stride", options.is_flat);
  const auto padding = window_values(options.padding, 0, operation, "padding", options.is_flat, 0);
  const auto dilation = window_values(options.dilation, 1, operation, "dilation", options.is_flat);
  Windows windows{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t size = shape[shape.rank() - 2 + static_cast<int>(i)];
    WindowAxis& axis = windows[i];
    axis = {size, kernel[i], stride[i], padding[i], dilation[i], 0};
    // Divided, since the product could overflow.
    if (axis.kernel < 1 || axis.padded() < 1 || axis.kernel - 1 > (axis.padded() - 1) / axis.dilation) {
      throw_error(ErrorCode::kShape, {operation, ": a kernel of size ", axis.kernel, " with dilation ", axis.dilation,
                                      " does not fit into an axis of size ", size, " with padding ", axis.padding});
    }
    axis.count = (axis.padded() - axis.dilation * (axis.kernel - 1) - 1) / axis.stride + 1;
  }
  return windows;
}

Tensor padded(const Tensor& x, const Windows& windows, double value) {
  if (windows[0].padding == 0 && windows[1].padding == 0) return x;
  const Tensor result = Tensor::full(with_last(x.shape(), windows[0].padded(), windows[1].padded()), value, x.dtype());
  unpadded(result, windows).assign(x);
  return result;
}

Tensor unpadded(const Tensor& x, const Windows& windows) {
  const Strides& strides = x.strides();
  const std::int64_t offset = windows[0].padding * strides[x.rank() - 2] + windows[1].padding * strides[x.rank() - 1];
  const Shape shape = with_last(x.shape(), windows[0].size, windows[1].size);
  return x.view(shape, strides, element_count(shape, "pad") == 0 ? 0 : offset);
}

Tensor window_view(const Tensor& x, const Windows& windows) {
  const std::int64_t row = x.strides()[x.rank() - 2];
  const std::int64_t column = x.strides()[x.rank() - 1];
  Shape shape = with_last(x.shape(), windows[0].kernel, windows[1].kernel);
  Strides strides = with_last(x.strides(), row * windows[0].dilation, column * windows[1].dilation);
  shape.push_back(windows[0].count);
  shape.push_back(windows[1].count);
  strides.push_back(row * windows[0].stride);
  strides.push_back(column * windows[1].stride);
  return x.view(shape, strides);
}

Tensor window_elements(const Tensor& x, const Windows& windows, std::int64_t row, std::int64_t column) {
  const std::int64_t row_step = x.strides()[x.rank() - 2];
  const std::int64_t column_step = x.strides()[x.rank() - 1];
  return x.view(with_last(x.shape(), windows[0].count, windows[1].count),
                with_last(x.strides(), row_step * windows[0].stride, column_step * windows[1].stride),
                row * windows[0].dilation * row_step + column * windows[1].dilation * column_step);
}

}  // namespace minitensor
