#pragma once

#include <cstdint>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// What stands beyond the ends of an axis. Of 1 2 3: 2 3 | 1 2 3 | 1 2 wrapped; 1 1 | 1 2 3 | 3 3 for the edge;
/// 3 2 | 1 2 3 | 2 1 reflected; 2 1 | 1 2 3 | 3 2 symmetric; or one value.
enum class Beyond : std::uint8_t { kWrap, kEdge, kReflect, kSymmetric, kConstant };

/// Windows of axes that go on beyond their ends: for each axis `count` elements, of which the first is the one `before`
/// places ahead of the axis's own first.
struct Extension {
  Dims before;
  Dims count;
  Beyond beyond = Beyond::kWrap;
  double value = 0;  ///< of kConstant, whose windows must hold the whole axis
};

/// The elements of the windows, as a copy. Requires: an axis without elements has a window without elements, but for
/// kConstant.
Tensor extend(const Tensor& x, const Extension& extension);
/// Its adjoint: the elements of `windows`, each added at the place of a tensor of `shape` that extend takes it from.
Tensor extend_gradient(const Tensor& windows, const Extension& extension, const Shape& shape);

/// `a + b`, of sizes from 0 up. Throws kShape, in the name of `operation`, when it is too large for a size.
std::int64_t add_sizes(std::int64_t a, std::int64_t b, const char* operation);

}  // namespace minitensor
