// Sums of products: einsum, and dot and outer, which are written as such.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "minitensor/base/text.h"
#include "minitensor/ops/contraction.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using Backward = const BackwardArguments&;

// Labels are 0 to 51 for A to Z and a to z, in the order of their characters, which is the order of an output that is
// not given. The axes that an ellipsis stands for are counted from the last one, which is kEllipsisEnd - 1.
constexpr std::int64_t kLetters = 52;
constexpr std::int64_t kEllipsisEnd = kLetters + kMaxRank;

class Equation {
 public:
  Equation(std::string_view text, std::span<const Tensor> inputs) : text_(text) {
    for (const char c : text) {
      if (c != ' ') packed_ += c;
    }
    const std::size_t arrow = packed_.find("->");
    const std::string_view all(packed_);
    split_inputs(all.substr(0, arrow), inputs);
    if (arrow == std::string::npos) {
      implied_output();
    } else {
      given_output(all.substr(arrow + 2));
    }
  }

  Contraction contraction;

 private:
  [[noreturn]] void fail(const MessagePart& a, const MessagePart& b = "", const MessagePart& c = "",
                         const MessagePart& d = "", const MessagePart& e = "") const {
    throw_error(ErrorCode::kValue, {"einsum: equation ", quote(text_), ": ", a, b, c, d, e});
  }

  void split_inputs(std::string_view terms, std::span<const Tensor> inputs) {
    const std::int64_t count = std::count(terms.begin(), terms.end(), ',') + 1;
    if (count != std::ssize(inputs)) fail("has ", count, " terms for ", std::int64_t{std::ssize(inputs)}, " tensors");
    for (const Tensor& input : inputs) {
      const std::size_t comma = terms.find(',');
      contraction.inputs.push_back(labels_of(terms.substr(0, comma), &input));
      terms.remove_prefix(comma == std::string_view::npos ? terms.size() : comma + 1);
    }
  }

  std::int64_t label_of(char c) const {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return 26 + (c - 'a');
    fail(quote(std::string_view(&c, 1)), " is not a letter");
  }

  // Of an input: its ellipsis has the axes that are left over. Of the output: the most that an input's has.
  Dims labels_of(std::string_view term, const Tensor* input) {
    const std::size_t dots = term.find("...");
    const bool has_dots = dots != std::string_view::npos;
    const auto letters = static_cast<int>(term.size()) - (has_dots ? 3 : 0);
    const int rank = input != nullptr ? input->rank() : letters + (has_dots ? ellipsis_ : 0);
    if (has_dots ? letters > rank : letters != rank) {
      fail("term ", quote(term), " does not fit a tensor of rank ", std::int64_t{rank});
    }
    if (rank > kMaxRank) fail("the output has more than 8 axes");
    Dims labels;
    for (std::size_t i = 0; i < term.size(); ++i) {
      if (i == dots) {
        const int count = rank - letters;
        ellipsis_ = std::max(ellipsis_, count);
        for (int axis = 0; axis < count; ++axis) labels.push_back(kEllipsisEnd - count + axis);
        i += 2;
      } else {
        labels.push_back(label_of(term[i]));
      }
    }
    return labels;
  }

  int uses(std::int64_t label) const {
    std::int64_t count = 0;
    for (const Dims& labels : contraction.inputs) count += std::count(labels.begin(), labels.end(), label);
    return static_cast<int>(count);
  }

  // The ellipsis, and then the letters that occur once, in the order of their characters.
  void implied_output() {
    for (int axis = 0; axis < ellipsis_; ++axis) push_output(kEllipsisEnd - ellipsis_ + axis);
    for (std::int64_t label = 0; label < kLetters; ++label) {
      if (uses(label) == 1) push_output(label);
    }
  }

  void push_output(std::int64_t label) {
    if (contraction.output.rank() == kMaxRank) fail("the output has more than 8 axes");
    contraction.output.push_back(label);
  }

