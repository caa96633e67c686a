// The op "attention": softmax(q * k^T * scale) * v in one pass over blocks of keys (Dao and others, FlashAttention,
// 2022), with its gradients. No matrix of all queries times all keys is ever made. A complete plugin, in C++ with SIMD.
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "blocks.h"
#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "attention", "1.0.0", "Fused scaled dot-product attention", "The MiniTensor authors", "0.1.0",
                   "", "", "attention", "")

namespace attention {
namespace {

constexpr Index kQueryBlock = 32;
constexpr Index kKeyBlock = 32;

/// The sizes of one attention: q is [n, d], k is [m, d], v is [m, e].
struct Sizes {
  Index n;
  Index m;
  Index d;
  Index e;
  bool causal;
  double scale;

  Index key_blocks() const { return (m + kKeyBlock - 1) / kKeyBlock; }
  Index padded_keys() const { return key_blocks() * kKeyBlock; }
  /// How many keys the query `i` sees: with `causal`, the last query sees all, the one before it one less, ….
  Index keys_of(Index i) const {
    if (!causal) return m;
    const Index keys = i + 1 + m - n;
    return keys < 0 ? 0 : keys > m ? m : keys;
  }
};

Index last(const mt::TensorView& tensor) { return tensor.shape().back(); }
Index last_but_one(const mt::TensorView& tensor) { return tensor.shape()[static_cast<std::size_t>(tensor.rank()) - 2]; }

Sizes sizes_of(const mt::OpCall& call) {
  const Index d = last(call.input(0));
  const double given = call.number("scale");
  const double scale = given != 0 ? given : d > 0 ? 1 / std::sqrt(static_cast<double>(d)) : 1;
  return {last_but_one(call.input(0)), last_but_one(call.input(1)), d,
          last(call.input(2)),         call.boolean("causal"),      scale};
}

/// The number of attentions side by side: the product of all axes but the last two.
Index batch_of(const mt::OpCall& call) {
  const mt::Shape shape = call.input(0).shape();
  Index batch = 1;
  for (std::size_t axis = 0; axis + 2 < shape.size(); ++axis) batch *= shape[axis];
  return batch;
}

/// Memory of the host for the length of the call. After an error it is empty, and so is all that comes later.
class Scratch {
 public:
  explicit Scratch(const mt::OpCall& call) : call_(call) {}

  template <class T>
  Matrix<T> matrix(Index rows, Index columns) {
    if (!status_.ok()) return {nullptr, 0};
    const Index stride = round_up(columns, kColumns<T>);
    const auto tensor = call_.create_tensor(mt::dtype_of<T>, {round_up(rows, kRows), stride});
    if (!tensor) {
      status_ = tensor.status();
      return {nullptr, 0};
    }
    return {tensor->template data<T>(), stride};
  }
  mt::Status status() const { return status_; }

 private:
  const mt::OpCall& call_;
  mt::Status status_;
};

template <class T>
Matrix<const T> read_only(Matrix<T> matrix) {
  return {matrix.data, matrix.stride};
}

/// A block of queries against a block of keys.
struct Block {
  Index query;    // the first
  Index queries;  // how many; the padding is not counted
  Index key;

  /// How many of the block's keys the block's query `i` sees.
  Index keys_of(Index i, const Sizes& sizes) const {
    const Index keys = sizes.keys_of(query + i) - key;
    return keys < 0 ? 0 : keys > kKeyBlock ? kKeyBlock : keys;
  }
  /// Whether any query of the block sees any of its keys; the last query sees most.
  bool is_seen(const Sizes& sizes) const { return keys_of(queries - 1, sizes) > 0; }
};

/// What both directions do: the weights of a block of queries, by a softmax that sees its keys block by block.
template <class T>
class Softmax {
 public:
  Softmax(const Sizes& sizes, Scratch& scratch)
      : sizes_(sizes),
        keys_(scratch.matrix<T>(sizes.key_blocks() * sizes.d, kKeyBlock)),
        queries_(scratch.matrix<T>(kQueryBlock, sizes.d)),
        weights_(scratch.matrix<T>(kQueryBlock, kKeyBlock)) {}

  void set_keys(const T* k) { copy_transposed(k, sizes_.m, sizes_.d, keys_); }

  ATTENTION_ONCE void set_queries(const T* q, const Block& block) {
    copy_padded(q + block.query * sizes_.d, block.queries, sizes_.d, queries_, kQueryBlock);
    const auto scale = static_cast<T>(sizes_.scale);
    for (Index i = 0; i < kQueryBlock * queries_.stride; ++i) queries_.data[i] *= scale;
    for (Index i = 0; i < kQueryBlock; ++i) {
      largest_[i] = kNone;
      total_[i] = 0;
    }
  }

