#include "minitensor/ops/matmul.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "minitensor/ops/shape_ops.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using test::make_tensor;
using test::pseudo_random;
using test::tensor_matches;
using test::tensors_equal;
using test::with_gaps;
using test::with_reversed_axes;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The definition, for two matrices.
std::vector<double> product(const Tensor& a, const Tensor& b) {
  const std::int64_t rows = a.shape()[0];
  const std::int64_t inner = a.shape()[1];
  const std::int64_t columns = b.shape()[1];
  const std::vector<double> x = a.to_vector();
  const std::vector<double> y = b.to_vector();
  std::vector<double> result;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      double total = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        total += x[static_cast<std::size_t>(i * inner + k)] * y[static_cast<std::size_t>(k * columns + j)];
      }
      result.push_back(total);
    }
  }
  return result;
}

TEST(Matmul, MultipliesMatrices) {
  EXPECT_TENSOR_EQ(matmul(make_tensor({1, 2, 3, 4}, {2, 2}), make_tensor({5, 6, 7, 8}, {2, 2})), {{19, 22}, {43, 50}});
}

// The numbers of this group came from NumPy, with a = arange(…).reshape(…), shifted where it is seen here.
class MatmulRanks : public testing::Test {
 protected:
  static Tensor shifted(const Shape& shape, double by) {
    std::vector<double> values = iota(shape).to_vector();
    for (double& value : values) value += by;
    return make_tensor(values, shape);
  }

  const Tensor v3_ = make_tensor({1, -2, 3}, {3});
};

TEST_F(MatmulRanks, Of2And2AreMatrices) {
  EXPECT_TENSOR_EQ(matmul(iota({2, 3}), shifted({3, 4}, -5)), {{5, 8, 11, 14}, {-4, 8, 20, 32}});
}

TEST_F(MatmulRanks, Of1And1AreAScalarProduct) {
  const Tensor result = matmul(v3_, make_tensor({4, 5, 6}, {3}));
  EXPECT_EQ(result.rank(), 0);
  EXPECT_EQ(result.item(), 12);
}

TEST_F(MatmulRanks, Of1And2AreARowTimesAMatrix) { EXPECT_TENSOR_EQ(matmul(v3_, shifted({3, 4}, -5)), {6, 8, 10, 12}); }

TEST_F(MatmulRanks, Of2And1AreAMatrixTimesAColumn) { EXPECT_TENSOR_EQ(matmul(iota({2, 3}), v3_), {4, 10}); }

TEST_F(MatmulRanks, Of3And2AreABatchTimesOneMatrix) {
  EXPECT_TENSOR_EQ(matmul(iota({2, 2, 3}), shifted({3, 2}, -2)), {{{4, 7}, {4, 16}}, {{4, 25}, {4, 34}}});
}

TEST_F(MatmulRanks, Of2And3AreOneMatrixTimesABatch) {
  EXPECT_TENSOR_EQ(matmul(iota({2, 2}), iota({2, 2, 3})), {{{3, 4, 5}, {9, 14, 19}}, {{9, 10, 11}, {39, 44, 49}}});
}

TEST_F(MatmulRanks, Of3And1AreABatchTimesAColumn) {
  EXPECT_TENSOR_EQ(matmul(iota({2, 2, 3}), v3_), {{4, 10}, {16, 22}});
}

TEST_F(MatmulRanks, Of1And3AreARowTimesABatch) { EXPECT_TENSOR_EQ(matmul(v3_, iota({2, 3, 2})), {{8, 10}, {20, 22}}); }

TEST_F(MatmulRanks, Of4And3BroadcastTheBatch) {
  EXPECT_TENSOR_EQ(matmul(iota({2, 1, 2, 3}), shifted({3, 3, 2}, -9)),
                   {{{{-17, -14}, {-80, -68}}, {{1, 4}, {-8, 4}}, {{19, 22}, {64, 76}}},
                    {{{-143, -122}, {-206, -176}}, {{-17, 4}, {-26, 4}}, {{109, 130}, {154, 184}}}});
}

TEST(Matmul, GivesTheDefinitionAtEverySize) {
  std::vector<std::int64_t> sizes{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33};
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (const std::int64_t rows : sizes) {
      for (const std::int64_t inner : {1, 2, 7, 8, 17}) {
        for (const std::int64_t columns : sizes) {
          const Tensor a = pseudo_random({rows, inner}, dtype, 1);
          const Tensor b = pseudo_random({inner, columns}, dtype, 2);
          ASSERT_TRUE(tensor_matches(matmul(a, b), {rows, columns}, product(a, b)))
              << to_string(a.shape()) << ' ' << to_string(b.shape());
        }
      }
    }
  }
}

TEST(Matmul, GivesTheDefinitionAroundBlockSizes) {
  const std::vector<std::vector<std::int64_t>> cases{{64, 64, 64}, {63, 65, 66},  {128, 3, 129}, {5, 127, 128},
                                                     {1, 1000, 1}, {1, 999, 130}, {130, 257, 1}, {2, 3, 1001}};
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (const auto& sizes : cases) {
      const Tensor a = pseudo_random({sizes[0], sizes[1]}, dtype, 3);
      const Tensor b = pseudo_random({sizes[1], sizes[2]}, dtype, 4);
      EXPECT_TRUE(tensor_matches(matmul(a, b), {sizes[0], sizes[2]}, product(a, b))) << to_string(a.shape());
    }
  }
}

