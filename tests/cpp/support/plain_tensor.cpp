#include "support/plain_tensor.h"

namespace minitensor::test {

std::int64_t count_of(const Integers& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Integers index_of(const Integers& shape, std::int64_t number) {
  Integers index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; number /= shape[axis]) index[axis] = number % shape[axis];
  return index;
}

std::size_t number_of(const Integers& shape, const Integers& index) {
  std::int64_t number = 0;
  const std::size_t skipped = index.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    number = number * shape[axis] + (shape[axis] == 1 ? 0 : index[axis + skipped]);
  }
  return static_cast<std::size_t>(number);
}

Model make_model(const Integers& shape, DType dtype, Values values) {
  Places places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return {shape, dtype, std::make_shared<Values>(std::move(values)), std::move(places)};
}

Model select(const Model& x, const Integers& shape, const Places& numbers, bool is_view) {
  if (!is_view) {
    Values values;
    for (const std::size_t number : numbers) values.push_back(x[number]);
    return make_model(shape, x.dtype, std::move(values));
  }
  Model result{shape, x.dtype, x.elements, {}};
  for (const std::size_t number : numbers) result.places.push_back(x.places[number]);
  return result;
}

namespace {

double axis_number(Random& random, std::size_t axis, const Integers& shape) {
  return static_cast<double>(axis) - (pick(random, 2) == 0 ? 0 : static_cast<double>(shape.size()));
}

// The same elements in row-major order under another shape.
Selection regrouped(const std::string& op, const NamedAttributes& attributes, const Integers& shape,
                    const Integers& result) {
  return {op, attributes, result,
          [=](const Integers& index) { return index_of(shape, static_cast<std::int64_t>(number_of(result, index))); }};
}

Selection any_reshape(Random& random, const Integers& shape) {
  std::int64_t left = count_of(shape);
  if (left == 0 || pick(random, 4) == 0) return regrouped("flatten", {}, shape, {left});
  Integers result;
  while (left > 1 || (result.size() < 4 && pick(random, 4) == 0)) {
    std::int64_t size = result.size() >= 4 ? left : between(random, 1, left);
    while (left % size != 0) --size;
    result.push_back(size);
    left /= size;
  }
  Integers given = result;
  if (!given.empty() && pick(random, 3) == 0) given[pick(random, given.size())] = -1;
  return regrouped("reshape", {{"shape", given}}, shape, result);
}

Selection any_expand_dims(Random& random, const Integers& shape) {
  const std::size_t axis = pick(random, shape.size() + 1);
  Integers result = shape;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return regrouped("expandDims", {{"axis", axis_number(random, axis, result)}}, shape, result);
}

Selection any_squeeze(Random& /*random*/, const Integers& shape) {
  Integers result;
  for (const std::int64_t size : shape) {
    if (size != 1) result.push_back(size);
  }
  return regrouped("squeeze", {}, shape, result);
}

Selection any_order(Random& random, const Integers& shape) {
  Integers axes(shape.size());
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  std::shuffle(axes.begin(), axes.end(), random);
  Integers result;
  for (const std::int64_t axis : axes) result.push_back(shape[static_cast<std::size_t>(axis)]);
  return {"permuteDims", {{"axes", axes}}, result, [axes](const Integers& index) {
            Integers source(index.size());
            for (std::size_t i = 0; i < axes.size(); ++i) source[static_cast<std::size_t>(axes[i])] = index[i];
            return source;
          }};
}

Selection any_broadcast(Random& random, const Integers& shape) {
  Integers result = shape;
  for (std::int64_t& size : result) size = size == 1 ? between(random, 0, 3) : size;
  const std::size_t added = pick(random, 2);
  if (added > 0) result.insert(result.begin(), between(random, 1, 2));
  return {"broadcastTo", {{"shape", result}}, result, [shape, added](Integers index) {
            index.erase(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(added));
            for (std::size_t i = 0; i < shape.size(); ++i) index[i] = shape[i] == 1 ? 0 : index[i];
            return index;
          }};
}

Selection any_tile(Random& random, const Integers& shape) {
  Integers repeats(shape.size());
  Integers result = shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) result[axis] *= repeats[axis] = between(random, 0, 2);
  return {"tile", {{"repeats", repeats}}, result, [shape](Integers index) {
            for (std::size_t axis = 0; axis < shape.size(); ++axis) index[axis] %= shape[axis];
            return index;
          }};
}

// Along one axis, the elements at these positions.
Selection along(const std::string& op, const NamedAttributes& attributes, const Integers& shape, std::size_t axis,
                const Integers& positions) {
  Integers result = shape;
  result[axis] = static_cast<std::int64_t>(positions.size());
  return {op, attributes, result, [axis, positions](Integers index) {
            index[axis] = positions[static_cast<std::size_t>(index[axis])];
            return index;
          }};
}

