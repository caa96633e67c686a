// A hundred thousand calls of ops, of changing shapes and dtypes, on tensors that share elements with others, compared
// with a plain model of each.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "minitensor/ops/builtin_ops.h"
#include "support/plain_tensor.h"

namespace minitensor {
namespace {

using test::count_of;
using test::index_of;
using test::Integers;
using test::make_model;
using test::Model;
using test::number_of;
using test::Places;
using test::Selection;
using test::Values;

constexpr int kCalls = 100'000;
constexpr std::size_t kAlive = 16;
constexpr std::int64_t kMaxElements = 60;
// Whole numbers up to it, their products, and sums of some of these are exact in every dtype that is used.
constexpr double kLargest = 1000;
constexpr std::array kDTypes{DType::kFloat32, DType::kFloat64, DType::kInt32, DType::kInt64};

struct Pair {
  Tensor tensor;
  Model model;
};

class Calls {
 public:
  Calls() { register_builtin_ops(ops_); }

  // Makes one call, and compares its result and what it may have changed.
  void make_call() {
    switch (pick(18)) {
      case 0:
        return replace(fresh());
      case 1:
        return combine();
      case 2:
        return sum();
      case 3:
        return multiply_matrices();
      case 4:
        return join();
      case 5:
        return choose();
      case 6:
        return scatter();
      case 7:
        return sort();
      case 8:
        return assign();
      default:
        return run_selection();
    }
  }

  /// How often each op gave elements.
  const std::map<std::string, int>& calls() const { return calls_; }

  void compare_all() const {
    for (const Pair& pair : alive_) compare(pair);
  }

 private:
  std::size_t pick(std::size_t count) { return test::pick(random_, count); }
  std::int64_t between(std::int64_t low, std::int64_t high) { return test::between(random_, low, high); }
  const Pair& any() { return alive_[pick(alive_.size())]; }

  Integers any_shape() {
    Integers shape(pick(5));
    do {
      for (std::int64_t& size : shape) size = pick(20) == 0 ? 0 : between(1, 5);
    } while (count_of(shape) > kMaxElements);
    return shape;
  }

  Pair fresh(const Integers& shape, DType dtype) {
    Values values(static_cast<std::size_t>(count_of(shape)));
    for (double& value : values) value = static_cast<double>(between(-9, 9));
    return {Tensor::from(std::span<const double>(values), Shape(shape)).cast(dtype), make_model(shape, dtype, values)};
  }
  Pair fresh() { return fresh(any_shape(), kDTypes[pick(kDTypes.size())]); }

  // Puts it in the place of another, unless its elements are too large to go on with.
  void replace(Pair pair) {
    compare(pair);
    bool fits = count_of(pair.model.shape) <= kMaxElements && pair.model.shape.size() <= 5;
    for (std::size_t i = 0; i < pair.model.places.size(); ++i) fits = fits && std::abs(pair.model[i]) <= kLargest;
    if (!fits) pair = fresh();
    if (alive_.size() < kAlive) {
      alive_.push_back(std::move(pair));
    } else {
      alive_[pick(kAlive)] = std::move(pair);
    }
  }

  void compare(const Pair& pair) const {
    const auto& [tensor, model] = pair;
    ASSERT_EQ(tensor.shape(), Shape(model.shape)) << last_;
    ASSERT_EQ(tensor.dtype(), model.dtype) << last_;
    const Values values = tensor.to_vector();
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], model[i]) << last_ << ", element " << i;
  }

  Tensor run(const std::string& op, const std::vector<Tensor>& inputs, const NamedAttributes& attributes = {}) {
    last_ = op;
    for (const Tensor& input : inputs) last_ += " " + to_string(input.shape());
    Tensor result = run_op_many(*ops_.get(op), inputs, attributes).back();
    calls_[op] += result.size() > 0 ? 1 : 0;
    return result;
  }

  void run_selection() {
    const Pair x = any();
    const Selection call = test::any_selection(random_, x.model.shape);
    std::vector<Tensor> inputs{x.tensor};
    if (call.indices.is_defined()) inputs.push_back(call.indices);
    const Tensor result = run(call.op, inputs, call.attributes);
    Places numbers;
    for (std::int64_t i = 0; i < count_of(call.shape); ++i) {
      numbers.push_back(number_of(x.model.shape, call.source(index_of(call.shape, i))));
    }
    replace({result, test::select(x.model, call.shape, numbers, result.shares_storage_with(x.tensor))});
  }