  void given_output(std::string_view term) {
    if (ellipsis_ > 0 && term.find("...") == std::string_view::npos) fail("the output must have the inputs' ellipsis");
    contraction.output = labels_of(term, nullptr);
    const Dims& output = contraction.output;
    for (const std::int64_t label : output) {
      if (uses(label) == 0) fail("the output has a letter that no input has");
      if (std::count(output.begin(), output.end(), label) > 1) fail("the output has a letter twice");
    }
  }

  std::string_view text_;
  std::string packed_;
  int ellipsis_ = 0;  // the most axes that one stands for
};

Contraction equation_of(const Attributes& attributes, std::span<const Tensor> inputs) {
  return Equation(attributes.string(0), inputs).contraction;
}

// NumPy's dot: the last axis of `a` runs together with the last but one of `b`, or with its only one. A number
// multiplies.
Contraction dot_of(const Tensor& a, const Tensor& b) {
  Contraction dot{{{}, {}}, {}};
  const int inner = std::max(b.rank() - 2, 0);
  const bool is_scaling = a.rank() == 0 || b.rank() == 0;
  if (!is_scaling && a.shape()[a.rank() - 1] != b.shape()[inner]) {
    throw_error(ErrorCode::kShape, {"dot: inner sizes differ: ", a.shape(), " x ", b.shape()});
  }
  if (!is_scaling && a.rank() + b.rank() - 2 > kMaxRank) {
    throw_error(ErrorCode::kShape, {"dot: the result would have more than 8 axes: ", a.shape(), " x ", b.shape()});
  }
  for (int axis = 0; axis < a.rank(); ++axis) {
    dot.inputs[0].push_back(axis);
    if (is_scaling || axis + 1 < a.rank()) dot.output.push_back(axis);
  }
  for (int axis = 0; axis < b.rank(); ++axis) {
    const bool is_inner = !is_scaling && axis == inner;
    dot.inputs[1].push_back(is_inner ? a.rank() - 1 : kMaxRank + axis);
    if (!is_inner) dot.output.push_back(kMaxRank + axis);
  }
  return dot;
}

// All elements, as a column or as a row.
Tensor column_of(const Tensor& x) { return reshape(x, std::array<std::int64_t, 2>{-1, 1}); }
Tensor row_of(const Tensor& x) { return reshape(x, std::array<std::int64_t, 1>{-1}); }

Gradients outer_gradient(Backward at) {
  const Tensor column = column_of(at.inputs[0]);
  const Tensor row = row_of(at.inputs[1]);
  const auto gradient = [&](std::size_t i, const Tensor& other, const Shape& shape) {
    if (!at.wants(i)) return Tensor();
    return reshape(sum_to_shape(mul(at.grad_output, other), shape), at.inputs[i].shape().span());
  };
  return {gradient(0, row, column.shape()), gradient(1, column, row.shape())};
}

constexpr OpEntry kOps[] = {
    {"dot(a, b)", DTypeRule::kAny,
     [](const OpCall& call) { return contract(dot_of(call[0], call[1]), call.inputs, call.dtype, "dot"); },
     [](Backward at) { return contraction_gradients(dot_of(at.inputs[0], at.inputs[1]), at, "dot"); }, kSaveInputs},
    {"outer(a, b)", DTypeRule::kAny, [](const OpCall& call) { return mul(column_of(call[0]), row_of(call[1])); },
     outer_gradient, kSaveInputs},
    {"einsum(...tensors; equation: string)", DTypeRule::kAny,
     [](const OpCall& call) {
       return contract(equation_of(call.attributes, call.inputs), call.inputs, call.dtype, "einsum");
     },
     [](Backward at) { return contraction_gradients(equation_of(at.attributes, at.inputs), at, "einsum"); },
     kSaveInputs},
};

}  // namespace

std::span<const OpEntry> einsum_ops() { return kOps; }

}  // namespace minitensor
