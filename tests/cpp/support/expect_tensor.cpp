#include "support/expect_tensor.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace minitensor::test {

namespace {

// Numbers of a floating-point type, in their order: neighbours differ by 1.
template <typename Int, typename T>
Int ordered_bits(T value) {
  const Int bits = std::bit_cast<Int>(value);
  return bits >= 0 ? bits : static_cast<Int>(-1 - (bits & std::numeric_limits<Int>::max()));
}

double rounded_to(double value, DType dtype) {
  return dtype == DType::kFloat32 ? static_cast<double>(static_cast<float>(value)) : value;
}

// With digits enough to tell any two numbers apart.
std::string shown(double value) {
  std::ostringstream stream;
  stream << std::setprecision(std::numeric_limits<double>::max_digits10) << value;
  return stream.str();
}

bool matches(double actual, double expected, DType dtype, Tolerance tolerance) {
  if (std::isnan(actual) || std::isnan(expected)) return std::isnan(actual) && std::isnan(expected);
  if (std::abs(actual - expected) <= tolerance.absolute && tolerance.absolute > 0) return true;
  // Beside an absolute tolerance, zeros have their sign and infinities are what they are.
  if (expected == 0 || std::isinf(expected) || std::isinf(actual)) {
    return actual == expected && std::signbit(actual) == std::signbit(expected);
  }
  return ulp_distance(actual, expected, dtype) <= tolerance.ulps;
}

}  // namespace

Nested::Nested(std::initializer_list<Nested> items) {
  shape_.push_back(static_cast<std::int64_t>(items.size()));
  if (items.size() == 0) return;
  const Shape& inner = items.begin()->shape_;
  for (const std::int64_t size : inner) shape_.push_back(size);
  for (const Nested& item : items) {
    if (item.shape_ != inner) throw std::logic_error("Nested: lists on one level differ in shape");
    values_.insert(values_.end(), item.values_.begin(), item.values_.end());
  }
}

std::int64_t ulp_distance(double a, double b, DType dtype) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) && std::isnan(b) ? 0 : std::numeric_limits<std::int64_t>::max();
  }
  if (dtype == DType::kFloat32) {
    const std::int64_t x = ordered_bits<std::int32_t>(static_cast<float>(a));
    const std::int64_t y = ordered_bits<std::int32_t>(static_cast<float>(b));
    return x < y ? y - x : x - y;
  }
  const auto x = ordered_bits<std::int64_t>(a);
  const auto y = ordered_bits<std::int64_t>(b);
  if ((x < 0) != (y < 0) && std::abs(a) + std::abs(b) > 1) return std::numeric_limits<std::int64_t>::max();
  return x < y ? y - x : x - y;
}

::testing::AssertionResult tensor_matches(const Tensor& actual, const Shape& shape, const std::vector<double>& values,
                                          Tolerance tolerance) {
  if (actual.shape() != shape) {
    return ::testing::AssertionFailure() << "the shape is " << to_string(actual.shape()) << ", expected "
                                         << to_string(shape);
  }
  const std::vector<double> elements = actual.to_vector();
  if (elements.size() != values.size()) {
    return ::testing::AssertionFailure() << "there are " << elements.size() << " elements, expected " << values.size();
  }
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  int wrong = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const double expected = rounded_to(values[i], actual.dtype());
    if (matches(elements[i], expected, actual.dtype(), tolerance)) continue;
    if (++wrong > 5) continue;
    failure << "element " << i << " is " << shown(elements[i]) << ", expected " << shown(expected) << " ("
            << ulp_distance(elements[i], expected, actual.dtype()) << " ulps apart)\n";
  }
  if (wrong == 0) return ::testing::AssertionSuccess();
  return failure << wrong << " of " << elements.size() << " elements are wrong";
}

::testing::AssertionResult tensors_equal(const Tensor& actual, const Tensor& expected, Tolerance tolerance) {
  if (actual.dtype() != expected.dtype()) {
    return ::testing::AssertionFailure() << "the dtype is " << dtype_name(actual.dtype()) << ", expected "
                                         << dtype_name(expected.dtype());
  }
  return tensor_matches(actual, expected.shape(), expected.to_vector(), tolerance);
}

}  // namespace minitensor::test
