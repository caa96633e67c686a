#pragma once

#include <span>

/// What the functions of float64.h are made of.
namespace minitensor::kernels::float64 {

/// A sum of two numbers, of which the second is what the first has lost by rounding.
struct Pair {
  double high;
  double low;
};

inline double first_half(double x) {
  const double scaled = 134217729.0 * x;  // 2^27 + 1
  return scaled - (scaled - x);
}

/// a b, exactly. T. J. Dekker, A floating-point technique for extending the available precision, Numerische Mathematik
/// 18 (1971).
inline Pair product(double a, double b) {
  const double result = a * b;
  const double a1 = first_half(a);
  const double b1 = first_half(b);
  const double a2 = a - a1;
  const double b2 = b - b1;
  return {result, ((a1 * b1 - result) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// e^(x.high + x.low), for finite numbers.
double exp(const Pair& x);

/// A power series, of which the term of the highest power stands first.
inline double series(std::span<const double> terms, double x) {
  double sum = 0;
  for (const double term : terms) sum = sum * x + term;
  return sum;
}

/// 2 atanh(s) / s - 2 = z (2/3 + z (2/5 + …)) in z = s^2, without the first term; of -z it is that of 2 atan(s).
inline constexpr double kTwiceAtanh[] = {2.0 / 41, 2.0 / 39, 2.0 / 37, 2.0 / 35, 2.0 / 33, 2.0 / 31, 2.0 / 29,
                                         2.0 / 27, 2.0 / 25, 2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15,
                                         2.0 / 13, 2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5};

}  // namespace minitensor::kernels::float64