TEST(Matmul, TakesAnyStrides) {
  const Tensor a = pseudo_random({5, 7}, DType::kFloat32, 1);
  const Tensor b = pseudo_random({7, 6}, DType::kFloat32, 2);
  const Tensor result = matmul(a, b);
  for (const Tensor& x : {a, with_gaps(a), with_reversed_axes(a)}) {
    for (const Tensor& y : {b, with_gaps(b), with_reversed_axes(b)}) {
      EXPECT_TRUE(tensors_equal(matmul(x, y), result));
    }
  }
  EXPECT_TRUE(tensors_equal(transpose(matmul(transpose(b), transpose(a))), result));
  const Tensor vector = pseudo_random({7}, DType::kFloat32, 3);
  EXPECT_TRUE(tensors_equal(matmul(a, with_gaps(vector)), matmul(a, vector)));
  EXPECT_TRUE(tensors_equal(matmul(with_gaps(vector), b), matmul(vector, b)));
  const Tensor ones = Tensor::full({}, 1, DType::kFloat32);
  EXPECT_TENSOR_EQ(matmul(ones.broadcast_to({2, 3}), ones.broadcast_to({3, 2})), {{3, 3}, {3, 3}});
}

TEST(Matmul, MultipliesEachMatrixOfABatch) {
  const Tensor a = pseudo_random({2, 3, 4, 5}, DType::kFloat64, 1);
  const Tensor b = pseudo_random({3, 5, 6}, DType::kFloat64, 2);
  const Tensor result = matmul(a, b);
  EXPECT_EQ(result.shape(), (Shape{2, 3, 4, 6}));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      const Tensor x = a.view({4, 5}, {5, 1}, (i * 3 + j) * 20);
      const Tensor y = b.view({5, 6}, {6, 1}, j * 30);
      const Tensor z = result.view({4, 6}, {6, 1}, (i * 3 + j) * 24);
      EXPECT_TRUE(tensor_matches(z, {4, 6}, product(x, y)));
    }
  }
  for (const Tensor& x : {with_gaps(a), with_reversed_axes(a)}) {
    for (const Tensor& y : {with_gaps(b), with_reversed_axes(b)}) EXPECT_TRUE(tensors_equal(matmul(x, y), result));
  }
}

TEST(Matmul, BroadcastsBatchAxesOfSizeOne) {
  const Tensor a = pseudo_random({3, 1, 2, 4}, DType::kFloat32, 1);
  const Tensor b = pseudo_random({1, 2, 4, 3}, DType::kFloat32, 2);
  EXPECT_EQ(matmul(a, b).shape(), (Shape{3, 2, 2, 3}));
  EXPECT_TRUE(tensors_equal(matmul(a, b), matmul(a.broadcast_to({3, 2, 2, 4}), b.broadcast_to({3, 2, 4, 3}))));
}

