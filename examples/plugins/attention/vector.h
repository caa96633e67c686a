/// \file
/// Vectors of 16 bytes, by the extension of GCC and Clang: SIMD128 in WebAssembly, SSE on x86-64, NEON on ARM.
#pragma once

#include <cstdint>
#include <cstring>

namespace attention {

/// The types and constants that belong to an element type.
template <class T>
struct Element;

template <>
struct Element<float> {
  using Vector = float __attribute__((vector_size(16)));
  using Integers = std::uint32_t __attribute__((vector_size(16)));
  static constexpr int kMantissaBits = 23;
  static constexpr std::uint32_t kExponentBias = 127;
  static constexpr int kTerms = 7;              // of the series of e^x
  static constexpr float kRounder = 0x1.8p23F;  // x + kRounder - kRounder is x, rounded to an integer
  static constexpr float kLowest = -87;         // e^x is not denormal from here on
  static constexpr float kLn2High = 0x1.62e4p-1F;
  static constexpr float kLn2Low = 0x1.7f7d1cp-20F;
};

template <>
struct Element<double> {
  using Vector = double __attribute__((vector_size(16)));
  using Integers = std::uint64_t __attribute__((vector_size(16)));
  static constexpr int kMantissaBits = 52;
  static constexpr std::uint64_t kExponentBias = 1023;
  static constexpr int kTerms = 13;
  static constexpr double kRounder = 0x1.8p52;
  static constexpr double kLowest = -708;
  static constexpr double kLn2High = 0x1.62e42feep-1;
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
};

template <class T>
using Vector = typename Element<T>::Vector;

/// The number of elements in a vector.
template <class T>
inline constexpr int kLanes = 16 / static_cast<int>(sizeof(T));

/// From any address, aligned or not.
template <class T>
inline Vector<T> load(const T* from) {
  Vector<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class T>
inline void store(T* to, Vector<T> vector) {
  std::memcpy(to, &vector, sizeof vector);
}

template <class T>
inline Vector<T> broadcast(T value) {
  return Vector<T>{} + value;
}

/// The larger of each pair; `b` where either is NaN.
template <class V>
inline V larger(V a, V b) {
  return a > b ? a : b;
}

template <class T>
inline T sum_of_lanes(Vector<T> vector) {
  T sum = 0;
  for (int lane = 0; lane < kLanes<T>; ++lane) sum += vector[lane];
  return sum;
}

template <class T>
inline T largest_lane(Vector<T> vector) {
  T largest = vector[0];
  for (int lane = 1; lane < kLanes<T>; ++lane) largest = vector[lane] > largest ? vector[lane] : largest;
  return largest;
}

/// e^x for x <= 0, to the last two bits or so; 0 where it would be denormal, NaN for NaN. With n the integer next to
/// x / ln 2, e^x is 2^n * e^r, where r is at most ln 2 / 2: then the series ends soon. ln 2 is in two parts, so that n
/// times the first is exact.
template <class T>
inline Vector<T> exp_of_negative(Vector<T> x) {
  using E = Element<T>;
  using Integers = typename E::Integers;
  const Vector<T> clamped = x < E::kLowest ? broadcast(E::kLowest) : x;
  const Vector<T> shifted = clamped * static_cast<T>(1.4426950408889634) + E::kRounder;
  const Vector<T> n = shifted - E::kRounder;
  const Vector<T> r = clamped - n * E::kLn2High - n * E::kLn2Low;
  Vector<T> sum = broadcast(T{1});
  for (int k = E::kTerms; k > 0; --k) sum = sum * r * (T{1} / static_cast<T>(k)) + T{1};
  // The lowest bits of `shifted` are those of n.
  Integers bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + E::kExponentBias) << E::kMantissaBits;
  Vector<T> power;
  std::memcpy(&power, &bits, sizeof power);
  return x < E::kLowest ? Vector<T>{} : sum * power;
}

}  // namespace attention