// Python's slices: from start on in steps while before stop, both counted from the end if negative, and kept in range.
Selection any_slice(Random& random, const Integers& shape, std::size_t axis) {
  const std::int64_t size = shape[axis];
  const std::int64_t start = between(random, -size - 1, size + 1);
  const std::int64_t stop = between(random, -size - 1, size + 1);
  std::int64_t step = between(random, -3, 2);
  if (step >= 0) ++step;
  const auto kept = [&](std::int64_t position) {
    if (position < 0) position += size;
    return std::clamp(position, std::int64_t{step < 0 ? -1 : 0}, step < 0 ? size - 1 : size);
  };
  Integers positions;
  for (std::int64_t i = kept(start); step < 0 ? i > kept(stop) : i < kept(stop); i += step) positions.push_back(i);
  return along("slice",
               {{"start", Integers{start}},
                {"stop", Integers{stop}},
                {"step", Integers{step}},
                {"axes", Integers{static_cast<std::int64_t>(axis) - static_cast<std::int64_t>(shape.size())}}},
               shape, axis, positions);
}

Selection any_flip(Random& random, const Integers& shape, std::size_t axis) {
  Integers positions(static_cast<std::size_t>(shape[axis]));
  std::iota(positions.rbegin(), positions.rend(), std::int64_t{0});
  return along("flip", {{"axis", axis_number(random, axis, shape)}}, shape, axis, positions);
}

Selection any_roll(Random& random, const Integers& shape, std::size_t axis) {
  Integers positions(static_cast<std::size_t>(shape[axis]));
  std::iota(positions.begin(), positions.end(), std::int64_t{0});
  const std::int64_t shift = between(random, 0, 7);
  for (std::int64_t i = 0; i < shift && !positions.empty(); ++i) {
    positions.insert(positions.begin(), positions.back());
    positions.pop_back();
  }
  return along("roll", {{"shift", Integers{shift}}, {"axis", axis_number(random, axis, shape)}}, shape, axis,
               positions);
}

// The last of two parts.
Selection any_split(Random& random, const Integers& shape, std::size_t axis) {
  const std::int64_t first = between(random, 0, shape[axis]);
  Integers positions(static_cast<std::size_t>(shape[axis] - first));
  std::iota(positions.begin(), positions.end(), first);
  return along("split", {{"sizes", Integers{first, shape[axis] - first}}, {"axis", axis_number(random, axis, shape)}},
               shape, axis, positions);
}

Selection any_take(Random& random, const Integers& shape, std::size_t axis) {
  const std::int64_t size = shape[axis];
  Integers positions(size == 0 ? 0 : pick(random, 5));
  Integers given;
  for (std::int64_t& position : positions) {
    given.push_back(between(random, -size, size - 1));
    position = given.back() < 0 ? given.back() + size : given.back();
  }
  Selection result = along("take", {{"axis", axis_number(random, axis, shape)}}, shape, axis, positions);
  result.indices = Tensor::from(std::span<const std::int64_t>(given), {static_cast<std::int64_t>(given.size())});
  return result;
}

// Where a walk of `count` steps ends that leaves the axis at an end, and comes back or goes on at the other.
std::int64_t walked(const std::string& mode, std::int64_t position, std::int64_t direction, std::int64_t count,
                    std::int64_t size) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t next = position + direction;
    if (next >= 0 && next < size) {
      position = next;
    } else if (mode == "wrap") {
      position = next < 0 ? size - 1 : 0;
    } else if (mode != "edge") {
      direction = -direction;
      if (mode == "reflect" && size > 1) position += direction;
    }
  }
  return position;
}

Selection any_pad(Random& random, const Integers& shape, std::size_t axis) {
  static const std::vector<std::string> kModes{"wrap", "edge", "reflect", "symmetric"};
  const std::string& mode = kModes[pick(random, kModes.size())];
  const std::int64_t size = shape[axis];
  Integers before(shape.size());
  Integers after(shape.size());
  before[axis] = size == 0 ? 0 : between(random, 0, 4);
  after[axis] = size == 0 ? 0 : between(random, 0, 4);
  Integers positions;
  for (std::int64_t i = before[axis]; i > 0; --i) positions.push_back(walked(mode, 0, -1, i, size));
  for (std::int64_t i = 0; i < size; ++i) positions.push_back(i);
  for (std::int64_t i = 1; i <= after[axis]; ++i) positions.push_back(walked(mode, size - 1, 1, i, size));
  return along("pad", {{"before", before}, {"after", after}, {"mode", mode}}, shape, axis, positions);
}

}  // namespace

Selection any_selection(Random& random, const Integers& shape) {
  using Whole = Selection (*)(Random&, const Integers&);
  using Along = Selection (*)(Random&, const Integers&, std::size_t);
  static constexpr Whole kWhole[] = {any_reshape, any_expand_dims, any_squeeze, any_order, any_broadcast, any_tile};
  static constexpr Along kAlong[] = {any_slice, any_flip, any_roll, any_split, any_take, any_pad};
  if (shape.empty() || pick(random, 2) == 0) return kWhole[pick(random, std::size(kWhole))](random, shape);
  return kAlong[pick(random, std::size(kAlong))](random, shape, pick(random, shape.size()));
}

}  // namespace minitensor::test
