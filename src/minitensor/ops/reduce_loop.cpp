#include "minitensor/ops/reduce_loop.h"

#include <algorithm>

#include "minitensor/tensor/convert.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

constexpr std::size_t kBlock = 512;  // elements combined by a kernel at once
constexpr std::size_t kColumns = 1024;
constexpr std::int64_t kRows = 64;
constexpr std::int64_t kMinWidth = 16;

// Axes with their strides in bytes, as a loop walks over them.
struct Axes {
  Shape sizes;
  Strides steps;

  std::int64_t count() const {
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) product *= size;
    return product;
  }

  // Joins the axis to the last one when they are one run of memory.
  void push_back(std::int64_t size, std::int64_t step) {
    if (size == 1) return;
    const int last = sizes.rank() - 1;
    if (last >= 0 && steps[last] == step * size) {
      sizes[last] *= size;
      steps[last] = step;
    } else {
      sizes.push_back(size);
      steps.push_back(step);
    }
  }

  // Where the element of this number, in row-major order, lies.
  std::int64_t offset(std::int64_t number) const {
    if (sizes.rank() == 1) return number * steps[0];
    std::int64_t result = 0;
    for (int axis = sizes.rank() - 1; axis >= 0; --axis) {
      result += number % sizes[axis] * steps[axis];
      number /= sizes[axis];
    }
    return result;
  }

  // The last axis, which is taken out: what a row or a column runs along.
  std::pair<std::int64_t, std::int64_t> take_last() {
    const int last = sizes.rank() - 1;
    if (last < 0) return {1, 0};
    const std::pair result{sizes[last], steps[last]};
    sizes = Shape(sizes.span().first(static_cast<std::size_t>(last)));
    steps = Strides(steps.span().first(static_cast<std::size_t>(last)));
    return result;
  }
};

// The loops for one type of totals: double or int64.
template <typename T>
class Reducer {
 public:
  Reducer(const Reduction& reduction, const Tensor& x)
      : reduction_(reduction), dtype_(x.dtype()), data_(static_cast<const std::byte*>(x.raw_data())) {}

  // Rows of memory (or strided ones), each reduced to a part; parts are combined in pairs.
  void rows(const Axes& kept, Axes reduced, T* totals) const {
    const auto [length, step] = reduced.take_last();
    const std::int64_t outer = reduced.count();
    const std::int64_t count = kept.count();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::byte* start = data_ + kept.offset(i);
      Parts parts(*this);
      for (std::int64_t j = 0; j < outer; ++j) row(start + reduced.offset(j), length, step, parts);
      totals[i] = parts.total();
    }
  }

  // Columns side by side: whole stretches of the innermost kept axis are combined at once.
  void columns(Axes kept, const Axes& reduced, T* totals) const {
    const auto [width, step] = kept.take_last();
    const std::int64_t outer = kept.count();
    const std::int64_t rows = reduced.count();
    std::int64_t levels = 1;
    while ((rows >> levels) >= kRows) ++levels;
    Tensor scratch = Tensor::empty({levels + 1, std::min<std::int64_t>(width, kColumns)}, kTotalDType);
    for (std::int64_t i = 0; i < outer; ++i) {
      const std::byte* start = data_ + kept.offset(i);
      for (std::int64_t done = 0; done < width; done += static_cast<std::int64_t>(kColumns)) {
        const std::size_t count = std::min(kColumns, static_cast<std::size_t>(width - done));
        stretch(start + done * step, step, reduced, 0, rows, totals, scratch.data<T>(), count);
        totals += count;
      }
    }
  }

 private:
  static constexpr DType kTotalDType = DTypeOf<T>::value;

  void fold(T* totals, const T* values, std::size_t count) const {
    if constexpr (std::is_same_v<T, double>) {
      reduction_.fold_f64(totals, values, count);
    } else {
      reduction_.fold_i64(totals, values, count);
    }
  }

  // Parts of a total, combined like the carries of a binary counter: every part goes through few combinations.
  class Parts {
   public:
    explicit Parts(const Reducer& reducer) : reducer_(reducer) {}

    void add(T part) {
      for (std::uint64_t carry = count_++; (carry & 1U) != 0; carry >>= 1U) {
        --used_;
        reducer_.fold(&parts_[used_], &part, 1);
        part = parts_[used_];
      }
      parts_[used_++] = part;
    }

    T total() {
      if (used_ == 0) return convert_element<T>(reducer_.reduction_.identity);
      while (used_ > 1) {
        --used_;
        reducer_.fold(&parts_[used_ - 1], &parts_[used_], 1);
      }
      return parts_[0];
    }

   private:
    const Reducer& reducer_;
    T parts_[64];
    int used_ = 0;
    std::uint64_t count_ = 0;
  };

  void row(const std::byte* start, std::int64_t length, std::int64_t step, Parts& parts) const {
    const auto size = static_cast<std::int64_t>(dtype_size(dtype_));
    T block[kBlock];
    for (std::int64_t done = 0; done < length; done += static_cast<std::int64_t>(kBlock)) {
      const std::size_t count = std::min(kBlock, static_cast<std::size_t>(length - done));
      const std::byte* source = start + done * step;
      if constexpr (std::is_same_v<T, double>) {
        if (reduction_.row_f32 != nullptr && dtype_ == DType::kFloat32 && step == size) {
          parts.add(reduction_.row_f32(reinterpret_cast<const float*>(source), count));
          continue;
        }
      }
      convert_elements(source, dtype_, step / size, block, kTotalDType, count);
      if constexpr (std::is_same_v<T, double>) {
        parts.add(reduction_.row_f64(block, count));
      } else {
        parts.add(reduction_.row_i64(block, count));
      }
    }
  }

  // Reduces the rows first to first + rows of `count` columns: halves first, which are then combined. `block`: `count`
  // elements for each time that the rows can be halved, and once more.
  void stretch(const std::byte* start, std::int64_t step, const Axes& reduced, std::int64_t first, std::int64_t rows,
               T* totals, T* block, std::size_t count) const {
    if (rows > kRows) {
      stretch(start, step, reduced, first, rows / 2, totals, block, count);
      stretch(start, step, reduced, first + rows / 2, rows - rows / 2, block, block + count, count);
      fold(totals, block, count);
      return;
    }
    const auto size = static_cast<std::int64_t>(dtype_size(dtype_));
    convert_elements(start + reduced.offset(first), dtype_, step / size, totals, kTotalDType, count);
    if constexpr (std::is_same_v<T, double>) {
      const bool is_fast = reduction_.fold_rows_f32 != nullptr && dtype_ == DType::kFloat32 && step == size;
      if (is_fast && rows > 1 && reduced.sizes.rank() == 1) {
        reduction_.fold_rows_f32(totals, reinterpret_cast<const float*>(start + reduced.offset(first + 1)),
                                 static_cast<std::ptrdiff_t>(reduced.steps[0] / size),
                                 static_cast<std::size_t>(rows - 1), count);
        return;
      }
    }
    for (std::int64_t i = 1; i < rows; ++i) {
      convert_elements(start + reduced.offset(first + i), dtype_, step / size, block, kTotalDType, count);
      fold(totals, block, count);
    }
  }

  const Reduction& reduction_;
  DType dtype_;
  const std::byte* data_;
};

