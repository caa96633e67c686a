#include "minitensor/ops/creation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "minitensor/base/number_text.h"
#include "minitensor/ops/chain_rule.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

constexpr double kLargestCount = 9007199254740992;  // 2^53

// Throws kValue for a value that a dtype of integers does not hold. Fractions are cut off, as by a cast.
void require_fit(const char* operation, double value, DType dtype) {
  if (!is_integer(dtype)) return;
  const double whole = std::trunc(value);
  if (whole >= -0x1p63 && whole < 0x1p63) {
    const auto integer = static_cast<std::int64_t>(whole);
    if (holds(dtype, integer, integer + 1)) return;
  }
  throw_error(ErrorCode::kValue, {operation, ": ", number_text(value), " does not fit ", dtype_name(dtype)});
}

Tensor filled(const char* operation, const Shape& shape, double value, DType dtype) {
  require_fit(operation, value, dtype);
  element_count(shape, operation);
  return Tensor::full(shape, value, dtype);
}

// start + i step for each i, in float64.
Tensor progression(const char* operation, double start, double step, std::int64_t count) {
  Tensor result = empty_for(operation, Shape{count}, DType::kFloat64);
  double* elements = result.data<double>();
  for (std::int64_t i = 0; i < count; ++i) elements[i] = start + static_cast<double>(i) * step;
  return result;
}

// A copy of the elements of each row from `first(row)` up to `end(row)`, zeros beside them.
template <typename Range>
Tensor band(const char* operation, const Tensor& x, Range range) {
  if (x.rank() < 2) {
    throw Error(ErrorCode::kShape,
                std::string(operation) + ": takes matrices, not a tensor of shape " + to_string(x.shape()));
  }
  const std::int64_t rows = x.shape()[x.rank() - 2];
  const std::int64_t columns = x.shape()[x.rank() - 1];
  Tensor result = Tensor::zeros(x.shape(), x.dtype());
  if (x.size() == 0) return result;
  const Tensor source = x.contiguous();
  const auto size = static_cast<std::int64_t>(dtype_size(x.dtype()));
  const auto* from = static_cast<const std::byte*>(source.raw_data());
  auto* to = static_cast<std::byte*>(result.raw_data());
  for (std::int64_t row = 0; row < x.size() / columns; ++row) {
    const auto [first, end] = range(row % rows, columns);
    const std::int64_t offset = (row * columns + first) * size;
    if (first < end) std::memcpy(to + offset, from + offset, static_cast<std::size_t>((end - first) * size));
  }
  return result;
}

struct Span {
  std::int64_t first;
  std::int64_t end;
};

}  // namespace

Tensor empty_for(const char* operation, const Shape& shape, DType dtype) {
  element_count(shape, operation);
  return Tensor::empty(shape, dtype);
}

bool holds(DType dtype, std::int64_t low, std::int64_t high) {
  const auto same = [dtype](std::int64_t value) {
    return Tensor::from<std::int64_t>({value}, {}).cast(dtype).cast(DType::kInt64).data<std::int64_t>()[0] == value;
  };
  return same(low) && same(high - 1);
}

Tensor arange(double start, double stop, double step, DType dtype) {
  const double count = std::ceil((stop - start) / step);
  if (step == 0 || !std::isfinite(start + step + count) || count > kLargestCount) {
    throw Error(ErrorCode::kValue, step == 0 ? "arange: the step is 0"
                                             : "arange: start, stop and step must be finite, and at most 2^53 steps");
  }
  if (count > 0) {
    require_fit("arange", start, dtype);
    require_fit("arange", start + (count - 1) * step, dtype);
  }
  return progression("arange", start, step, static_cast<std::int64_t>(std::max(count, 0.0))).cast(dtype);
}

Tensor linspace(double start, double stop, std::int64_t count, bool endpoint, DType dtype) {
  if (count < 0) throw Error(ErrorCode::kValue, "linspace: the count is negative: " + std::to_string(count));
  require_fit("linspace", start, dtype);
  require_fit("linspace", stop, dtype);
  const std::int64_t steps = endpoint ? count - 1 : count;
  Tensor result = progression("linspace", start, steps > 0 ? (stop - start) / static_cast<double>(steps) : 0, count);
  double* elements = result.data<double>();
  if (endpoint && count > 1) elements[count - 1] = stop;
  for (std::int64_t i = 0; !is_floating(dtype) && i < count; ++i) elements[i] = std::floor(elements[i]);
  return result.cast(dtype);
}