  void combine() {
    const Pair a = any();
    Pair b = any();
    // One that broadcasts: some of the axes, from the last on, and some of size 1.
    if (pick(2) == 0) {
      const std::size_t skipped = pick(a.model.shape.size() + 1);
      Integers shape(a.model.shape.begin() + static_cast<std::ptrdiff_t>(skipped), a.model.shape.end());
      for (std::int64_t& size : shape) size = pick(3) == 0 ? 1 : size;
      b = fresh(shape, kDTypes[pick(kDTypes.size())]);
    }
    Shape shape;
    try {
      shape = broadcast_shapes(Shape(a.model.shape), Shape(b.model.shape), "");
    } catch (const Error&) {
      EXPECT_THROW(run("add", {a.tensor, b.tensor}), Error);
      return;
    }
    const Integers sizes(shape.begin(), shape.end());
    static constexpr std::array kOps{"add", "sub", "mul"};
    const std::size_t op = pick(kOps.size());
    Values values;
    for (std::int64_t i = 0; i < count_of(sizes); ++i) {
      const Integers index = index_of(sizes, i);
      const double x = a.model[number_of(a.model.shape, index)];
      const double y = b.model[number_of(b.model.shape, index)];
      values.push_back(op == 0 ? x + y : op == 1 ? x - y : x * y);
    }
    replace({run(kOps[op], {a.tensor, b.tensor}),
             make_model(sizes, promote_types(a.model.dtype, b.model.dtype), std::move(values))});
  }

  void sum() {
    const Pair x = any();
    Integers axes;
    Integers shape;
    const bool keeps = pick(2) == 0;
    for (std::size_t axis = 0; axis < x.model.shape.size(); ++axis) {
      const bool is_summed = pick(2) == 0;
      if (is_summed) axes.push_back(static_cast<std::int64_t>(axis) - (pick(2) == 0 ? 0 : x.tensor.rank()));
      if (!is_summed || keeps) shape.push_back(is_summed ? 1 : x.model.shape[axis]);
    }
    Values totals(static_cast<std::size_t>(count_of(shape)));
    for (std::size_t i = 0; i < x.model.places.size(); ++i) {
      const Integers index = index_of(x.model.shape, static_cast<std::int64_t>(i));
      Integers place;
      for (std::size_t axis = 0; axis < index.size(); ++axis) {
        const auto from_end = static_cast<std::int64_t>(axis) - x.tensor.rank();
        const bool is_summed = std::count(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) > 0 ||
                               std::count(axes.begin(), axes.end(), from_end) > 0;
        if (!is_summed || keeps) place.push_back(is_summed ? 0 : index[axis]);
      }
      totals[number_of(shape, place)] += x.model[i];
    }
    const DType dtype = is_floating(x.model.dtype) ? x.model.dtype : DType::kInt64;
    replace({run("sum", {x.tensor}, {{"axis", axes}, {"keepDims", keeps}}), make_model(shape, dtype, totals)});
  }

