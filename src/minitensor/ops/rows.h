#pragma once

#include "minitensor/ops/reduce_loop.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor {

// For ops that look at the elements along some axes together: those elements as the rows of a matrix.

/// [rows, length], row-major, in `dtype`: for each place on the other axes, in their order, the elements along `axes`.
/// A view where `x` is that already.
Tensor to_rows(const Tensor& x, const AxisSet& axes, DType dtype);

/// The way back, from as many elements: row-major, with the shape of the tensor that the rows were taken from.
Tensor from_rows(const Tensor& rows, const Shape& shape, const AxisSet& axes);

/// The set of one axis. Throws kShape, in the name of `operation`. A 0-D tensor counts as one with one axis.
AxisSet one_axis(std::int64_t axis, int rank, std::string_view operation);

}  // namespace minitensor