Tensor eye(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype) {
  Tensor result = filled("eye", Shape{rows, columns}, 0, DType::kUInt8);
  auto* elements = result.data<std::uint8_t>();
  // Clamped, so that nothing below overflows.
  k = std::clamp(k, -rows, columns);
  for (std::int64_t row = std::max<std::int64_t>(0, -k); row < std::min(rows, columns - k); ++row) {
    elements[row * columns + row + k] = 1;
  }
  return result.cast(dtype);
}

Tensor tril(const Tensor& x, std::int64_t k) {
  return band("tril", x, [k](std::int64_t row, std::int64_t columns) {
    return Span{0, std::clamp<std::int64_t>(row + k + 1, 0, columns)};
  });
}

Tensor triu(const Tensor& x, std::int64_t k) {
  return band("triu", x, [k](std::int64_t row, std::int64_t columns) {
    return Span{std::clamp<std::int64_t>(row + k, 0, columns), columns};
  });
}

namespace {

using Backward = const BackwardArguments&;

// Of an op `…Like`: of x's shape, of the dtype that the attribute gives, or x's.
Tensor filled_like(const OpCall& call, double value, std::size_t dtype) {
  const Attributes& at = call.attributes;
  return filled("fullLike", call[0].shape(), value, at.has(dtype) ? at.dtype(dtype) : call[0].dtype());
}

constexpr OpEntry kOps[] = {
    {"zeros(; shape: integers, dtype: dtype = float32)", DTypeRule::kFree,
     [](const OpCall& call) { return filled("zeros", call.shape(0), 0, call.attributes.dtype(1)); }},
    {"ones(; shape: integers, dtype: dtype = float32)", DTypeRule::kFree,
     [](const OpCall& call) { return filled("ones", call.shape(0), 1, call.attributes.dtype(1)); }},
    {"full(; shape: integers, value: number, dtype: dtype = float32)", DTypeRule::kFree,
     [](const OpCall& call) {
       return filled("full", call.shape(0), call.attributes.number(1), call.attributes.dtype(2));
     }},
    {"zerosLike(x; dtype: dtype?)", DTypeRule::kAny, [](const OpCall& call) { return filled_like(call, 0, 0); },
     zero_gradient, kSaveNothing},
    {"onesLike(x; dtype: dtype?)", DTypeRule::kAny, [](const OpCall& call) { return filled_like(call, 1, 0); },
     zero_gradient, kSaveNothing},
    {"fullLike(x; value: number, dtype: dtype?)", DTypeRule::kAny,
     [](const OpCall& call) { return filled_like(call, call.attributes.number(0), 1); }, zero_gradient, kSaveNothing},
    {"arange(; start: number, stop: number?, step: number = 1, dtype: dtype = float32)", DTypeRule::kFree,
     [](const OpCall& call) {
       const Attributes& at = call.attributes;
       const double first = at.number(0);
       return at.has(1) ? arange(first, at.number(1), at.number(2), at.dtype(3))
                        : arange(0, first, at.number(2), at.dtype(3));
     }},
    {"linspace(; start: number, stop: number, num: integer = 50, dtype: dtype = float32, endpoint: boolean = true)",
     DTypeRule::kFree,
     [](const OpCall& call) {
       const Attributes& at = call.attributes;
       return linspace(at.number(0), at.number(1), at.integer(2), at.boolean(4), at.dtype(3));
     }},
    {"eye(; n: integer, m: integer?, k: integer = 0, dtype: dtype = float32)", DTypeRule::kFree,
     [](const OpCall& call) {
       const Attributes& at = call.attributes;
       return eye(at.integer(0), at.integer(at.has(1) ? 1 : 0), at.integer(2), at.dtype(3));
     }},
    {"tril(x; k: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return tril(call[0], call.attributes.integer(0)); },
     [](Backward at) -> Gradients { return {tril(at.grad_output, at.attributes.integer(0))}; }, kSaveNothing},
    {"triu(x; k: integer = 0)", DTypeRule::kAny,
     [](const OpCall& call) { return triu(call[0], call.attributes.integer(0)); },
     [](Backward at) -> Gradients { return {triu(at.grad_output, at.attributes.integer(0))}; }, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> creation_ops() { return kOps; }

}  // namespace minitensor
