#include <array>

#include "minitensor/base/number_text.h"
#include "minitensor/ops/op_table.h"
#include "minitensor/ops/random.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

struct Drop {
  template <typename T>
  T operator()(T x, T uniform, const double* parameters) const {
    return static_cast<double>(uniform) < parameters[0] ? T{0} : x * static_cast<T>(parameters[1]);
  }
};

constexpr Elementwise kDrop = binary_kernels<Drop, false>("dropout", DTypeRule::kFloat);

// Drops the same elements of the gradient as of x: those whose number of the stream is below p.
Tensor dropped(const Tensor& x, const Attributes& attributes) {
  const double p = attributes.number(0);
  if (!(p >= 0 && p <= 1)) {
    throw_error(ErrorCode::kValue, {"dropout: p must be a probability, from 0 to 1, not ", number_text(p)});
  }
  Generator generator{static_cast<std::uint64_t>(attributes.integer(1)), 0};
  Tensor uniform = Tensor::empty(x.shape(), DType::kFloat32);
  fill_uniform(generator, uniform.data<float>(), static_cast<std::size_t>(x.size()));
  const double parameters[] = {p, p < 1 ? 1 / (1 - p) : 0};
  return run_kernels(kDrop, std::array{x, uniform}, parameters);
}

constexpr OpEntry kOps[] = {
    {"dropout(x; p: number = 0.5, seed: integer)", DTypeRule::kFloat,
     [](const OpCall& call) { return dropped(call[0], call.attributes); },
     [](const BackwardArguments& at) -> Gradients { return {dropped(at.grad_output, at.attributes)}; }, kSaveNothing},
};

}  // namespace

std::span<const OpEntry> dropout_ops() { return kOps; }

}  // namespace minitensor
