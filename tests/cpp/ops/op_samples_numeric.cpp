#include "ops/op_samples.h"

namespace minitensor::test {

namespace {

using Integers = std::vector<std::int64_t>;

}  // namespace

const OpSamples& numeric_op_samples() {
  static const OpSamples samples{
      {"arange", {{{}, {{"start", 5.0}}}}},
      {"abs", {{{{2, 3}}, {}, 0.1, 2}, {{{17}}, {}, -2, -0.1}, {{{0}}}}},
      {"clip", {{{{2, 3}, {3}, {}}}, {{{2, 3}, {2, 1}}}, {{{5}, {5}, {5}}, {}, -1, 1}, {{{0, 3}, {1}, {3}}}}},
      {"eye", {{{}, {{"n", 3.0}}}}},
      {"full", {{{}, {{"shape", Integers{2, 3}}, {"value", 0.5}}}}},
      {"fullLike", {{{{2, 3}}, {{"value", 0.5}}}, {{{0}}, {{"value", 0.5}}}}},
      {"linspace", {{{}, {{"start", 0.0}, {"stop", 1.0}}}}},
      {"ones", {{{}, {{"shape", Integers{2, 3}}}}}},
      {"permutation", {{{}, {{"n", 5.0}, {"seed", 1.0}}}}},
      {"rand", {{{}, {{"shape", Integers{2, 3}}, {"seed", 1.0}}}}},
      {"randint", {{{}, {{"low", 0.0}, {"high", 9.0}, {"shape", Integers{2, 3}}, {"seed", 1.0}}}}},
      {"tril", {{{{3, 3}}}, {{{2, 2, 4}}, {{"k", 1.0}}}, {{{0, 3}}}}},
      {"triu", {{{{3, 3}}}, {{{2, 2, 4}}, {{"k", -1.0}}}, {{{0, 3}}}}},
      {"reciprocal", {{{{2, 3}}, {}, 0.5, 2}, {{{17}}, {}, -2, -0.5}, {{{0}}}}},
      {"zeros", {{{}, {{"shape", Integers{2, 3}}}}}},
  };
  return samples;
}

}  // namespace minitensor::test
