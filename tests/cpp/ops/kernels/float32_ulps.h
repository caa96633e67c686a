#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace minitensor::test {

/// A float32 kernel and what it should compute.
struct Float32Kernel {
  const char* name;
  void (*kernel)(const float* x, float* out, std::size_t n);
  /// The C library's double function, or a formula of such functions: an independent source, with digits to spare.
  double (*reference)(double x);
  double bound;  ///< of the error, in ulp; docs/numerics.md states it
};

/// Every unary kernel.
std::span<const Float32Kernel> float32_kernels();

struct WorstError {
  double ulps = 0;  ///< infinite where one of result and reference is NaN, or an infinity, and the other is not
  float input = 0;
  float result = 0;
  double reference = 0;
  std::uint64_t hash = 0;  ///< of the bits of all results, NaN being one value

  std::string text() const;
};

/// The largest error over the floats with the bit patterns first, first + step, … up to last, in units of the last
/// place of the result (of a denormal float32 where the result is one).
WorstError worst_error(const Float32Kernel& kernel, std::uint32_t first, std::uint32_t last, std::uint32_t step);

/// The error of `result` in units of the last place of float32.
double error_in_ulps(float result, double reference);

}  // namespace minitensor::test