  /// The queries of the block, times the scale.
  Matrix<T> queries() const { return queries_; }
  Matrix<T> weights() const { return weights_; }
  /// The sum of row i's weights so far.
  T total(Index i) const { return total_[i]; }

  /// Takes a block of keys into the softmax. The weights are relative to the row's largest score so far; where that has
  /// grown, `rescale(i, factor)` is called: what row i has summed up before is to be multiplied by the factor.
  template <class Rescale>
  void add(const Block& block, const Rescale& rescale) {
    compute_scores(block);
    for (Index i = 0; i < block.queries; ++i) {
      T* row = weights_.row(i);
      const T before = largest_[i];
      largest_[i] = largest_of(row, before);
      if (largest_[i] > before) {
        const T factor = exp_of_negative<T>(broadcast<T>(before - largest_[i]))[0];
        total_[i] *= factor;
        rescale(i, factor);
      }
      total_[i] += exponentiate(row, largest_[i]);
    }
  }

  /// The weights of a block once `add` has seen all keys: those of the softmax over all of them.
  ATTENTION_ONCE void recompute(const Block& block) {
    compute_scores(block);
    for (Index i = 0; i < block.queries; ++i) {
      T* row = weights_.row(i);
      exponentiate(row, largest_[i]);
      const T inverse = sizes_.keys_of(block.query + i) > 0 ? 1 / total_[i] : 0;
      for (Index j = 0; j < kKeyBlock; j += kLanes<T>) store(row + j, load(row + j) * inverse);
    }
  }

 private:
  static constexpr T kNone = -std::numeric_limits<T>::infinity();

  /// q * k^T * scale; minus infinity where a query does not see the key.
  ATTENTION_ONCE void compute_scores(const Block& block) {
    clear(weights_.data, kQueryBlock * weights_.stride);
    add_product<T>(as_is(queries_), {keys_.row(block.key / kKeyBlock * sizes_.d), keys_.stride}, weights_,
                   round_up(block.queries, kRows), kKeyBlock, sizes_.d);
    for (Index i = 0; i < block.queries; ++i) {
      for (Index j = block.keys_of(i, sizes_); j < kKeyBlock; ++j) weights_.row(i)[j] = kNone;
    }
  }

  ATTENTION_ONCE static T largest_of(const T* row, T so_far) {
    Vector<T> found = broadcast(so_far);
    for (Index j = 0; j < kKeyBlock; j += kLanes<T>) found = larger(load(row + j), found);
    return largest_lane<T>(found);
  }

  /// Turns scores into weights, and returns their sum.
  ATTENTION_ONCE static T exponentiate(T* row, T largest) {
    const T reference = largest == kNone ? 0 : largest;  // infinity minus infinity is not a number
    Vector<T> sum = {};
    for (Index j = 0; j < kKeyBlock; j += kLanes<T>) {
      const Vector<T> weight = exp_of_negative<T>(load(row + j) - reference);
      store(row + j, weight);
      sum += weight;
    }
    return sum_of_lanes<T>(sum);
  }

  const Sizes sizes_;
  Matrix<T> keys_;  // each block of them transposed
  Matrix<T> queries_;
  Matrix<T> weights_;
  T largest_[kQueryBlock];  // the largest score of each row so far
  T total_[kQueryBlock];
};

/// Calls `body(block)` for each block of keys that the queries of `block` see.
template <class Body>
void for_each_key_block(Block block, const Sizes& sizes, const Body& body) {
  for (block.key = 0; block.key < sizes.m && block.is_seen(sizes); block.key += kKeyBlock) body(block);
}

/// Calls `body(block)` for each block of queries.
template <class Body>
void for_each_query_block(const Sizes& sizes, const Body& body) {
  for (Index query = 0; query < sizes.n; query += kQueryBlock) {
    const Index left = sizes.n - query;
    body(Block{query, left < kQueryBlock ? left : kQueryBlock, 0});
  }
}

template <class T>
class Forward {
 public:
  Forward(const Sizes& sizes, Scratch& scratch)
      : sizes_(sizes),
        softmax_(sizes, scratch),
        values_(scratch.matrix<T>(sizes.padded_keys(), sizes.e)),
        sums_(scratch.matrix<T>(kQueryBlock, sizes.e)) {}

  void run(const T* q, const T* k, const T* v, T* output) {
    softmax_.set_keys(k);
    copy_padded(v, sizes_.m, sizes_.e, values_, sizes_.padded_keys());
    for_each_query_block(sizes_, [&](const Block& block) {
      softmax_.set_queries(q, block);
      clear(sums_.data, kQueryBlock * sums_.stride);
      for_each_key_block(block, sizes_, [&](const Block& seen) { add(seen); });
      for (Index i = 0; i < block.queries; ++i) write(i, output + (block.query + i) * sizes_.e, block);
    });
  }

