#include "minitensor/ops/random_ops.h"

#include <string>
#include <vector>

#include "minitensor/ops/creation.h"
#include "minitensor/ops/elementwise.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

void require_dtype(bool is_taken, const char* operation, const char* wanted, DType dtype) {
  if (is_taken) return;
  throw Error(ErrorCode::kDType,
              std::string(operation) + ": gives " + wanted + ", not " + std::string(dtype_name(dtype)));
}

std::size_t count_of(const Tensor& x) { return static_cast<std::size_t>(x.size()); }

}  // namespace

Generator& default_generator() noexcept {
  thread_local Generator generator;
  return generator;
}

namespace {

// A tensor of floating-point numbers that one of these draws.
Tensor drawn(const char* operation, void (*float32)(Generator&, float*, std::size_t),
             void (*float64)(Generator&, double*, std::size_t), const Shape& shape, DType dtype, Generator& generator) {
  require_dtype(is_floating(dtype), operation, "float32 or float64", dtype);
  Tensor result = empty_for(operation, shape, dtype);
  if (dtype == DType::kFloat32) {
    float32(generator, result.data<float>(), count_of(result));
  } else {
    float64(generator, result.data<double>(), count_of(result));
  }
  return result;
}

}  // namespace

Tensor rand(const Shape& shape, DType dtype, Generator& generator) {
  return drawn("rand", fill_uniform, fill_uniform, shape, dtype, generator);
}

Tensor randn(const Shape& shape, DType dtype, Generator& generator) {
  return drawn("randn", fill_normal, fill_normal, shape, dtype, generator);
}

Tensor randint(std::int64_t low, std::int64_t high, const Shape& shape, DType dtype, Generator& generator) {
  require_dtype(is_integer(dtype), "randint", "int32, int64 or uint8", dtype);
  if (low >= high || !holds(dtype, low, high)) {
    throw_error(ErrorCode::kValue,
                {"randint: ", dtype_name(dtype), " has no integers from ", low, " up to, but not including, ", high});
  }
  Tensor result = empty_for("randint", shape, DType::kInt64);
  // Wraps around where the interval is wider than int64 is.
  const std::uint64_t bound = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  fill_integers(generator, bound, result.data<std::int64_t>(), count_of(result));
  return add(result, Tensor::from<std::int64_t>({low}, {})).cast(dtype);
}

Tensor permutation(std::int64_t n, DType dtype, Generator& generator) {
  require_dtype(is_integer(dtype), "permutation", "int32, int64 or uint8", dtype);
  if (n < 0 || (n > 0 && !holds(dtype, 0, n))) {
    throw_error(ErrorCode::kValue, {"permutation: ", dtype_name(dtype), " does not number ", n, " things"});
  }
  Tensor result = empty_for("permutation", Shape{n}, DType::kInt64);
  fill_permutation(generator, result.data<std::int64_t>(), count_of(result));
  return result.cast(dtype);
}

namespace {

// A stream of its own for a call that gives a seed, else the one that goes on from call to call.
class Stream {
 public:
  Stream(const Attributes& attributes, std::size_t seed)
      : own_{attributes.has(seed) ? static_cast<std::uint64_t>(attributes.integer(seed)) : 0},
        chosen_(attributes.has(seed) ? own_ : default_generator()) {}

  operator Generator&() noexcept { return chosen_; }  // NOLINT(google-explicit-constructor): it stands for one

 private:
  Generator own_;
  Generator& chosen_;
};

constexpr OpEntry kOps[] = {
    {"rand(; shape: integers, dtype: dtype = float32, seed: integer?)", DTypeRule::kFree,
     [](const OpCall& call) {
       Stream stream(call.attributes, 2);
       return rand(call.shape(0), call.attributes.dtype(1), stream);
     }},
    {"randn(; shape: integers, dtype: dtype = float32, seed: integer?)", DTypeRule::kFree,
     [](const OpCall& call) {
       Stream stream(call.attributes, 2);
       return randn(call.shape(0), call.attributes.dtype(1), stream);
     }},
    {"randint(; low: integer, high: integer, shape: integers = [], dtype: dtype = int64, seed: integer?)",
     DTypeRule::kFree,
     [](const OpCall& call) {
       Stream stream(call.attributes, 4);
       return randint(call.attributes.integer(0), call.attributes.integer(1), call.shape(2), call.attributes.dtype(3),
                      stream);
     }},
    {"permutation(; n: integer, dtype: dtype = int64, seed: integer?)", DTypeRule::kFree,
     [](const OpCall& call) {
       Stream stream(call.attributes, 2);
       return permutation(call.attributes.integer(0), call.attributes.dtype(1), stream);
     }},
};

}  // namespace

std::span<const OpEntry> random_ops() { return kOps; }

}  // namespace minitensor
