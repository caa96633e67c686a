#include <algorithm>
#include <array>

#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/matmul.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/ops/windows.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

// The most elements of the windows that are laid out as a matrix at a time.
constexpr std::int64_t kScratch = std::int64_t{1} << 18;

Tensor shaped(const Tensor& x, std::initializer_list<std::int64_t> shape) {
  return reshape(x, std::span(shape.begin(), shape.size()));
}

// A convolution as matrix products: the windows of one sample are the columns of a matrix, which the weights, a matrix
// for each group of channels, are multiplied with (K. Chellapilla, S. Puri and P. Simard, High performance
// convolutional neural networks for document processing, 2006). Of a large sample only some rows of windows are laid
// out at a time.
class Convolution {
 public:
  Convolution(const Tensor& x, const Tensor& weight, const Attributes& attributes, bool is_flat);

  Tensor forward() const;
  Tensor input_gradient(const Tensor& output_gradient) const;
  Tensor weight_gradient(const Tensor& output_gradient) const;
  std::int64_t output_channels() const { return weight_.shape()[0]; }

 private:
  struct Block {
    std::int64_t sample;
    std::int64_t row;
    std::int64_t rows;
  };

  template <typename F>
  void for_each_block(F&& f) const;
  Shape output_shape() const { return {x_.shape()[0], output_channels(), windows_[0].count, windows_[1].count}; }
  // [groups, elements of a window in a group, windows]
  Tensor columns(const Tensor& all_windows, const Block& block) const;
  // Of an output: [groups, channels of a group, windows]
  Tensor outputs(const Tensor& output, const Block& block) const;
  Tensor output_rows(const Tensor& output, const Block& block) const;

  Tensor x_;
  Tensor weight_;    // [channels, channels of a group, kernel, kernel]
  Tensor matrices_;  // [groups, channels of a group, elements of a window in a group]
  std::int64_t groups_;
  Windows windows_{};
};

// With an axis of size 1 before the last one.
Tensor with_flat_axis(const Tensor& x) {
  Shape shape = x.shape();
  shape.push_back(shape[shape.rank() - 1]);
  shape[shape.rank() - 2] = 1;
  return reshape(x, shape.span());
}

const char* name_of(bool is_flat) { return is_flat ? "conv1d" : "conv2d"; }

[[noreturn]] void throw_shapes(bool is_flat, const char* before, std::int64_t number, const char* after,
                               const Tensor& x, const Tensor& weight) {
  throw_error(ErrorCode::kShape,
              {name_of(is_flat), ": ", before, number, after, ": x is ", x.shape(), ", weight ", weight.shape()});
}

Convolution::Convolution(const Tensor& x, const Tensor& weight, const Attributes& attributes, bool is_flat)
    : groups_(attributes.integer(3)) {
  const int rank = is_flat ? 3 : 4;
  if (x.rank() != rank || weight.rank() != rank) {
    throw_shapes(is_flat, "both need ", rank, " axes", x, weight);
  }
  if (groups_ < 1 || x.shape()[1] % groups_ != 0 || weight.shape()[0] % groups_ != 0) {
    throw_shapes(is_flat, "the channels cannot be divided into ", groups_, " groups", x, weight);
  }
  if (x.shape()[1] / groups_ != weight.shape()[1]) {
    throw_shapes(is_flat, "the weights must be for ", x.shape()[1] / groups_, " channels of x", x, weight);
  }
  x_ = is_flat ? with_flat_axis(x) : x;
  weight_ = is_flat ? with_flat_axis(weight) : weight;
  const Shape& kernel = weight_.shape();
  windows_ =
      make_windows(x_.shape(), {kernel[2], kernel[3]},
                   {attributes.integers(0), attributes.integers(1), attributes.integers(2), is_flat}, name_of(is_flat));
  matrices_ = shaped(weight_, {groups_, kernel[0] / groups_, kernel[1] * kernel[2] * kernel[3]});
}

template <typename F>
void Convolution::for_each_block(F&& f) const {
  const std::int64_t row_size = groups_ * matrices_.shape()[2] * windows_[1].count;
  const std::int64_t most = std::max<std::int64_t>(kScratch / std::max<std::int64_t>(row_size, 1), 1);
  for (std::int64_t sample = 0; sample < x_.shape()[0]; ++sample) {
    for (std::int64_t row = 0; row < windows_[0].count; row += most) {
      f(Block{sample, row, std::min(most, windows_[0].count - row)});
    }
  }
}

Tensor Convolution::columns(const Tensor& all_windows, const Block& block) const {
  const Shape& shape = all_windows.shape();
  const Strides& strides = all_windows.strides();
  const Tensor rows =
      all_windows.view({shape[1], shape[2], shape[3], block.rows, shape[5]}, Strides(strides.span().subspan(1)),
                       block.sample * strides[0] + block.row * strides[4]);
  return shaped(rows, {groups_, matrices_.shape()[2], block.rows * shape[5]});
}

