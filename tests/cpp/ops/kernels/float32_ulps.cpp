#include "ops/kernels/float32_ulps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <vector>

#include "minitensor/ops/kernels/elementary.h"

namespace minitensor::test {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x f(x), in which f goes to 0 faster than x to -infinity.
double times(double x, double y) { return y == 0 ? std::copysign(0.0, x) : x * y; }

// musl gives numbers for some below -1.
double acosh(double x) { return x < 1 ? std::nan("") : std::acosh(x); }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return x > 40 ? x : std::log1p(std::exp(x)); }
double gelu(double x) { return times(x, std::erfc(-x / std::numbers::sqrt2) / 2); }
double silu(double x) { return times(x, sigmoid(x)); }
double mish(double x) { return times(x, std::tanh(softplus(x))); }

#define MT_OF_LIBM(name, bound)                                         \
  Float32Kernel {                                                       \
    #name, &kernels::name, [](double x) { return std::name(x); }, bound \
  }
#define MT_OF_FORMULA(name, bound) \
  Float32Kernel { #name, &kernels::name, &name, bound }

// Computed in double and rounded: half a unit, and a little more where that rounds twice.
constexpr double kRounded = 0.5001;

constexpr std::array kKernels{
    MT_OF_LIBM(exp, 1),          MT_OF_LIBM(expm1, kRounded),    MT_OF_LIBM(log, 1),
    MT_OF_LIBM(log1p, kRounded), MT_OF_LIBM(log2, kRounded),     MT_OF_LIBM(log10, kRounded),
    MT_OF_LIBM(sin, 0.51),       MT_OF_LIBM(cos, 0.51),          MT_OF_LIBM(tan, 0.51),
    MT_OF_LIBM(asin, kRounded),  MT_OF_LIBM(acos, kRounded),     MT_OF_LIBM(atan, kRounded),
    MT_OF_LIBM(sinh, kRounded),  MT_OF_LIBM(cosh, kRounded),     MT_OF_LIBM(tanh, 1.5),
    MT_OF_LIBM(asinh, kRounded), MT_OF_FORMULA(acosh, kRounded), MT_OF_LIBM(atanh, kRounded),
    MT_OF_LIBM(erf, 1.5),        MT_OF_LIBM(sqrt, kRounded),     MT_OF_FORMULA(rsqrt, kRounded),
    MT_OF_FORMULA(sigmoid, 2),   MT_OF_FORMULA(softplus, 2),     MT_OF_FORMULA(gelu, 2),
    MT_OF_FORMULA(silu, 2),      MT_OF_FORMULA(mish, 1.5),
};

#undef MT_OF_FORMULA
#undef MT_OF_LIBM

std::uint32_t canonical_bits(float x) { return std::isnan(x) ? 0x7fc00000 : std::bit_cast<std::uint32_t>(x); }

}  // namespace

std::span<const Float32Kernel> float32_kernels() { return kKernels; }

double error_in_ulps(float result, double reference) {
  const auto rounded = static_cast<float>(reference);
  if (std::isnan(rounded) || std::isnan(result)) return std::isnan(rounded) == std::isnan(result) ? 0 : kInfinity;
  // -0 and 0 are different results.
  if (rounded == 0 && result == 0) return std::signbit(rounded) == std::signbit(result) ? 0 : kInfinity;
  if (std::isinf(rounded) || std::isinf(result)) {
    if (rounded == result) return 0;
    // The largest float32 is infinity's neighbour.
    return std::fabs(std::isinf(rounded) ? result : rounded) == std::numeric_limits<float>::max() ? 1 : kInfinity;
  }
  const int exponent = reference == 0 ? -126 : std::max(std::ilogb(reference), -126);
  return std::fabs((result - reference) / std::ldexp(1.0, exponent - 23));
}

WorstError worst_error(const Float32Kernel& kernel, std::uint32_t first, std::uint32_t last, std::uint32_t step) {
  // Of a size that is no multiple of a vector's.
  std::vector<float> x(4099);
  std::vector<float> y(x.size());
  WorstError worst;
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  std::uint64_t bits = first;
  while (bits <= last) {
    std::size_t n = 0;
    for (; n < x.size() && bits <= last; bits += step) x[n++] = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    kernel.kernel(x.data(), y.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      hash = (hash ^ canonical_bits(y[i])) * 1099511628211U;
      const double reference = kernel.reference(x[i]);
      const double ulps = error_in_ulps(y[i], reference);
      if (ulps > worst.ulps) worst = {ulps, x[i], y[i], reference, 0};
    }
  }
  worst.hash = hash;
  return worst;
}

std::string WorstError::text() const {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), "%.4f ulp at %.9g (%a): %.9g instead of %.17g; hash %016llx", ulps,
                static_cast<double>(input), static_cast<double>(input), static_cast<double>(result), reference,
                static_cast<unsigned long long>(hash));
  return line.data();
}

}  // namespace minitensor::test
