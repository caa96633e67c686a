// The reductions that are to be fast: this file is compiled for speed.
#include "minitensor/ops/reductions.h"

namespace minitensor {

namespace {

// Written so that NaN, which compares with nothing, is kept.

struct Larger {
  template <typename T>
  T operator()(T a, T b) const {
    return a >= b || a != a ? a : b;  // NOLINT(misc-redundant-expression): only NaN differs from itself
  }
};

struct Smaller {
  template <typename T>
  T operator()(T a, T b) const {
    return a <= b || a != a ? a : b;  // NOLINT(misc-redundant-expression)
  }
};

}  // namespace

constinit const Reduction kSum = make_reduction<kernel::Plus, true>("sum", DTypeRule::kTotal, 0);
constinit const Reduction kMean = make_reduction<kernel::Plus, true>("mean", DTypeRule::kFloat, 0);
constinit const Reduction kMax = make_reduction<Larger, true, float>("max", DTypeRule::kAny, 0, true);
constinit const Reduction kMin = make_reduction<Smaller, true, float>("min", DTypeRule::kAny, 0, true);

}  // namespace minitensor
