#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "minitensor/ops/attributes.h"
#include "minitensor/ops/dtype_rule.h"
#include "minitensor/ops/kernels/loop.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// A set of axes, counted from the front.
using AxisSet = std::bitset<kMaxRank>;

/// Axes by NumPy's rule: none given are all; an empty list is no axis. Throws kShape, in the name of `operation`, for
/// one that is out of range or given twice.
AxisSet axis_set(const std::optional<std::span<const std::int64_t>>& axes, int rank, std::string_view operation);

/// The axes that an optional attribute `axis` of integers gives.
std::optional<std::span<const std::int64_t>> optional_axes(const Attributes& attributes, std::size_t index);

/// The shape without the axes of the set; or, kept, with size 1 in their place.
Shape reduced_shape(const Shape& shape, const AxisSet& axes, bool keep_dims);

/// Combines the elements along axes into one. Floating-point elements are combined as doubles, and the result is
/// rounded once; integers as int64. Parts are combined in pairs, so that the error of a sum grows with the logarithm of
/// the length (Higham, The Accuracy of Floating Point Summation, 1993).
struct Reduction {
  const char* name;
  DTypeRule rule;
  double identity;  ///< what no elements give; an integer as well, where integers are taken
  /// Of `count` elements, at least one, that lie one behind the other.
  double (*row_f32)(const float* values, std::size_t count);  ///< null where float32 is not worth it
  double (*row_f64)(const double* values, std::size_t count);
  std::int64_t (*row_i64)(const std::int64_t* values, std::size_t count);
  /// totals[i] becomes the combination of totals[i] and values[i].
  void (*fold_f64)(double* totals, const double* values, std::size_t count);
  void (*fold_i64)(std::int64_t* totals, const std::int64_t* values, std::size_t count);
  /// The same with the first `count` elements of each of `rows` rows, one row after the other, which begin `step`
  /// elements apart. Null likewise.
  void (*fold_rows_f32)(double* totals, const float* values, std::ptrdiff_t step, std::size_t rows, std::size_t count);
  /// For max and min: no elements are an error.
  bool needs_elements = false;
};

/// Throws kValue for a reduction that has no result without elements.
[[noreturn]] void throw_no_elements(std::string_view operation, const Shape& shape);

/// `finish`, unless null, makes the result of the combination of `count` elements.
Tensor reduce(const Reduction& reduction, const Tensor& x, const AxisSet& axes, bool keep_dims,
              double (*finish)(double total, double count) = nullptr);

namespace kernel {

struct Plus {
  double operator()(double a, double b) const { return a + b; }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
};

// `kIsFast`: several at a time, which the processor can do at once.
template <typename T, typename Accumulator, typename F, bool kIsFast = true>
Accumulator row(const T* values, std::size_t count) {
  constexpr std::size_t kLanes = 8;
  if (!kIsFast || std::is_integral_v<Accumulator> || count < 2 * kLanes) {
    Accumulator total = static_cast<Accumulator>(values[0]);
    MT_COMPACT
    for (std::size_t i = 1; i < count; ++i) total = F()(total, static_cast<Accumulator>(values[i]));
    return total;
  }
  Accumulator totals[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) totals[lane] = static_cast<Accumulator>(values[lane]);
  std::size_t i = kLanes;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      totals[lane] = F()(totals[lane], static_cast<Accumulator>(values[i + lane]));
    }
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) totals[lane] = F()(totals[lane], totals[lane + half]);
  }
  MT_COMPACT
  for (; i < count; ++i) totals[0] = F()(totals[0], static_cast<Accumulator>(values[i]));
  return totals[0];
}

template <typename T, typename F>
void fold(T* totals, const T* values, std::size_t count) {
  if constexpr (std::is_integral_v<T>) {
    MT_COMPACT
    for (std::size_t i = 0; i < count; ++i) totals[i] = F()(totals[i], values[i]);
  } else {
    for (std::size_t i = 0; i < count; ++i) totals[i] = F()(totals[i], values[i]);
  }
}

template <typename F, typename Accumulator>
double row_f32(const float* values, std::size_t count) {
  return static_cast<double>(row<float, Accumulator, F>(values, count));
}

// Four rows at a time, so that totals are read and written less often.
template <typename F>
void fold_rows(double* totals, const float* values, std::ptrdiff_t step, std::size_t rows, std::size_t count) {
  F f;
  std::size_t row = 0;
  for (; row + 4 <= rows; row += 4, values += 4 * step) {
    MT_VECTORIZE
    for (std::size_t i = 0; i < count; ++i) {
      const float* column = values + i;
      const double two = f(f(totals[i], static_cast<double>(column[0])), static_cast<double>(column[step]));
      totals[i] = f(f(two, static_cast<double>(column[2 * step])), static_cast<double>(column[3 * step]));
    }
  }
  for (; row < rows; ++row, values += step) {
    MT_VECTORIZE
    for (std::size_t i = 0; i < count; ++i) totals[i] = f(totals[i], static_cast<double>(values[i]));
  }
}

}  // namespace kernel

/// A Reduction by one associative function object: F()(total, value). `kIsFast`: for float32 along any axes, of
/// which a row is combined in Accumulator.
template <typename F, bool kIsFast = false, typename Accumulator = double>
constexpr Reduction make_reduction(const char* name, DTypeRule rule, double identity, bool needs_elements = false) {
  return {name,
          rule,
          identity,
          kIsFast ? kernel::row_f32<F, Accumulator> : nullptr,
          kernel::row<double, double, F, kIsFast>,
          kernel::row<std::int64_t, std::int64_t, F>,
          kernel::fold<double, F>,
          kernel::fold<std::int64_t, F>,
          kIsFast ? kernel::fold_rows<F> : nullptr,
          needs_elements};
}

}  // namespace minitensor
