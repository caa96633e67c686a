#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "minitensor/ops/attributes.h"
#include "minitensor/tensor/tensor.h"

namespace minitensor::test {

using Integers = std::vector<std::int64_t>;
using Places = std::vector<std::size_t>;
using Values = std::vector<double>;

/// A tensor as one would write it down: it knows no strides. Each of its elements has the number of a place in a list,
/// which other models may share.
struct Model {
  Integers shape;
  DType dtype = DType::kFloat64;
  std::shared_ptr<Values> elements;
  Places places;  ///< of its elements in the list, in row-major order

  double operator[](std::size_t number) const { return (*elements)[places[number]]; }
};

/// With a list of its own.
Model make_model(const Integers& shape, DType dtype, Values values);

std::int64_t count_of(const Integers& shape);
/// The index of element `number` in row-major order.
Integers index_of(const Integers& shape, std::int64_t number);
/// The number of the element at `index`, of whose axes the first are left out where there are more, and of which axes
/// of size 1 repeat.
std::size_t number_of(const Integers& shape, const Integers& index);
/// Elements of `x`, by their numbers in it, with the same places or with a list of their own.
Model select(const Model& x, const Integers& shape, const Places& numbers, bool is_view);

/// A call of an op whose result has elements of its input only.
struct Selection {
  std::string op;
  NamedAttributes attributes;
  Integers shape;                                         ///< of the result
  std::function<Integers(const Integers& index)> source;  ///< where an element of the result stands in the input
  Tensor indices = {};                                    ///< the second input, for an op that has one
};

using Random = std::mt19937;
inline std::size_t pick(Random& random, std::size_t count) { return random() % count; }
inline std::int64_t between(Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(pick(random, static_cast<std::size_t>(high - low + 1)));
}

/// Any such call that an input of this shape can have.
Selection any_selection(Random& random, const Integers& shape);

}  // namespace minitensor::test