TEST(Matmul, TakesTheMostAxes) {
  const Tensor a = pseudo_random({1, 2, 1, 1, 1, 1, 2, 3});
  EXPECT_EQ(matmul(a, pseudo_random({3, 2})).shape(), (Shape{1, 2, 1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(matmul(a, pseudo_random({3})).shape(), (Shape{1, 2, 1, 1, 1, 1, 2}));
  EXPECT_EQ(matmul(pseudo_random({2}), a).shape(), (Shape{1, 2, 1, 1, 1, 1, 3}));
}

TEST(Matmul, OfNoInnerElementsIsZero) {
  EXPECT_TENSOR_EQ(matmul(iota({2, 0}), iota({0, 3})), {{0, 0, 0}, {0, 0, 0}});
  EXPECT_TENSOR_EQ(matmul(iota({0}), iota({0})), (0));
  EXPECT_TENSOR_EQ(matmul(iota({0}), iota({0, 2})), {0, 0});
  EXPECT_TENSOR_EQ(matmul(iota({2, 1, 0}), iota({0, 1})), {{{0}}, {{0}}});
}

TEST(Matmul, TakesEmptyTensors) {
  EXPECT_EQ(matmul(iota({0, 3}), iota({3, 2})).shape(), (Shape{0, 2}));
  EXPECT_EQ(matmul(iota({2, 3}), iota({3, 0})).shape(), (Shape{2, 0}));
  EXPECT_EQ(matmul(iota({0, 3}), iota({3})).shape(), (Shape{0}));
  EXPECT_EQ(matmul(iota({0, 2, 3}), iota({3, 4})).shape(), (Shape{0, 2, 4}));
  EXPECT_EQ(matmul(iota({0, 2, 3}), iota({1, 3, 4})).shape(), (Shape{0, 2, 4}));
  EXPECT_EQ(matmul(iota({0, 0}), iota({0, 0})).shape(), (Shape{0, 0}));
}

TEST(Matmul, PropagatesNaNAndInfinity) {
  // 0 * inf is NaN: a zero must not skip the row that it multiplies.
  EXPECT_TENSOR_EQ(matmul(make_tensor({0, 1}, {1, 2}), make_tensor({kInf, 2}, {2, 1})), {{kNaN}});
  EXPECT_TENSOR_EQ(matmul(make_tensor({kInf, 1}, {1, 2}), make_tensor({0, 2}, {2, 1})), {{kNaN}});
  EXPECT_TENSOR_EQ(matmul(make_tensor({0, 0}, {2}), make_tensor({kNaN, 1, 1, 2}, {2, 2})), {kNaN, 0});
  EXPECT_TENSOR_EQ(matmul(make_tensor({1, kNaN, 3, 4}, {2, 2}), make_tensor({1, 1}, {2})), {kNaN, 7});
  EXPECT_TENSOR_EQ(matmul(make_tensor({1, 1}, {2}), make_tensor({kInf, -kInf}, {2})), (kNaN));
  EXPECT_TENSOR_EQ(matmul(make_tensor({kInf, 1}, {2}), make_tensor({1, 1}, {2})), (kInf));
  EXPECT_TENSOR_EQ(matmul(make_tensor({3e38}, {1}), make_tensor({10}, {1})), (kInf));
}

TEST(Matmul, PropagatesNaNToItsRowOnly) {
  for (const std::int64_t size : {3, 8, 17, 64}) {
    std::vector<double> values(static_cast<std::size_t>(size * size), 1);
    values[static_cast<std::size_t>(size + 1)] = kNaN;
    const Tensor result = matmul(make_tensor(values, {size, size}), Tensor::full({size, size}, 1, DType::kFloat32));
    const std::vector<double> elements = result.to_vector();
    for (std::int64_t i = 0; i < size * size; ++i) {
      EXPECT_EQ(std::isnan(elements[static_cast<std::size_t>(i)]), i / size == 1);
    }
  }
}

TEST(Matmul, PromotesMixedDTypes) {
  const Tensor a = make_tensor({0.1, 0.2}, {1, 2}, DType::kFloat32);
  const Tensor b = make_tensor({0.1, 0.2}, {2, 1}, DType::kFloat64);
  EXPECT_EQ(matmul(a, b).dtype(), DType::kFloat64);
  EXPECT_EQ(matmul(b, a).dtype(), DType::kFloat64);
  EXPECT_TENSOR_ULPS(matmul(a, b), 1, {{static_cast<double>(0.1F) * 0.1 + static_cast<double>(0.2F) * 0.2}});
  EXPECT_EQ(matmul(a, a.view({2}, {1})).dtype(), DType::kFloat32);
}

TEST(Matmul, RefusesInnerSizesThatDiffer) {
  EXPECT_MT_ERROR(matmul(iota({2, 3}), iota({4, 5})), ErrorCode::kShape, "matmul: inner sizes differ: [2,3] x [4,5]");
  EXPECT_MT_ERROR(matmul(iota({3}), iota({4})), ErrorCode::kShape, "matmul: inner sizes differ: [3] x [4]");
  EXPECT_MT_ERROR(matmul(iota({3}), iota({2, 3})), ErrorCode::kShape, "[3] x [2,3]");
  EXPECT_MT_ERROR(matmul(iota({2, 3}), iota({2})), ErrorCode::kShape, "[2,3] x [2]");
  EXPECT_MT_ERROR(matmul(iota({2, 2, 3}), iota({2, 2, 3})), ErrorCode::kShape, "[2,2,3] x [2,2,3]");
  // Sizes of 1 broadcast on other axes, not here.
  EXPECT_MT_ERROR(matmul(iota({2, 1}), iota({3, 2})), ErrorCode::kShape, "[2,1] x [3,2]");
  EXPECT_MT_ERROR(matmul(iota({2, 3}), iota({1, 2})), ErrorCode::kShape, "[2,3] x [1,2]");
  EXPECT_MT_ERROR(matmul(iota({0, 2}), iota({3, 0})), ErrorCode::kShape, "[0,2] x [3,0]");
}

TEST(Matmul, RefusesZeroDimensionalInputs) {
  EXPECT_MT_ERROR(matmul(iota({}), iota({2, 3})), ErrorCode::kShape, "matmul: ");
  EXPECT_MT_ERROR(matmul(iota({2, 3}), iota({})), ErrorCode::kShape, "[2,3] x []");
  EXPECT_MT_ERROR(matmul(iota({}), iota({})), ErrorCode::kShape, "[] x []");
}

TEST(Matmul, RefusesBatchesThatDoNotBroadcast) {
  EXPECT_MT_ERROR(matmul(iota({2, 1, 1}), iota({3, 1, 1})), ErrorCode::kShape, "matmul: ");
  EXPECT_MT_ERROR(matmul(iota({2, 3, 4, 5}), iota({2, 5, 4})), ErrorCode::kShape, "matmul: ");
}

}  // namespace
}  // namespace minitensor
