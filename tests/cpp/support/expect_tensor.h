#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "minitensor/tensor/tensor.h"

namespace minitensor::test {

/// Expected elements as nested lists: Nested{{1, 2}, {3, 4}} has shape [2,2], Nested(5) has shape [].
class Nested {
 public:
  Nested() : shape_{0} {}
  Nested(double value) : values_{value} {}  // NOLINT(google-explicit-constructor): numbers stand in nested lists
  Nested(std::initializer_list<Nested> items);

  const Shape& shape() const { return shape_; }
  const std::vector<double>& values() const { return values_; }

 private:
  Shape shape_;
  std::vector<double> values_;
};

/// How far an element may be from what is expected.
struct Tolerance {
  double absolute = 0;
  std::int64_t ulps = 0;  ///< in units of the tensor's dtype
};

/// Units in the last place between two numbers of this dtype; 1 between -0 and 0; huge when just one is NaN.
std::int64_t ulp_distance(double a, double b, DType dtype);

/// Whether `actual` has this shape and these elements, in row-major order. They are rounded to its dtype first. NaN is
/// equal to NaN; with no tolerance, -0 is not equal to 0.
::testing::AssertionResult tensor_matches(const Tensor& actual, const Shape& shape, const std::vector<double>& values,
                                          Tolerance tolerance = {});

inline ::testing::AssertionResult tensor_matches(const Tensor& actual, const Nested& expected,
                                                 Tolerance tolerance = {}) {
  return tensor_matches(actual, expected.shape(), expected.values(), tolerance);
}

/// Whether two tensors have the same shape, dtype and elements, as tensor_matches compares them.
::testing::AssertionResult tensors_equal(const Tensor& actual, const Tensor& expected, Tolerance tolerance = {});

}  // namespace minitensor::test

// The last arguments are the expected elements as nested lists, or one number in parentheses for a 0-D tensor:
//   EXPECT_TENSOR_EQ(matmul(a, b), {{19, 22}, {43, 50}});
//   EXPECT_TENSOR_EQ(sum(a), (10));

/// The same elements, exactly; see tensor_matches.
#define EXPECT_TENSOR_EQ(actual, ...) \
  EXPECT_TRUE(::minitensor::test::tensor_matches(actual, ::minitensor::test::Nested __VA_ARGS__)) << #actual

/// The same elements within an absolute tolerance.
#define EXPECT_TENSOR_NEAR(actual, absolute, ...)                                                                  \
  EXPECT_TRUE(::minitensor::test::tensor_matches(actual, ::minitensor::test::Nested __VA_ARGS__, {(absolute), 0})) \
      << #actual

/// The same elements within a number of units in the last place.
#define EXPECT_TENSOR_ULPS(actual, ulps, ...)                                                                  \
  EXPECT_TRUE(::minitensor::test::tensor_matches(actual, ::minitensor::test::Nested __VA_ARGS__, {0, (ulps)})) \
      << #actual
