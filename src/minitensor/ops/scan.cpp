// Ops for which the place of an element along an axis matters: running totals, and where the extremes are.
#include "minitensor/ops/scan.h"

#include <string>

#include "minitensor/ops/op_table.h"
#include "minitensor/ops/rows.h"
#include "minitensor/ops/shape_ops.h"

namespace minitensor {

namespace {

using Backward = const BackwardArguments&;

// One axis, or, when none is given, all of them, as if the tensor were flattened.
AxisSet axis_or_all(const Attributes& attributes, int rank, const char* operation) {
  if (!attributes.has(0)) return axis_set(std::nullopt, rank, operation);
  AxisSet set;
  set.set(static_cast<std::size_t>(normalize_axis(attributes.integer(0), rank, operation)));
  return set;
}

// The first of the largest or smallest elements; the first NaN where there is one.
template <typename T>
std::int64_t extreme_place(const T* row, std::int64_t length, bool is_max) {
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < length; ++i) {
    const T a = row[i];
    const T b = row[best];
    const bool is_first_nan = a != a && b == b;  // NOLINT(misc-redundant-expression): only NaN differs from itself
    if ((is_max ? a > b : a < b) || is_first_nan) best = i;
  }
  return best;
}

Tensor extreme_places(const OpCall& call, const char* name, bool is_max) {
  const Tensor& x = call[0];
  const AxisSet axes = axis_or_all(call.attributes, x.rank(), name);
  Tensor places = Tensor::empty(reduced_shape(x.shape(), axes, call.attributes.boolean(1)), DType::kInt64);
  if (places.size() == 0) return places;
  if (x.size() == 0) throw_no_elements(name, x.shape());
  const bool is_float = is_floating(x.dtype());
  const Tensor rows = to_rows(x, axes, is_float ? DType::kFloat64 : DType::kInt64);
  const std::int64_t length = rows.shape()[1];
  std::int64_t* out = places.data<std::int64_t>();
  for (std::int64_t i = 0; i < places.size(); ++i) {
    out[i] = is_float ? extreme_place(rows.data<double>() + i * length, length, is_max)
                      : extreme_place(rows.data<std::int64_t>() + i * length, length, is_max);
  }
  return places;
}

// Running totals of each row in place; integers modulo 2^64. Backwards: from the end.
template <typename T>
void scan_row(T* row, std::int64_t length, bool is_product, bool is_backwards) {
  const std::int64_t step = is_backwards ? -1 : 1;
  T* at = is_backwards ? row + length - 1 : row;
  for (std::int64_t i = 1; i < length; ++i, at += step) at[step] = is_product ? at[0] * at[step] : at[0] + at[step];
}

Tensor scan(const Tensor& x, const AxisSet& axes, bool is_product, bool is_backwards) {
  const bool is_float = is_floating(x.dtype());
  Tensor rows = to_rows(x, axes, is_float ? DType::kFloat64 : DType::kInt64);
  if (rows.shares_storage_with(x)) rows = rows.clone();
  const std::int64_t length = rows.shape()[1];
  void* data = rows.raw_data();
  for (std::int64_t done = 0; done < rows.size(); done += length) {
    if (is_float) {
      scan_row(static_cast<double*>(data) + done, length, is_product, is_backwards);
    } else {
      // Unsigned, since that wraps around by definition.
      scan_row(static_cast<std::uint64_t*>(data) + done, length, is_product, is_backwards);
    }
  }
  return rows;
}

Tensor running(const OpCall& call, const char* name, bool is_product) {
  const Tensor& x = call[0];
  const AxisSet axes = axis_or_all(call.attributes, x.rank(), name);
  const Tensor rows = scan(x, axes, is_product, false);
  const bool is_flat = !call.attributes.has(0);
  return (is_flat ? rows.view({x.size()}, {1}) : from_rows(rows, x.shape(), axes)).cast(call.dtype);
}

// Of p[j] = x[0] x[1] … x[j]: dx[i] = x[0] … x[i-1] times the sum over j >= i of g[j] x[i+1] … x[j]. No division, so
// that factors of 0 are no exception. `out` may not be x. With `only_last` g is one number, the gradient of the last p.
void products_gradient_row(const double* x, const double* g, bool only_last, double* out, std::int64_t length) {
  double before = 1;
  for (std::int64_t i = 0; i < length; ++i) {
    out[i] = before;
    before *= x[i];
  }
  double after = 0;
  for (std::int64_t i = length - 1; i >= 0; --i) {
    if (i + 1 < length) after *= x[i + 1];
    if (!only_last) after += g[i];
    if (only_last && i + 1 == length) after = *g;
    out[i] *= after;
  }
}

Tensor products_gradient(const Tensor& x, const Tensor& grad_rows, bool only_last, const AxisSet& axes) {
  const Tensor rows = to_rows(x, axes, DType::kFloat64);
  Tensor gradient = Tensor::empty(rows.shape(), DType::kFloat64);
  const std::int64_t length = rows.shape()[1];
  const double* g = grad_rows.data<double>();
  double* out = gradient.data<double>();
  for (std::int64_t done = 0; done < rows.size(); done += length) {
    products_gradient_row(rows.data<double>() + done, g, only_last, out + done, length);
    g += only_last ? 1 : length;
  }
  return from_rows(gradient, x.shape(), axes);
}

// Of an op that flattens, the gradient is flat.
Tensor grad_rows_of(Backward at, const char* name) {
  const Tensor& g = at.grad_output;
  return to_rows(g, axis_or_all(at.attributes, g.rank(), name), DType::kFloat64);
}

}  // namespace

Tensor product_gradient(const Tensor& x, const Tensor& grad_output, const AxisSet& axes) {
  return products_gradient(x, grad_output.cast(DType::kFloat64).contiguous(), true, axes);
}

namespace {

constexpr OpEntry kOps[] = {
    {"argmax(x; axis: integer?, keepDims: boolean = false)", DTypeRule::kIndices,
     [](const OpCall& call) { return extreme_places(call, "argmax", true); }},
    {"argmin(x; axis: integer?, keepDims: boolean = false)", DTypeRule::kIndices,
     [](const OpCall& call) { return extreme_places(call, "argmin", false); }},
    {"cumsum(x; axis: integer?)", DTypeRule::kTotal, [](const OpCall& call) { return running(call, "cumsum", false); },
     [](Backward at) -> Gradients {
       const Tensor& g = at.grad_output;
       const Shape& shape = at.inputs[0].shape();
       const Tensor rows = scan(g, axis_or_all(at.attributes, g.rank(), "cumsum"), false, true);
       return {from_rows(rows, shape, axis_or_all(at.attributes, shape.rank(), "cumsum"))};
     },
     kSaveNothing},
    {"cumprod(x; axis: integer?)", DTypeRule::kTotal, [](const OpCall& call) { return running(call, "cumprod", true); },
     [](Backward at) -> Gradients {
       const Tensor& x = at.inputs[0];
       return {products_gradient(x, grad_rows_of(at, "cumprod"), false, axis_or_all(at.attributes, x.rank(), ""))};
     },
     kSaveInputs},
};

}  // namespace

std::span<const OpEntry> scan_ops() { return kOps; }

}  // namespace minitensor
