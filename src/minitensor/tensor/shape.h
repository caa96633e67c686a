#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace minitensor {

/// The most dimensions a tensor can have.
inline constexpr int kMaxRank = 8;

/// Up to kMaxRank signed sizes, without an allocation: the sizes of a shape, or strides in elements.
class Dims {
 public:
  Dims() noexcept : rank_(0) {}
  // Copies only what is there: most tensors have few axes, and V8 leaves WebAssembly to copy or clear a block of
  // memory.
  Dims(const Dims& other) noexcept { *this = other; }
  Dims& operator=(const Dims& other) noexcept;
  /// Throws kShape for more than kMaxRank values.
  Dims(std::initializer_list<std::int64_t> values);
  explicit Dims(std::span<const std::int64_t> values);
  /// `rank` times `value`. Throws kShape for a rank outside 0..kMaxRank.
  static Dims filled(int rank, std::int64_t value);

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const { return values_[static_cast<std::size_t>(axis)]; }
  std::int64_t& operator[](int axis) { return values_[static_cast<std::size_t>(axis)]; }
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + rank_; }
  const std::int64_t* data() const { return values_.data(); }
  std::span<const std::int64_t> span() const { return {begin(), end()}; }
  /// Throws kShape when there are kMaxRank values already.
  void push_back(std::int64_t value);

  friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::array<std::int64_t, kMaxRank> values_;  // the first rank_ of them
  int rank_;
};

using Shape = Dims;
using Strides = Dims;

/// "[2,3]"
std::string to_string(const Dims& dims);

/// The number of elements. Throws kShape, in the name of `operation`, for a negative size, or when the elements'
/// bytes (at most 8 each) would not fit in a signed 64-bit integer or in the address space.
std::int64_t element_count(const Shape& shape, std::string_view operation);

/// Strides of row-major storage, in elements.
Strides row_major_strides(const Shape& shape);

/// The shape that `a` and `b` broadcast to, by NumPy's rule. Throws kShape, in the name of `operation`.
Shape broadcast_shapes(const Shape& a, const Shape& b, std::string_view operation);

/// `axis` counted from the front: -1 is the last of `rank`. Throws kShape, in the name of `operation`.
int normalize_axis(std::int64_t axis, int rank, std::string_view operation);

}  // namespace minitensor
