// sin and cos of float32, computed in double.
#include <bit>
#include <cmath>
#include <cstdint>

#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/kernels/loop.h"

namespace minitensor::kernels {

namespace {

struct Constants {
  // x = k pi / 2 + r (Cody and Waite, Software Manual for the Elementary Functions, 1980)
  double two_over_pi = 0.6366197723675814;
  double round = 6755399441055744.0;         // 1.5 * 2^52: a number added to it is rounded to an integer
  double half_pi_high = 1.5707963109016418;  // 25 bits: its product with k is exact
  double half_pi_low = 1.5893254773528197e-08;
  double one = 1.0;
  double half = 0.5;
  std::int64_t one_bit = 1;
  std::int64_t two_bit = 2;
  std::int64_t zero = 0;
  // Polynomials are from tools/numerics/minimax.py: (sin(r) / r - 1) / r^2 in r^2
  double s0 = -0.16666666640776256;
  double s1 = 0.0083333293024248824;
  double s2 = -0.00019839311487856198;
  double s3 = 2.7181141371685606e-06;
  // (cos(r) - 1 + r^2 / 2) / r^4 in r^2
  double c0 = 0.041666645669997775;
  double c1 = -0.0013887315609601252;
  double c2 = 2.4433081969478173e-05;
};

[[gnu::used]] Constants constants;

// Up to here k is exact, and so are enough digits of r.
constexpr float kReducible = 268435456.0F;

struct Reduced {
  double sine;
  double cosine;
  std::int64_t quadrant;
};

inline Reduced reduce(float x, const Constants& c) {
  const double v = x;
  const double rounded = v * c.two_over_pi + c.round;
  const double k = rounded - c.round;
  const double r = v - k * c.half_pi_high - k * c.half_pi_low;
  const double z = r * r;
  const double sine = r * (c.one + z * (c.s0 + z * (c.s1 + z * (c.s2 + z * c.s3))));
  const double cosine = c.one - z * c.half + z * z * (c.c0 + z * (c.c1 + z * c.c2));
  return {sine, cosine, std::bit_cast<std::int64_t>(rounded)};
}

// sin(x + quarters pi / 2)
inline float sine(float x, std::int64_t quarters, const Constants& c) {
  const Reduced r = reduce(x, c);
  const std::int64_t quadrant = r.quadrant + quarters;
  const double y = (quadrant & c.one_bit) != c.zero ? r.cosine : r.sine;
  const std::int64_t sign = (quadrant & c.two_bit) << 62;
  return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::int64_t>(y) ^ sign));
}

// Arguments that `reduce` cannot take go to float64's functions, wherever in the array they stand.
[[gnu::noinline]] void sine(const float* x, float* out, std::size_t n, std::int64_t quarters, double (*other)(double)) {
  const Constants c = constants;
  constexpr std::size_t kBlock = 256;
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t end = n - start < kBlock ? n : start + kBlock;
    bool reducible = true;
    for (std::size_t i = start; i < end; ++i) reducible &= std::fabs(x[i]) < kReducible;
    if (reducible) {
      MT_VECTORIZE
      for (std::size_t i = start; i < end; ++i) out[i] = sine(x[i], quarters, c);
    } else {
      for (std::size_t i = start; i < end; ++i) {
        const float v = x[i];
        out[i] = std::fabs(v) < kReducible ? sine(v, quarters, c) : static_cast<float>(other(static_cast<double>(v)));
      }
    }
  }
}

}  // namespace

void sin(const float* x, float* out, std::size_t n) { sine(x, out, n, 0, float64::sin); }

void cos(const float* x, float* out, std::size_t n) { sine(x, out, n, 1, float64::cos); }

}  // namespace minitensor::kernels
