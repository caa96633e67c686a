#include "minitensor/ops/kernels/matmul.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace minitensor {
namespace {

using kernels::MatrixView;

// A matrix with the given steps between its elements, in an array that has nothing else but NaN (or a large number).
template <typename T>
struct Matrix {
  std::vector<T> memory;
  std::ptrdiff_t first;
  std::ptrdiff_t row_step;
  std::ptrdiff_t column_step;

  MatrixView<T> view() const { return {memory.data() + first, row_step, column_step}; }
  T at(std::size_t i, std::size_t j) const {
    return memory[static_cast<std::size_t>(first + static_cast<std::ptrdiff_t>(i) * row_step +
                                           static_cast<std::ptrdiff_t>(j) * column_step)];
  }
};

enum class Layout { kRowMajor, kColumnMajor, kGaps, kReversed, kOneRow };

template <typename T>
Matrix<T> random_matrix(std::size_t rows, std::size_t columns, Layout layout, unsigned seed) {
  const auto m = static_cast<std::ptrdiff_t>(rows);
  const auto n = static_cast<std::ptrdiff_t>(columns);
  Matrix<T> x{{}, 0, n, 1};
  if (layout == Layout::kColumnMajor) x = {{}, 0, 1, m};
  if (layout == Layout::kGaps) x = {{}, 3, 2 * n + 5, 2};
  if (layout == Layout::kReversed) x = {{}, m * n - 1, -n, -1};
  if (layout == Layout::kOneRow) x = {{}, 0, 0, 1};
  const T outside = std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T(1000000);
  x.memory.assign((rows + 1) * (2 * columns + 5) + 3, outside);
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const T value = static_cast<T>(static_cast<std::int32_t>(random() % 2001) - 1000) / static_cast<T>(7);
      x.memory[static_cast<std::size_t>(x.first + static_cast<std::ptrdiff_t>(i) * x.row_step +
                                        static_cast<std::ptrdiff_t>(j) * x.column_step)] = value;
    }
  }
  return x;
}

// Compares with the definition in double (in int64 for int64), within the bound that the header states.
template <typename T>
void expect_product(const Matrix<T>& a, const Matrix<T>& b, std::size_t rows, std::size_t inner, std::size_t columns) {
  const T untouched = static_cast<T>(77);
  std::vector<T> out(rows * columns + 1, untouched);
  kernels::matmul(a.view(), b.view(), out.data(), rows, inner, columns);
  ASSERT_EQ(out.back(), untouched);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0;
      double magnitude = 0;
      for (std::size_t k = 0; k < inner; ++k) {
        const double product = static_cast<double>(a.at(i, k)) * static_cast<double>(b.at(k, j));
        sum += product;
        magnitude += std::fabs(product);
      }
      const double epsilon =
          std::numeric_limits<T>::is_integer ? 0 : static_cast<double>(std::numeric_limits<T>::epsilon());
      // For float64, the reference has as large an error.
      const double bound = static_cast<double>(inner) * epsilon * magnitude * (sizeof(T) == 8 ? 1 : 0.5);
      ASSERT_LE(std::fabs(static_cast<double>(out[i * columns + j]) - sum), bound)
          << rows << 'x' << inner << 'x' << columns << " at " << i << ',' << j;
    }
  }
}

template <typename T>
class MatmulKernel : public testing::Test {};

using Types = testing::Types<float, double, std::int64_t>;
TYPED_TEST_SUITE(MatmulKernel, Types);

TYPED_TEST(MatmulKernel, GivesTheDefinitionAtEveryTail) {
  for (const std::size_t rows : {0U, 1U, 3U, 4U, 5U, 8U, 19U}) {
    for (const std::size_t inner : {0U, 1U, 2U, 31U, 300U}) {
      for (const std::size_t columns : {0U, 1U, 3U, 4U, 7U, 8U, 9U, 33U}) {
        const auto a = random_matrix<TypeParam>(rows, inner, Layout::kRowMajor, 1);
        const auto b = random_matrix<TypeParam>(inner, columns, Layout::kRowMajor, 2);
        expect_product(a, b, rows, inner, columns);
      }
    }
  }
}

TYPED_TEST(MatmulKernel, GivesTheDefinitionAroundBlocks) {
  for (const auto& [rows, inner, columns] :
       {std::array<std::size_t, 3>{63, 255, 9}, {65, 257, 9}, {129, 513, 5}, {4, 3, 1023}, {5, 2, 1025}}) {
    const auto a = random_matrix<TypeParam>(rows, inner, Layout::kRowMajor, 3);
    const auto b = random_matrix<TypeParam>(inner, columns, Layout::kRowMajor, 4);
    expect_product(a, b, rows, inner, columns);
  }
}

TYPED_TEST(MatmulKernel, TakesAnySteps) {
  for (const Layout a_layout :
       {Layout::kRowMajor, Layout::kColumnMajor, Layout::kGaps, Layout::kReversed, Layout::kOneRow}) {
    for (const Layout b_layout :
         {Layout::kRowMajor, Layout::kColumnMajor, Layout::kGaps, Layout::kReversed, Layout::kOneRow}) {
      for (const std::size_t inner : {5U, 270U}) {
        const auto a = random_matrix<TypeParam>(18, inner, a_layout, 5);
        const auto b = random_matrix<TypeParam>(inner, 21, b_layout, 6);
        expect_product(a, b, 18, inner, 21);
      }
    }
  }
}

TYPED_TEST(MatmulKernel, SumsInOneOrderWhateverTheSize) {
  // An element has the same bits in a small product, which is not packed, and in a large one.
  const auto a = random_matrix<TypeParam>(80, 600, Layout::kRowMajor, 7);
  const auto b = random_matrix<TypeParam>(600, 30, Layout::kColumnMajor, 8);
  std::vector<TypeParam> whole(std::size_t{80} * 30);
  kernels::matmul(a.view(), b.view(), whole.data(), 80, 600, 30);
  for (const std::size_t i : {0U, 4U, 79U}) {
    for (const std::size_t j : {0U, 8U, 29U}) {
      MatrixView<TypeParam> row = a.view();
      row.data += static_cast<std::ptrdiff_t>(i) * row.row_step;
      MatrixView<TypeParam> column = b.view();
      column.data += static_cast<std::ptrdiff_t>(j) * column.column_step;
      TypeParam element{};
      kernels::matmul(row, column, &element, 1, 600, 1);
      EXPECT_EQ(element, whole[i * 30 + j]);
    }
  }
}

TEST(MatmulKernelOfIntegers, WrapsAround) {
  const std::int64_t a = std::numeric_limits<std::int64_t>::max();
  const std::int64_t b = 2;
  std::int64_t out = 0;
  kernels::matmul(MatrixView<std::int64_t>{&a, 1, 1}, MatrixView<std::int64_t>{&b, 1, 1}, &out, 1, 1, 1);
  EXPECT_EQ(out, -2);
}

TEST(MatmulKernelOfFloats, KeepsNaNInItsRow) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> a(std::size_t{66} * 300, 1.0F);
  a[1799] = nan;
  const std::vector<float> b(std::size_t{300} * 17, 0.0F);
  std::vector<float> out(std::size_t{66} * 17);
  kernels::matmul(MatrixView<float>{a.data(), 300, 1}, MatrixView<float>{b.data(), 17, 1}, out.data(), 66, 300, 17);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(std::isnan(out[i]), i / 17 == 5) << i;
}

}  // namespace
}  // namespace minitensor
