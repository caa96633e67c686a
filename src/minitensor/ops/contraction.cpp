#include "minitensor/ops/contraction.h"

#include <algorithm>

#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/matmul.h"
#include "minitensor/ops/reduce.h"
#include "minitensor/ops/shape_ops.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

using LabelSet = std::uint64_t;

LabelSet bit(std::int64_t label) { return LabelSet{1} << static_cast<unsigned>(label); }

LabelSet set_of(const Dims& labels) {
  LabelSet set = 0;
  for (const std::int64_t label : labels) set |= bit(label);
  return set;
}

int place_of(const Dims& labels, std::int64_t label) {
  return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

// A tensor with a label for each axis, none twice.
struct Labelled {
  Tensor tensor;
  Dims labels;
};

[[noreturn]] void throw_sizes(std::string_view operation, std::int64_t a, std::int64_t b) {
  throw_error(ErrorCode::kShape, {operation, ": axes that run together have the sizes ", a, " and ", b});
}

// Axes with one label become one: a view of the diagonal.
Labelled diagonal(const Tensor& x, const Dims& labels, std::string_view operation) {
  Labelled result;
  Shape shape;
  Strides strides;
  for (int axis = 0; axis < x.rank(); ++axis) {
    const int place = place_of(result.labels, labels[axis]);
    if (place == result.labels.rank()) {
      result.labels.push_back(labels[axis]);
      shape.push_back(x.shape()[axis]);
      strides.push_back(x.strides()[axis]);
    } else {
      if (shape[place] != x.shape()[axis]) throw_sizes(operation, shape[place], x.shape()[axis]);
      strides[place] += x.strides()[axis];
    }
  }
  result.tensor = x.view(shape, strides);
  return result;
}

// The axes in the order of `labels`, a view; those that it lacks have size 1.
Tensor arranged(const Labelled& x, const Dims& labels) {
  Shape shape = Shape::filled(labels.rank(), 1);
  Strides strides = Strides::filled(labels.rank(), 0);
  for (int i = 0; i < labels.rank(); ++i) {
    const int place = place_of(x.labels, labels[i]);
    if (place == x.labels.rank()) continue;
    shape[i] = x.tensor.shape()[place];
    strides[i] = x.tensor.strides()[place];
  }
  return x.tensor.view(shape, strides);
}

// Without the axes whose labels nobody needs any more.
Labelled summed(const Labelled& x, LabelSet needed) {
  std::vector<std::int64_t> axes;
  Labelled result;
  for (int axis = 0; axis < x.labels.rank(); ++axis) {
    if ((needed & bit(x.labels[axis])) != 0) {
      result.labels.push_back(x.labels[axis]);
    } else {
      axes.push_back(axis);
    }
  }
  // The sum of integers is int64, which is cut to what it was.
  result.tensor = axes.empty() ? x.tensor : sum(x.tensor, axes).cast(x.tensor.dtype());
  return result;
}

// Of all labels of two tensors: those in both that are needed, those in one, and those that are summed over.
struct Parts {
  Dims batch;
  Dims rows;
  Dims columns;
  Dims inner;
};

Dims joined(const Dims& a, const Dims& b, std::string_view operation) {
  if (a.rank() + b.rank() > kMaxRank) {
    throw_error(ErrorCode::kShape, {operation, ": a result on the way would have more than ", std::int64_t{kMaxRank},
                                    " axes: compute it in steps"});
  }
  Dims result = a;
  for (const std::int64_t label : b) result.push_back(label);
  return result;
}

Parts parts_of(const Labelled& a, const Labelled& b, LabelSet needed) {
  Parts parts;
  for (const std::int64_t label : a.labels) {
    const bool is_in_both = (set_of(b.labels) & bit(label)) != 0;
    const bool is_needed = (needed & bit(label)) != 0;
    (!is_in_both ? parts.rows : is_needed ? parts.batch : parts.inner).push_back(label);
  }
  for (const std::int64_t label : b.labels) {
    if ((set_of(a.labels) & bit(label)) == 0) parts.columns.push_back(label);
  }
  return parts;
}

// Axes of size 1 become as long as the other tensor's of the same label.
Labelled stretched(const Labelled& x, const Labelled& other, std::string_view operation) {
  Shape shape = x.tensor.shape();
  for (int axis = 0; axis < x.labels.rank(); ++axis) {
    const int place = place_of(other.labels, x.labels[axis]);
    if (place == other.labels.rank()) continue;
    const std::int64_t size = other.tensor.shape()[place];
    if (shape[axis] == 1) shape[axis] = size;
    if (size != 1 && shape[axis] != size) throw_sizes(operation, shape[axis], size);
  }
  return {x.tensor.broadcast_to(shape), x.labels};
}

std::int64_t product(const Shape& shape, int first, int count) {
  std::int64_t result = 1;
  for (int axis = first; axis < first + count; ++axis) result *= shape[axis];
  return result;
}

// [batch, rows, columns], where each is the product of the sizes of as many axes.
Tensor as_matrices(const Tensor& x, int batch, int rows, int columns) {
  const std::int64_t shape[] = {product(x.shape(), 0, batch), product(x.shape(), batch, rows),
                                product(x.shape(), batch + rows, columns)};
  return reshape(x, shape);
}

Labelled multiplied(const Labelled& left, const Labelled& right, LabelSet needed, std::string_view operation) {
  const Labelled a = summed(stretched(left, right, operation), needed | set_of(right.labels));
  const Labelled b = summed(stretched(right, left, operation), needed | set_of(left.labels));
  const Parts parts = parts_of(a, b, needed);
  const Dims labels = joined(joined(parts.batch, parts.rows, operation), parts.columns, operation);
  if (parts.inner.rank() == 0) return {mul(arranged(a, labels), arranged(b, labels)), labels};
  const Tensor x = arranged(a, joined(joined(parts.batch, parts.rows, operation), parts.inner, operation));
  const Tensor y = arranged(b, joined(joined(parts.batch, parts.inner, operation), parts.columns, operation));
  const int batch = parts.batch.rank();
  Shape shape(x.shape().span().first(static_cast<std::size_t>(batch) + static_cast<std::size_t>(parts.rows.rank())));
  for (int axis = batch + parts.inner.rank(); axis < y.rank(); ++axis) shape.push_back(y.shape()[axis]);
  const Tensor result = matmul(as_matrices(x, batch, parts.rows.rank(), parts.inner.rank()),
                               as_matrices(y, batch, parts.inner.rank(), parts.columns.rank()));
  return {reshape(result, shape.span()), labels};
}

// How many elements the product of two tensors has, of which only the needed labels stay.
double elements_of(const Labelled& a, const Labelled& b, LabelSet needed) {
  double elements = 1;
  for (const Labelled* factor : {&a, &b}) {
    for (int axis = 0; axis < factor->labels.rank(); ++axis) {
      const LabelSet label = bit(factor->labels[axis]);
      if ((needed & label) == 0) continue;
      elements *= static_cast<double>(factor->tensor.shape()[axis]);
      needed &= ~label;
    }
  }
  return elements;
}

// The first one with the others, each time with that by which the least comes out: in the order in which they are
// given, a product of small matrices may be larger than memory on the way.
Labelled contracted(std::vector<Labelled> factors, LabelSet output, std::string_view operation) {
  while (factors.size() > 1) {
    std::size_t best = 0;
    LabelSet best_needed = 0;
    double least = 0;
    for (std::size_t i = 1; i < factors.size(); ++i) {
      LabelSet needed = output;
      for (std::size_t j = 1; j < factors.size(); ++j) {
        if (j != i) needed |= set_of(factors[j].labels);
      }
      const double elements = elements_of(factors[0], factors[i], needed);
      if (best != 0 && elements >= least) continue;
      best = i;
      best_needed = needed;
      least = elements;
    }
    factors[0] = multiplied(factors[0], factors[best], best_needed, operation);
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return summed(factors[0], output);
}

}  // namespace

Tensor contract(const Contraction& contraction, std::span<const Tensor> inputs, DType dtype,
                std::string_view operation) {
  std::vector<Labelled> factors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    factors.push_back(diagonal(inputs[i].cast(dtype), contraction.inputs[i], operation));
  }
  const Labelled result = contracted(std::move(factors), set_of(contraction.output), operation);
  const Tensor arranged_result = arranged(result, contraction.output);
  return arranged_result.shares_storage_with(inputs[0]) ? arranged_result.clone() : arranged_result.contiguous();
}

Gradients contraction_gradients(const Contraction& contraction, const BackwardArguments& at,
                                std::string_view operation) {
  Gradients gradients(at.inputs.size());
  const DType dtype = at.grad_output.dtype();
  for (std::size_t i = 0; i < at.inputs.size(); ++i) {
    if (!at.wants(i)) continue;
    std::vector<Labelled> factors{{at.grad_output, contraction.output}};
    for (std::size_t j = 0; j < at.inputs.size(); ++j) {
      if (j != i) factors.push_back(diagonal(at.inputs[j].cast(dtype), contraction.inputs[j], operation));
    }
    Tensor gradient = Tensor::zeros(at.inputs[i].shape(), dtype);
    Labelled target = diagonal(gradient, contraction.inputs[i], operation);
    const Tensor found = arranged(contracted(std::move(factors), set_of(target.labels), operation), target.labels);
    // What was broadcast is summed; what was summed is spread.
    Shape shape = found.shape();
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (target.tensor.shape()[axis] == 1) shape[axis] = 1;
    }
    target.tensor.assign(sum_to_shape(found, shape).broadcast_to(target.tensor.shape()));
    gradients[i] = gradient;
  }
  return gradients;
}

}  // namespace minitensor
