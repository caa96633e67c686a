#include <bit>
#include <cmath>
#include <cstdint>

#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/kernels/float64_series.h"
#include "minitensor/ops/kernels/wide_product.h"

namespace minitensor::kernels::float64 {

namespace {

// The bits of 2 / pi behind the binary point, and 64 zeros before it.
constexpr std::uint64_t kTwoOverPi[] = {0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                        0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
                                        0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
                                        0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
                                        0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

constexpr Pair kHalfPi{1.5707963267948966, 6.123233995736766e-17};
constexpr Pair kQuarterPi{0.7853981633670628, 3.038550253253096e-11};  // a multiple of the first is exact

// 64 bits from there on.
std::uint64_t bits_at(std::size_t position) {
  const std::size_t shift = position % 64;
  const std::uint64_t first = kTwoOverPi[position / 64];
  return shift == 0 ? first : first << shift | kTwoOverPi[position / 64 + 1] >> (64 - shift);
}

// |x| = (quadrant + 4 n) pi / 2 + rest, |rest| <= pi / 4
struct Angle {
  Pair rest;
  std::uint64_t quadrant;
};

// M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions, ACM SIGNUM Newsletter 18 (1983): with
// x = m 2^e, the bits of 2 / pi that give multiples of 4 in their product with x are left out. 192 bits follow of which
// the last are rounded away, whatever cancels.
Angle reduced(double x) {
  x = std::fabs(x);
  if (x <= kQuarterPi.high) return {{x, 0}, 0};
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t m = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  const std::size_t position = static_cast<std::size_t>(bits >> 52) - 1013;  // e - 1 of the bits, after 64 zeros
  const WideProduct last = wide_product(m, bits_at(position + 128));
  const WideProduct middle = wide_product(m, bits_at(position + 64));
  const std::uint64_t second = middle.low + last.high;
  const std::uint64_t first = m * bits_at(position) + middle.high + (second < last.high ? 1 : 0);
  // Two bits before the binary point. What is above one half is what lacks to the next quadrant.
  std::uint64_t high = first << 2 | second >> 62;
  std::uint64_t low = second << 2 | last.low >> 62;
  const bool above = high >> 63 != 0;
  if (above) {
    high = ~high;
    low = ~low;
  }
  const double a = static_cast<double>(high >> 32) * 0x1p-32;
  const double b = static_cast<double>(high & 0xffffffff) * 0x1p-64;
  const double c = static_cast<double>(low) * 0x1p-128;
  const double rest = b + c;
  const double fraction = a + rest;
  const double fraction_low = (a - fraction) + rest + ((b - rest) + c);
  Pair angle = product(fraction, kHalfPi.high);
  angle.low += fraction * kHalfPi.low + fraction_low * kHalfPi.high;
  if (above) angle = {-angle.high, -angle.low};
  return {angle, (first >> 62) + (above ? 1 : 0)};
}

// (sin(r) / r - 1) / r^2 and (cos(r) - 1 + r^2 / 2) / r^4 in r^2
constexpr double kSine[] = {1 / 355687428096000.0, -1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0,
                            1 / 362880.0,          -1 / 5040.0,          1 / 120.0,        -1 / 6.0};
constexpr double kCosine[] = {1 / 20922789888000.0, -1 / 87178291200.0, 1 / 479001600.0, -1 / 3628800.0,
                              1 / 40320.0,          -1 / 720.0,         1 / 24.0};

double sine_of(const Pair& r) {
  const double z = r.high * r.high;
  return r.high + (r.high * z * series(kSine, z) + r.low * (1 - z / 2));
}

double cosine_of(const Pair& r) {
  const double z = r.high * r.high;
  const double rough = 1 - z / 2;
  return rough + ((1 - rough) - z / 2 + (z * z * series(kCosine, z) - r.high * r.low));
}

// sin(|x| + quarters pi / 2)
double sine(double x, std::uint64_t quarters) {
  if (x - x != 0) return x - x;
  const Angle angle = reduced(x);
  const std::uint64_t quadrant = angle.quadrant + quarters;
  const double y = (quadrant & 1) != 0 ? cosine_of(angle.rest) : sine_of(angle.rest);
  return (quadrant & 2) != 0 ? -y : y;
}

}  // namespace

double sin(double x) {
  const double y = sine(x, 0);
  return std::signbit(x) ? -y : y;
}

double cos(double x) { return sine(x, 1); }

double tan(double x) { return sin(x) / cos(x); }

double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  const double rise = std::fabs(y);
  const double run = std::fabs(x);
  const bool is_steep = rise > run;
  const double larger = is_steep ? rise : run;
  const double smaller = is_steep ? run : rise;
  double t = smaller == larger ? 1 : smaller / larger;
  if (larger == 0) t = 0;
  const bool is_diagonal = t > 0.41421356237309503;  // tan(pi / 8)
  if (is_diagonal) t = (t - 1) / (t + 1);
  const double z = -t * t;
  double angle = t + t * z * (2.0 / 3 + z * series(kTwiceAtanh, z)) / 2;
  double eighths = is_diagonal ? 1 : 0;  // of a turn
  if (is_steep) {
    angle = -angle;
    eighths = 2 - eighths;
  }
  if (std::signbit(x)) {
    angle = -angle;
    eighths = 4 - eighths;
  }
  return std::copysign(eighths * kQuarterPi.high + (angle + eighths * kQuarterPi.low), y);
}

}  // namespace minitensor::kernels::float64