 private:
  void add(const Block& block) {
    softmax_.add(block, [&](Index i, T factor) {
      T* row = sums_.row(i);
      for (Index c = 0; c < sums_.stride; c += kLanes<T>) store(row + c, load(row + c) * factor);
    });
    add_product<T>(as_is(softmax_.weights()), {values_.row(block.key), values_.stride}, sums_,
                   round_up(block.queries, kRows), sums_.stride, kKeyBlock);
  }

  /// A query that sees no key gets zeros.
  void write(Index i, T* to, const Block& block) const {
    const T inverse = sizes_.keys_of(block.query + i) > 0 ? 1 / softmax_.total(i) : 0;
    for (Index c = 0; c < sizes_.e; ++c) to[c] = sums_.row(i)[c] * inverse;
  }

  const Sizes sizes_;
  Softmax<T> softmax_;
  Matrix<T> values_;
  Matrix<T> sums_;  // of weights times values, for each query of the block
};

/// With weights p = softmax(s), s = scale * q * k^T, and for each query a = sum of dy * y over its output:
///   dv = p^T * dy,  ds = p * (dy * v^T - a) element by element,  dq = scale * ds * k,  dk = scale * ds^T * q
template <class T>
class Backward {
 public:
  Backward(const Sizes& sizes, Scratch& scratch)
      : sizes_(sizes),
        softmax_(sizes, scratch),
        keys_(scratch.matrix<T>(sizes.padded_keys(), sizes.d)),
        values_(scratch.matrix<T>(sizes.key_blocks() * sizes.e, kKeyBlock)),
        dy_(scratch.matrix<T>(kQueryBlock, sizes.e)),
        ds_(scratch.matrix<T>(kQueryBlock, kKeyBlock)),
        dq_(scratch.matrix<T>(kQueryBlock, sizes.d)),
        dk_(scratch.matrix<T>(sizes.padded_keys(), sizes.d)),
        dv_(scratch.matrix<T>(sizes.padded_keys(), sizes.e)) {}

  void set(const T* k, const T* v) {
    softmax_.set_keys(k);
    copy_padded(k, sizes_.m, sizes_.d, keys_, sizes_.padded_keys());
    copy_transposed(v, sizes_.m, sizes_.e, values_);
    clear(dk_.data, sizes_.padded_keys() * dk_.stride);
    clear(dv_.data, sizes_.padded_keys() * dv_.stride);
  }

  void run(const T* q, const T* output, const T* dy, T* dq, T* dk, T* dv) {
    for_each_query_block(sizes_, [&](const Block& block) {
      softmax_.set_queries(q, block);
      for_each_key_block(block, sizes_, [&](const Block& seen) { softmax_.add(seen, [](Index, T) {}); });
      copy_padded(dy + block.query * sizes_.e, block.queries, sizes_.e, dy_, kQueryBlock);
      for (Index i = 0; i < block.queries; ++i) {
        pulls_[i] = 0;
        const T* y = output + (block.query + i) * sizes_.e;
        for (Index c = 0; c < sizes_.e; ++c) pulls_[i] += y[c] * dy_.row(i)[c];
      }
      clear(dq_.data, kQueryBlock * dq_.stride);
      for_each_key_block(block, sizes_, [&](const Block& seen) { add(seen); });
      copy_out(dq_, block.queries, sizes_.d, static_cast<T>(sizes_.scale), dq + block.query * sizes_.d);
    });
    copy_out(dk_, sizes_.m, sizes_.d, T{1}, dk);
    copy_out(dv_, sizes_.m, sizes_.e, T{1}, dv);
  }

 private:
  void add(const Block& block) {
    const Index rows = round_up(block.queries, kRows);
    softmax_.recompute(block);
    clear(ds_.data, kQueryBlock * ds_.stride);
    add_product<T>(as_is(dy_), {values_.row(block.key / kKeyBlock * sizes_.e), values_.stride}, ds_, rows, kKeyBlock,
                   sizes_.e);
    for (Index i = 0; i < rows; ++i) {
      T* row = ds_.row(i);
      const T pull = i < block.queries ? pulls_[i] : 0;
      for (Index j = 0; j < kKeyBlock; j += kLanes<T>) {
        store(row + j, load(softmax_.weights().row(i) + j) * (load(row + j) - pull));
      }
    }
    add_product<T>(as_is(ds_), {keys_.row(block.key), keys_.stride}, dq_, rows, dq_.stride, kKeyBlock);
    // The queries are scaled already.
    add_product<T>(transposed(ds_), read_only(softmax_.queries()), {dk_.row(block.key), dk_.stride}, kKeyBlock,
                   dk_.stride, block.queries);
    add_product<T>(transposed(softmax_.weights()), read_only(dy_), {dv_.row(block.key), dv_.stride}, kKeyBlock,
                   dv_.stride, block.queries);
  }

