#include <limits>

#include "ops/op_samples.h"

namespace minitensor::test {

namespace {

using Integers = std::vector<std::int64_t>;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Of ops with the attributes axis (any number of them) and keepDims.
std::vector<OpSample> reductions(double low = -2, double high = 2) {
  return {{{{}}, {}, low, high},
          {{{2, 3, 4}}, {}, low, high},
          {{{2, 3, 4}}, {{"axis", -1.0}}, low, high},
          {{{20, 17}}, {{"axis", 0.0}}, low, high},
          {{{2, 3, 4}}, {{"axis", Integers{2, 0}}, {"keepDims", true}}, low, high},
          {{{3}}, {{"axis", Integers{}}}, low, high},
          {{{0, 3}}, {{"axis", 1.0}}, low, high}};
}

// Of ops with an axis that may be left out.
std::vector<OpSample> along_an_axis() {
  return {{{{}}},
          {{{2, 3, 4}}},
          {{{2, 3, 4}}, {{"axis", -1.0}}},
          {{{20, 17}}, {{"axis", 0.0}}},
          {{{0, 3}}, {{"axis", 1.0}}}};
}

std::vector<OpSample> softmaxes() {
  return {{{{}}}, {{{2, 7}}}, {{{2, 3, 4}}, {{"axis", 1.0}}}, {{{20, 17}}, {{"axis", 0.0}}}, {{{0, 3}}}, {{{3, 0}}}};
}

std::vector<OpSample> joined(std::vector<OpSample> samples, const std::vector<OpSample>& more) {
  samples.insert(samples.end(), more.begin(), more.end());
  return samples;
}

}  // namespace

const OpSamples& reduction_op_samples() {
  static const OpSamples samples{
      {"all", reductions()},
      {"any", reductions()},
      {"argmax", along_an_axis()},
      {"argmin", along_an_axis()},
      {"cumprod", along_an_axis()},
      {"cumsum", along_an_axis()},
      {"dot",
       {{{{3}, {3}}}, {{{}, {2, 3}}}, {{{2, 3}, {3}}}, {{{2, 3}, {2, 3, 4}}}, {{{0, 3}, {3}}}, {{{2, 0}, {0, 2}}}}},
      {"einsum",
       {{{{2, 3}, {3, 4}}, {{"equation", std::string("ij,jk->ik")}}},
        {{{2, 3}, {3, 4}, {4, 2}}, {{"equation", std::string("ij,jk,kl")}}},
        {{{3, 3}}, {{"equation", std::string("ii->i")}}},
        {{{3, 3}}, {{"equation", std::string("ii")}}},
        {{{2, 3, 3}, {3}}, {{"equation", std::string("bii,i->b")}}},
        {{{2, 3}}, {{"equation", std::string("ij->ji")}}},
        {{{2, 3}, {4}}, {{"equation", std::string("ij,k->k")}}},
        {{{5, 2, 3}, {1, 3, 4}}, {{"equation", std::string("...ij,...jk->...ik")}}},
        {{{2, 1}, {3}}, {{"equation", std::string("bi,i->b")}}},
        {{{2, 3}, {2, 3}, {2}}, {{"equation", std::string("bi,bi,b->b")}}},
        {{{0, 3}, {3}}, {{"equation", std::string("ij,j->i")}}},
        {{{2, 0}, {0}}, {{"equation", std::string("ij,j->i")}}}}},
      {"layerNorm",
       {{{{2, 7}}},
        {{{2, 3, 4}, {4}, {4}}},
        {{{2, 3, 4}, {3, 4}, {3, 4}}, {{"axis", 1.0}, {"eps", 0.1}}},
        {{{2, 5}, {5}}},
        {{{0, 3}, {3}, {3}}},
        {{{3, 0}}}}},
      {"logSoftmax", softmaxes()},
      {"logSumExp", reductions()},
      {"max", reductions()},
      {"min", reductions()},
      {"norm", joined(reductions(), {{{{2, 3}}, {{"ord", 1.0}, {"axis", 0.0}}},
                                     {{{2, 3}}, {{"ord", kInf}, {"axis", 1.0}}},
                                     {{{2, 0}}, {{"ord", kInf}, {"axis", 1.0}}}})},
      {"outer", {{{{3}, {4}}}, {{{2, 3}, {2}}}, {{{}, {3}}}, {{{0, 3}, {2}}}}},
      {"prod", reductions(0.5, 1.5)},
      {"rmsNorm", {{{{2, 7}}}, {{{2, 3, 4}, {3, 4}}, {{"axis", -2.0}, {"eps", 0.1}}}, {{{0, 3}, {3}}}, {{{3, 0}}}}},
      {"softmax", softmaxes()},
      {"std",
       {{{{2, 3, 4}}},
        {{{2, 3, 4}}, {{"axis", -1.0}, {"correction", 1.0}}},
        {{{20, 17}}, {{"axis", 0.0}, {"keepDims", true}}},
        {{{0, 3}}, {{"axis", 1.0}}}}},
      {"var", joined(reductions(), {{{{2, 3, 4}}, {{"axis", 1.0}, {"correction", 0.5}}}})},
  };
  return samples;
}

}  // namespace minitensor::test
