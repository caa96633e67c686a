#include <limits>

#include "minitensor/ops/arithmetic.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/windows.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using Backward = const BackwardArguments&;

template <typename T>
bool is_maximum(T x, T maximum) {
  return x == maximum || x != x;
}

// What the element x of a window gets of what is left of the gradient, and what is left then: all of it goes to the
// first maximum.

struct Taken {
  template <typename T>
  T operator()(T left, T x, T maximum) const {
    return is_maximum(x, maximum) ? left : T{0};
  }
};

struct Left {
  template <typename T>
  T operator()(T left, T x, T maximum) const {
    return is_maximum(x, maximum) ? T{0} : left;
  }
};

template <typename F>
constexpr Elementwise ternary_kernels() {
  return {"maxPool2d", DTypeRule::kFloat, kernel::ternary<float, float, F>, kernel::ternary<double, double, F>};
}

constexpr Elementwise kTaken = ternary_kernels<Taken>();
constexpr Elementwise kLeft = ternary_kernels<Left>();

// Both ops have the attributes kernelSize, stride and padding first. `dilation`: of maxPool2d.
Windows windows_of(const Tensor& x, const Attributes& attributes, std::span<const std::int64_t> dilation,
                   const char* operation) {
  if (x.rank() != 3 && x.rank() != 4) {
    throw_error(ErrorCode::kShape,
                {operation, ": x needs the axes [samples,] channels, rows, columns, but is ", x.shape()});
  }
  const auto kernel = window_values(attributes.integers(0), 1, operation, "kernelSize");
  const Windows windows = make_windows(
      x.shape(), kernel, {attributes.integers(attributes.has(1) ? 1 : 0), attributes.integers(2), dilation}, operation);
  for (const WindowAxis& axis : windows) {
    // So that no window is nothing but padding.
    if (axis.padding > axis.kernel / 2) {
      throw_error(ErrorCode::kValue,
                  {operation, ": the padding ", axis.padding, " is more than half the kernel of size ", axis.kernel});
    }
  }
  return windows;
}

template <typename F>
void for_each_position(const Windows& windows, F&& f) {
  for (std::int64_t row = 0; row < windows[0].kernel; ++row) {
    for (std::int64_t column = 0; column < windows[1].kernel; ++column) f(row, column);
  }
}

Tensor max_pool(const OpCall& call) {
  const Windows windows = windows_of(call[0], call.attributes, call.attributes.integers(3), "maxPool2d");
  const Tensor x = padded(call.promoted(0), windows, -std::numeric_limits<double>::infinity());
  Tensor result = window_elements(x, windows, 0, 0);
  for_each_position(windows, [&](std::int64_t row, std::int64_t column) {
    result = maximum(result, window_elements(x, windows, row, column));
  });
  return result;
}

Gradients max_pool_gradient(Backward at) {
  const Windows windows = windows_of(at.inputs[0], at.attributes, at.attributes.integers(3), "maxPool2d");
  const Tensor x = padded(at.inputs[0], windows, -std::numeric_limits<double>::infinity());
  const Tensor gradient = Tensor::zeros(x.shape(), at.grad_output.dtype());
  Tensor left = at.grad_output;
  for_each_position(windows, [&](std::int64_t row, std::int64_t column) {
    const std::array<Tensor, 3> inputs{left, window_elements(x, windows, row, column), at.output};
    Tensor target = window_elements(gradient, windows, row, column);
    target.assign(add(target, run_kernels(kTaken, inputs)));
    left = run_kernels(kLeft, inputs);
  });
  return {unpadded(gradient, windows)};
}

constexpr std::int64_t kNoDilation[] = {1};
// Of a window_view: the elements of a window.
constexpr std::int64_t kWindowAxes[] = {-4, -3};

// By how many elements each window is divided: all of it, or those that are not padding.
Tensor divisors(const Tensor& x, const Windows& windows, bool counts_padding, DType dtype) {
  if (counts_padding) return Tensor::full({}, static_cast<double>(windows[0].kernel * windows[1].kernel), dtype);
  const Tensor ones = Tensor::full({x.shape()[x.rank() - 2], x.shape()[x.rank() - 1]}, 1, dtype);
  return sum(window_view(padded(ones, windows, 0), windows), kWindowAxes);
}

Tensor average_pool(const OpCall& call) {
  const Windows windows = windows_of(call[0], call.attributes, kNoDilation, "avgPool2d");
  const Tensor x = padded(call.promoted(0), windows, 0);
  const Tensor total = sum(window_view(x, windows), kWindowAxes);
  return div(total, divisors(call[0], windows, call.attributes.boolean(3), call.dtype));
}

Gradients average_pool_gradient(Backward at) {
  const Tensor& x = at.inputs[0];
  const Windows windows = windows_of(x, at.attributes, kNoDilation, "avgPool2d");
  const DType dtype = at.grad_output.dtype();
  const Tensor shares = div(at.grad_output, divisors(x, windows, at.attributes.boolean(3), dtype));
  Shape shape = x.shape();
  for (int i = 0; i < 2; ++i) shape[x.rank() - 2 + i] = windows[static_cast<std::size_t>(i)].padded();
  const Tensor gradient = Tensor::zeros(shape, dtype);
  for_each_position(windows, [&](std::int64_t row, std::int64_t column) {
    Tensor target = window_elements(gradient, windows, row, column);
    target.assign(add(target, shares));
  });
  return {unpadded(gradient, windows)};
}

constexpr OpEntry kOps[] = {
    {"maxPool2d(x; kernelSize: integers, stride: integers?, padding: integers = [0], dilation: integers = [1])",
     DTypeRule::kFloat, max_pool, max_pool_gradient},
    {"avgPool2d(x; kernelSize: integers, stride: integers?, padding: integers = [0], countIncludePad: boolean = true)",
     DTypeRule::kFloat, average_pool, average_pool_gradient, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> pooling_ops() { return kOps; }

}  // namespace minitensor