  ATTENTION_ONCE static void copy_out(Matrix<T> from, Index rows, Index columns, T factor, T* to) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) to[i * columns + j] = from.row(i)[j] * factor;
    }
  }

  const Sizes sizes_;
  Softmax<T> softmax_;
  Matrix<T> keys_;
  Matrix<T> values_;  // each block of them transposed
  Matrix<T> dy_;      // of the block's queries
  Matrix<T> ds_;      // of the block
  Matrix<T> dq_;      // of the block's queries
  Matrix<T> dk_;
  Matrix<T> dv_;
  T pulls_[kQueryBlock];
};

struct Attention {
  static constexpr auto name = "attention";
  static constexpr auto summary = "softmax(q * k^T * scale) * v, over the last two axes";
  static constexpr int input_count = 3;
  static constexpr const char* input_names[] = {"q", "k", "v"};
  /// `scale` 0 stands for 1 / sqrt(d). With `causal`, the last query sees all keys, the one before it one less, ….
  static constexpr mt::Attribute attributes[] = {mt::boolean("causal", false), mt::number("scale", 0)};

  static mt::Status validate(const mt::OpCall& call) {
    const mt::Shape q = call.input(0).shape();
    const mt::Shape k = call.input(1).shape();
    const mt::Shape v = call.input(2).shape();
    for (const mt::Shape& shape : {q, k, v}) {
      if (shape.size() < 2) {
        return call.error(mt::ErrorCode::kShape, "q, k and v must have two axes or more, but one is ", shape);
      }
    }
    if (!same_but_last_two(q, k) || !same_but_last_two(q, v)) {
      return call.error(mt::ErrorCode::kShape, "all axes but the last two must be the same: q is ", q, ", k is ", k,
                        ", v is ", v);
    }
    if (q.back() != k.back()) {
      return call.error(mt::ErrorCode::kShape, "the last axes of q and k must be the same: ", q, " and ", k);
    }
    if (last_but_one(call.input(1)) != last_but_one(call.input(2))) {
      return call.error(mt::ErrorCode::kShape, "k and v must have as many keys: ", k, " and ", v);
    }
    const double scale = call.number("scale");
    if (scale - scale != 0) {
      return call.error(mt::ErrorCode::kValue, "scale must be finite, but it is ", scale);
    }
    return {};
  }

  static mt::Dims output_shape(const mt::OpCall& call) {
    mt::Dims shape(call.input(0).shape());
    shape[shape.rank() - 1] = last(call.input(2));
    return shape;
  }

  template <class T>
  static mt::Status forward(const mt::OpCall& call) {
    if (call.output().size() == 0) return {};
    const Sizes sizes = sizes_of(call);
    Scratch scratch(call);
    Forward<T> attention(sizes, scratch);
    if (!scratch.status().ok()) return scratch.status();
    const T* q = call.input(0).data<T>();
    const T* k = call.input(1).data<T>();
    const T* v = call.input(2).data<T>();
    T* y = call.output().data<T>();
    for (Index left = batch_of(call); left > 0; --left) {
      attention.run(q, k, v, y);
      q += sizes.n * sizes.d;
      k += sizes.m * sizes.d;
      v += sizes.m * sizes.e;
      y += sizes.n * sizes.e;
    }
    return {};
  }

  template <class T>
  static mt::Status backward(const mt::OpCall& call) {
    if (call.output().size() == 0) return {};
    const Sizes sizes = sizes_of(call);
    Scratch scratch(call);
    Backward<T> attention(sizes, scratch);
    if (!scratch.status().ok()) return scratch.status();
    for (Index i = 0, count = batch_of(call); i < count; ++i) {
      const Index queries = i * sizes.n;
      const Index keys = i * sizes.m;
      attention.set(call.input(1).data<T>() + keys * sizes.d, call.input(2).data<T>() + keys * sizes.e);
      attention.run(call.input(0).data<T>() + queries * sizes.d, call.output().data<T>() + queries * sizes.e,
                    call.grad_output().data<T>() + queries * sizes.e, call.grad_input(0).data<T>() + queries * sizes.d,
                    call.grad_input(1).data<T>() + keys * sizes.d, call.grad_input(2).data<T>() + keys * sizes.e);
    }
    return {};
  }

 private:
  static bool same_but_last_two(mt::Shape a, mt::Shape b) {
    if (a.size() != b.size()) return false;
    for (std::size_t axis = 0; axis + 2 < a.size(); ++axis) {
      if (a[axis] != b[axis]) return false;
    }
    return true;
  }
};

struct AttentionPlugin {
  static const mt_plugin_info& info() { return kInfo; }
  static mt::OpList custom_operations() { return mt::ops<Attention>; }
};

}  // namespace
}  // namespace attention

MINITENSOR_PLUGIN(attention::AttentionPlugin)
