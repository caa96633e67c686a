#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace minitensor {

/// Philox4x32-10: four random words of a counter and a key. J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw,
/// Parallel random numbers: as easy as 1, 2, 3, SC 2011.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) noexcept;

/// A stream of random numbers, as a value: copies go on with the same numbers. The stream is the same on every machine.
/// Each call below begins with a new block of the stream, so that what it gives depends on the seed and the counter
/// only; it moves the counter on by the blocks that it used.
struct Generator {
  std::uint64_t seed = 0;
  std::uint64_t counter = 0;
};

/// `n` numbers, uniform in [0, 1): multiples of 2^-24.
void fill_uniform(Generator& generator, float* out, std::size_t n) noexcept;
/// `n` numbers, uniform in [0, 1): multiples of 2^-53.
void fill_uniform(Generator& generator, double* out, std::size_t n) noexcept;

/// `n` numbers of the normal distribution with mean 0 and variance 1: G. E. P. Box and M. E. Muller, A note on the
/// generation of random normal deviates, Annals of Mathematical Statistics 29 (1958), from 32-bit uniform numbers. The
/// largest magnitude is 6.66.
void fill_normal(Generator& generator, float* out, std::size_t n) noexcept;
/// The same from 53-bit uniform numbers. The largest magnitude is 8.57.
void fill_normal(Generator& generator, double* out, std::size_t n) noexcept;

/// `n` integers, each of 0, 1, …, bound - 1 equally likely: D. Lemire, Fast random integer generation in an interval,
/// ACM TOMACS 29 (2019). Requires bound > 0.
void fill_integers(Generator& generator, std::uint64_t bound, std::int64_t* out, std::size_t n) noexcept;

/// The numbers 0, 1, …, n - 1 in an order of which each is equally likely (R. Durstenfeld, Algorithm 235, CACM 7,
/// 1964).
void fill_permutation(Generator& generator, std::int64_t* out, std::size_t n) noexcept;

}  // namespace minitensor