  void multiply_matrices() {
    const Pair a = any();
    if (a.model.shape.size() != 2) return replace(fresh());
    const std::int64_t rows = a.model.shape[0];
    const std::int64_t inner = a.model.shape[1];
    const std::int64_t columns = between(0, 6);
    const Pair b = fresh({inner, columns}, a.model.dtype);
    Values values;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      double total = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        total += a.model[static_cast<std::size_t>(i / columns * inner + k)] *
                 b.model[static_cast<std::size_t>(k * columns + i % columns)];
      }
      values.push_back(total);
    }
    replace({run("matmul", {a.tensor, b.tensor}), make_model({rows, columns}, a.model.dtype, values)});
  }

  void join() {
    const Pair a = any();
    const Integers& shape = a.model.shape;
    const bool stacks = shape.empty() || pick(2) == 0;
    const std::size_t axis = pick(shape.size() + (stacks ? 1 : 0));
    Integers other = shape;
    if (!stacks) other[axis] = between(0, 4);
    const std::vector<Pair> parts{a, fresh(other, kDTypes[pick(kDTypes.size())]), a};
    Integers sizes = shape;
    if (stacks) {
      sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(axis), 3);
    } else {
      sizes[axis] += other[axis] + shape[axis];
    }
    Values values;
    for (std::int64_t i = 0; i < count_of(sizes); ++i) {
      Integers index = index_of(sizes, i);
      std::size_t part = 0;
      if (stacks) {
        part = static_cast<std::size_t>(index[axis]);
        index.erase(index.begin() + static_cast<std::ptrdiff_t>(axis));
      } else {
        for (; index[axis] >= parts[part].model.shape[axis]; ++part) index[axis] -= parts[part].model.shape[axis];
      }
      values.push_back(parts[part].model[number_of(parts[part].model.shape, index)]);
    }
    replace({run(stacks ? "stack" : "concat", {parts[0].tensor, parts[1].tensor, parts[2].tensor},
                 {{"axis", static_cast<double>(axis)}}),
             make_model(sizes, promote_types(a.model.dtype, parts[1].model.dtype), values)});
  }

  void choose() {
    const Pair x = any();
    const Pair y = fresh(x.model.shape, kDTypes[pick(kDTypes.size())]);
    const Pair condition = fresh(x.model.shape, DType::kInt64);
    Values values;
    for (std::size_t i = 0; i < x.model.places.size(); ++i) {
      values.push_back(condition.model[i] != 0 ? x.model[i] : y.model[i]);
    }
    replace({run("where", {condition.tensor.cast(DType::kBool), x.tensor, y.tensor}),
             make_model(x.model.shape, promote_types(x.model.dtype, y.model.dtype), values)});
  }

  void scatter() {
    const Pair x = any();
    if (x.model.shape.empty() || x.model.places.empty()) return replace(fresh());
    const std::size_t axis = pick(x.model.shape.size());
    const std::int64_t size = x.model.shape[axis];
    Integers shape = x.model.shape;
    shape[axis] = between(0, 4);
    const Pair updates = fresh(shape, x.model.dtype);
    Values indices;
    Values values;
    for (std::size_t i = 0; i < x.model.places.size(); ++i) values.push_back(x.model[i]);
    for (std::size_t i = 0; i < updates.model.places.size(); ++i) {
      Integers index = index_of(shape, static_cast<std::int64_t>(i));
      indices.push_back(static_cast<double>(between(-size, size - 1)));
      index[axis] = static_cast<std::int64_t>(indices.back()) + (indices.back() < 0 ? size : 0);
      values[number_of(x.model.shape, index)] += updates.model[i];
    }
    const Tensor positions = Tensor::from(std::span<const double>(indices), Shape(shape)).cast(DType::kInt64);
    replace({run("scatterAdd", {x.tensor, positions, updates.tensor}, {{"axis", static_cast<double>(axis)}}),
             make_model(x.model.shape, x.model.dtype, values)});
  }

  void sort() {
    const Pair x = any();
    if (x.model.shape.empty()) return replace(fresh());
    const std::size_t axis = pick(x.model.shape.size());
    const bool descends = pick(2) == 0;
    Values values(x.model.places.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      Integers index = index_of(x.model.shape, static_cast<std::int64_t>(i));
      if (index[axis] != 0) continue;
      Values row;
      for (; index[axis] < x.model.shape[axis]; ++index[axis]) row.push_back(x.model[number_of(x.model.shape, index)]);
      std::sort(row.begin(), row.end());
      if (descends) std::reverse(row.begin(), row.end());
      for (index[axis] = 0; index[axis] < x.model.shape[axis]; ++index[axis]) {
        values[number_of(x.model.shape, index)] = row[static_cast<std::size_t>(index[axis])];
      }
    }
    replace({run("sort", {x.tensor}, {{"axis", static_cast<double>(axis)}, {"descending", descends}}),
             make_model(x.model.shape, x.model.dtype, values)});
  }

  // Overwrites elements that others share, unless one stands in several places.
  void assign() {
    Pair& x = alive_[pick(alive_.size())];
    const Pair source = fresh(x.model.shape, kDTypes[pick(kDTypes.size())]);
    Places places = x.model.places;
    std::sort(places.begin(), places.end());
    last_ = "assign " + to_string(x.tensor.shape());
    if (std::adjacent_find(places.begin(), places.end()) != places.end()) {
      EXPECT_THROW(x.tensor.assign(source.tensor), Error);
      return;
    }
    x.tensor.assign(source.tensor);
    for (std::size_t i = 0; i < places.size(); ++i) (*x.model.elements)[x.model.places[i]] = source.model[i];
    compare_all();
  }

  OpRegistry ops_;
  test::Random random_{20'261'130};
  std::vector<Pair> alive_ = {fresh({2, 3}, DType::kFloat32)};
  std::string last_;
  std::map<std::string, int> calls_;
};

TEST(RandomCalls, GiveWhatAPlainModelGivesAndLeaveNothingBehind) {
  const std::size_t before = Storage::live_bytes();
  {
    Calls calls;
    for (int i = 0; i < kCalls && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(i);
      calls.make_call();
    }
    if (testing::Test::HasFailure()) return;
    calls.compare_all();
    EXPECT_EQ(calls.calls().size(), 23);
    for (const auto& [op, count] : calls.calls()) EXPECT_GT(count, 500) << op;
    EXPECT_GT(Storage::live_bytes(), before);
  }
  EXPECT_EQ(Storage::live_bytes(), before);
}

}  // namespace
}  // namespace minitensor
