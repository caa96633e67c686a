#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "minitensor/ops/attributes.h"
#include "minitensor/ops/dtype_rule.h"
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
  double (*row_f32)(const float* values, std::size_t count);
  double (*row_f64)(const double* values, std::size_t count);
  std::int64_t (*row_i64)(const std::int64_t* values, std::size_t count);
  /// totals[i] becomes the combination of totals[i] and values[i].
  void (*fold_f64)(double* totals, const double* values, std::size_t count);
  void (*fold_i64)(std::int64_t* totals, const std::int64_t* values, std::size_t count);
  /// For max and min: no elements are an error.
  bool needs_elements = false;
};

/// Throws kValue for a reduction that has no result without elements.
[[noreturn]] void throw_no_elements(std::string_view operation, const Shape& shape);

/// `finish`, unless null, makes the result of the combination of `count` elements.
Tensor reduce(const Reduction& reduction, const Tensor& x, const AxisSet& axes, bool keep_dims,
              double (*finish)(double total, double count) = nullptr);

namespace kernel {

template <typename T, typename Accumulator, typename F>
Accumulator row(const T* values, std::size_t count) {
  // Several at a time, which the processor can do at once.
  constexpr std::size_t kLanes = 8;
  if (count < 2 * kLanes) {
    Accumulator total = static_cast<Accumulator>(values[0]);
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
  for (; i < count; ++i) totals[0] = F()(totals[0], static_cast<Accumulator>(values[i]));
  return totals[0];
}

template <typename T, typename F>
void fold(T* totals, const T* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) totals[i] = F()(totals[i], values[i]);
}

}  // namespace kernel

/// A Reduction by one associative function object: F()(total, value).
template <typename F>
constexpr Reduction make_reduction(const char* name, DTypeRule rule, double identity, bool needs_elements = false) {
  return {name,
          rule,
          identity,
          kernel::row<float, double, F>,
          kernel::row<double, double, F>,
          kernel::row<std::int64_t, std::int64_t, F>,
          kernel::fold<double, F>,
          kernel::fold<std::int64_t, F>,
          needs_elements};
}

}  // namespace minitensor