Tensor Convolution::output_rows(const Tensor& output, const Block& block) const {
  const Strides& strides = output.strides();
  return output.view({output_channels(), block.rows, windows_[1].count}, Strides(strides.span().subspan(1)),
                     block.sample * strides[0] + block.row * strides[2]);
}

Tensor Convolution::outputs(const Tensor& output, const Block& block) const {
  return shaped(output_rows(output, block), {groups_, output_channels() / groups_, block.rows * windows_[1].count});
}

Tensor Convolution::forward() const {
  const Tensor all_windows = window_view(padded(x_, windows_, 0), windows_);
  const Tensor result = Tensor::empty(output_shape(), x_.dtype());
  for_each_block([&](const Block& block) {
    Tensor rows = output_rows(result, block);
    rows.assign(reshape(matmul(matrices_, columns(all_windows, block)), rows.shape().span()));
  });
  return result;
}

constexpr std::int64_t kSwapped[] = {0, 2, 1};

// What each element of x was multiplied with goes back to it, from every window that it is in.
Tensor Convolution::input_gradient(const Tensor& output_gradient) const {
  const Shape& shape = x_.shape();
  const Tensor result =
      Tensor::zeros({shape[0], shape[1], windows_[0].padded(), windows_[1].padded()}, output_gradient.dtype());
  const Tensor transposed = transpose(matrices_, kSwapped);
  for_each_block([&](const Block& block) {
    const std::int64_t width = windows_[1].count;
    const Tensor columns = shaped(matmul(transposed, outputs(output_gradient, block)),
                                  {shape[1], windows_[0].kernel, windows_[1].kernel, block.rows, width});
    const Strides& steps = columns.strides();
    for (std::int64_t row = 0; row < windows_[0].kernel; ++row) {
      for (std::int64_t column = 0; column < windows_[1].kernel; ++column) {
        const Tensor elements = window_elements(result, windows_, row, column);
        const Strides& strides = elements.strides();
        Tensor target = elements.view({shape[1], block.rows, width}, Strides(strides.span().subspan(1)),
                                      block.sample * strides[0] + block.row * strides[2]);
        target.assign(add(
            target, columns.view(target.shape(), {steps[0], steps[3], steps[4]}, row * steps[1] + column * steps[2])));
      }
    }
  });
  return unpadded(result, windows_);
}

Tensor Convolution::weight_gradient(const Tensor& output_gradient) const {
  const Tensor all_windows = window_view(padded(x_, windows_, 0), windows_);
  Tensor result = Tensor::zeros(matrices_.shape(), output_gradient.dtype());
  for_each_block([&](const Block& block) {
    result = add(result, matmul(outputs(output_gradient, block), transpose(columns(all_windows, block), kSwapped)));
  });
  return result;
}

Tensor convolve(const OpCall& call, bool is_flat) {
  const Convolution convolution(call.promoted(0), call.promoted(1), call.attributes, is_flat);
  Tensor result = convolution.forward();
  if (call.has(2)) {
    const std::int64_t channels = convolution.output_channels();
    if (call[2].shape() != Shape{channels}) {
      throw_error(ErrorCode::kShape,
                  {name_of(is_flat), ": the bias must be of shape ", Shape{channels}, ", not ", call[2].shape()});
    }
    result = add(result, shaped(call.promoted(2), {channels, 1, 1}));
  }
  if (!is_flat) return result;
  return shaped(result, {result.shape()[0], result.shape()[1], result.shape()[3]});
}

Gradients convolve_gradient(const BackwardArguments& at, bool is_flat) {
  const DType dtype = at.grad_output.dtype();
  const Convolution convolution(at.inputs[0].cast(dtype), at.inputs[1].cast(dtype), at.attributes, is_flat);
  const Tensor g = is_flat ? with_flat_axis(at.grad_output) : at.grad_output;
  Gradients gradients(at.inputs.size());
  if (at.wants(0)) gradients[0] = reshape(convolution.input_gradient(g), at.inputs[0].shape().span());
  if (at.wants(1)) gradients[1] = reshape(convolution.weight_gradient(g), at.inputs[1].shape().span());
  if (at.inputs.size() > 2 && at.inputs[2].is_defined() && at.wants(2)) {
    constexpr std::int64_t kAllButChannels[] = {0, 2, 3};
    gradients[2] = sum(g, kAllButChannels);
  }
  return gradients;
}

constexpr OpEntry kOps[] = {
    {"conv1d(x, weight, bias?; stride: integers = [1], padding: integers = [0], dilation: integers = [1], "
     "groups: integer = 1)",
     DTypeRule::kFloat, [](const OpCall& call) { return convolve(call, true); },
     [](const BackwardArguments& at) { return convolve_gradient(at, true); }, kSaveInputs},
    {"conv2d(x, weight, bias?; stride: integers = [1], padding: integers = [0], dilation: integers = [1], "
     "groups: integer = 1)",
     DTypeRule::kFloat, [](const OpCall& call) { return convolve(call, false); },
     [](const BackwardArguments& at) { return convolve_gradient(at, false); }, kSaveInputs},
};

}  // namespace

std::span<const OpEntry> convolution_ops() { return kOps; }

}  // namespace minitensor