template <typename T>
void reduce_into(const Reduction& reduction, const Tensor& x, const AxisSet& axes, T* totals) {
  Axes kept;
  Axes reduced;
  bool is_last_reduced = true;
  for (int axis = 0; axis < x.rank(); ++axis) {
    const bool is_reduced = axes[static_cast<std::size_t>(axis)];
    const std::int64_t step = x.strides()[axis] * static_cast<std::int64_t>(dtype_size(x.dtype()));
    (is_reduced ? reduced : kept).push_back(x.shape()[axis], step);
    if (x.shape()[axis] != 1) is_last_reduced = is_reduced;
  }
  const Reducer<T> reducer(reduction, x);
  const bool is_wide = kept.sizes.rank() > 0 && kept.sizes[kept.sizes.rank() - 1] >= kMinWidth;
  if (is_last_reduced || !is_wide) {
    reducer.rows(kept, reduced, totals);
  } else {
    reducer.columns(kept, reduced, totals);
  }
}

}  // namespace

AxisSet axis_set(const std::optional<std::span<const std::int64_t>>& axes, int rank, std::string_view operation) {
  AxisSet set;
  if (!axes) {
    for (int axis = 0; axis < rank; ++axis) set.set(static_cast<std::size_t>(axis));
    return set;
  }
  for (const std::int64_t given : *axes) {
    const auto axis = static_cast<std::size_t>(normalize_axis(given, rank, operation));
    if (set[axis]) {
      throw_error(ErrorCode::kShape, {operation, ": axis ", given, " is given twice"});
    }
    set.set(axis);
  }
  return set;
}

std::optional<std::span<const std::int64_t>> optional_axes(const Attributes& attributes, std::size_t index) {
  if (!attributes.has(index)) return std::nullopt;
  return attributes.integers(index);
}

Shape reduced_shape(const Shape& shape, const AxisSet& axes, bool keep_dims) {
  Shape result;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!axes[static_cast<std::size_t>(axis)]) {
      result.push_back(shape[axis]);
    } else if (keep_dims) {
      result.push_back(1);
    }
  }
  return result;
}

void throw_no_elements(std::string_view operation, const Shape& shape) {
  throw_error(ErrorCode::kValue,
              {operation, ": of no elements: the shape is ", shape, "; give an axis that is not empty"});
}

Tensor reduce(const Reduction& reduction, const Tensor& x, const AxisSet& axes, bool keep_dims,
              double (*finish)(double total, double count)) {
  const DType computed = computed_dtype(reduction.rule, x.dtype(), reduction.name);
  const Shape shape = reduced_shape(x.shape(), axes, keep_dims);
  const bool is_float = is_floating(computed);
  Tensor totals = Tensor::full(shape, reduction.identity, is_float ? DType::kFloat64 : DType::kInt64);
  if (x.size() == 0 && totals.size() > 0 && reduction.needs_elements) {
    throw_no_elements(reduction.name, x.shape());
  }
  if (x.size() > 0) {
    if (is_float) {
      reduce_into(reduction, x, axes, totals.data<double>());
    } else {
      reduce_into(reduction, x, axes, totals.data<std::int64_t>());
    }
  }
  if (finish != nullptr && totals.size() > 0) {
    double* values = totals.data<double>();
    const std::int64_t count = x.size() / totals.size();
    for (std::int64_t i = 0; i < totals.size(); ++i) values[i] = finish(values[i], static_cast<double>(count));
  }
  return totals.cast(result_dtype(reduction.rule, computed));
}

}  // namespace minitensor
