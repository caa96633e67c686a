#include "minitensor/ops/kernels/matmul.h"

#include <algorithm>
#include <cstring>

#include "minitensor/tensor/storage.h"

namespace minitensor::kernels {

namespace {

// The blocks of K. Goto and R. van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS 34 (2008): a
// panel of b that stays in the first cache, a block of a that stays in the second, a tile of out in registers.
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kBlockRows = 64;
constexpr std::size_t kBlockInner = 256;
constexpr std::size_t kBlockColumns = 1024;

// Below this number of products, packing costs more than it brings.
constexpr std::size_t kSmall = 4096;

// Two vectors of 16 bytes: 4 x 8 floats are the tile for which V8 has registers.
template <typename T>
constexpr std::size_t kTileColumns = 32 / sizeof(T);

template <typename T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(16)));  // in this form, GCC takes it for a type to come
};

template <typename T>
using Vector = typename VectorOf<T>::Type;

template <typename T>
Vector<T> load(const T* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// a and b as the tile reads them: for each k, kTileRows elements of a and kTileColumns<T> of b.
// The tile goes on from what is in out, unless it is the `first` block of the inner axis.
template <typename T>
void multiply_tile(const T* a, const T* b, T* out, std::size_t row_length, std::size_t inner, bool first) {
  constexpr std::size_t kLanes = 16 / sizeof(T);
  Vector<T> sums[kTileRows][2] = {};
  if (!first) {
    for (std::size_t i = 0; i < kTileRows; ++i) {
      sums[i][0] = load(out + i * row_length);
      sums[i][1] = load(out + i * row_length + kLanes);
    }
  }
  for (std::size_t k = 0; k < inner; ++k) {
    const Vector<T> b0 = load(b);
    const Vector<T> b1 = load(b + kLanes);
    for (std::size_t i = 0; i < kTileRows; ++i) {
      sums[i][0] += a[i] * b0;
      sums[i][1] += a[i] * b1;
    }
    a += kTileRows;
    b += kTileColumns<T>;
  }
  for (std::size_t i = 0; i < kTileRows; ++i) {
    std::memcpy(out + i * row_length, &sums[i][0], 16);
    std::memcpy(out + i * row_length + kLanes, &sums[i][1], 16);
  }
}

// A tile that reaches over the edge of out.
template <typename T>
void multiply_edge(const T* a, const T* b, T* out, std::size_t row_length, std::size_t inner, bool first,
                   std::size_t rows, std::size_t columns) {
  T tile[kTileRows * kTileColumns<T>] = {};
  for (std::size_t i = 0; i < rows && !first; ++i)
    std::copy_n(out + i * row_length, columns, tile + i * kTileColumns<T>);
  multiply_tile(a, b, tile, kTileColumns<T>, inner, first);
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(tile + i * kTileColumns<T>, columns, out + i * row_length);
}

// Copies `count` rows of x, each of `inner` elements, as panels of `width` rows: the elements k of a panel's rows lie
// side by side. The last panel is filled up with zeros.
template <std::size_t kWidth, typename T>
void pack(MatrixView<T> x, std::size_t count, std::size_t inner, T* panels) {
  for (std::size_t first = 0; first < count; first += kWidth) {
    const std::size_t width = std::min(kWidth, count - first);
    const T* rows = x.data + static_cast<std::ptrdiff_t>(first) * x.row_step;
    for (std::size_t k = 0; k < inner; ++k) {
      const T* column = rows + static_cast<std::ptrdiff_t>(k) * x.column_step;
      if (width == kWidth && x.row_step == 1) {
        std::memcpy(panels, column, kWidth * sizeof(T));
      } else if (width == kWidth) {
        for (std::size_t i = 0; i < kWidth; ++i) panels[i] = column[static_cast<std::ptrdiff_t>(i) * x.row_step];
      } else {
        for (std::size_t i = 0; i < kWidth; ++i) {
          panels[i] = i < width ? column[static_cast<std::ptrdiff_t>(i) * x.row_step] : T{0};
        }
      }
      panels += kWidth;
    }
  }
}

template <typename T>
MatrixView<T> block(MatrixView<T> x, std::size_t row, std::size_t column) {
  return {x.data + static_cast<std::ptrdiff_t>(row) * x.row_step + static_cast<std::ptrdiff_t>(column) * x.column_step,
          x.row_step, x.column_step};
}

template <typename T>
MatrixView<T> transpose(MatrixView<T> x) {
  return {x.data, x.column_step, x.row_step};
}

// One packed block of a times one of b.
template <typename T>
void multiply_block(const T* a, const T* b, T* out, std::size_t row_length, std::size_t rows, std::size_t inner,
                    std::size_t columns, bool first) {
  for (std::size_t j = 0; j < columns; j += kTileColumns<T>) {
    const std::size_t tile_columns = std::min(kTileColumns<T>, columns - j);
    for (std::size_t i = 0; i < rows; i += kTileRows) {
      const std::size_t tile_rows = std::min(kTileRows, rows - i);
      T* tile = out + i * row_length + j;
      if (tile_rows == kTileRows && tile_columns == kTileColumns<T>) {
        multiply_tile(a + i * inner, b + j * inner, tile, row_length, inner, first);
      } else {
        multiply_edge(a + i * inner, b + j * inner, tile, row_length, inner, first, tile_rows, tile_columns);
      }
    }
  }
}

std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

template <typename T>
void multiply_packed(MatrixView<T> a, MatrixView<T> b, T* out, std::size_t rows, std::size_t inner,
                     std::size_t columns) {
  const std::size_t depth = std::min(inner, kBlockInner);
  const std::size_t a_size = round_up(std::min(rows, kBlockRows), kTileRows) * depth;
  const std::size_t b_size = round_up(std::min(columns, kBlockColumns), kTileColumns<T>) * depth;
  const auto scratch = Storage::allocate((a_size + b_size) * sizeof(T));
  T* packed_a = reinterpret_cast<T*>(scratch->data());
  T* packed_b = packed_a + a_size;
  for (std::size_t j = 0; j < columns; j += kBlockColumns) {
    const std::size_t block_columns = std::min(kBlockColumns, columns - j);
    for (std::size_t k = 0; k < inner; k += kBlockInner) {
      const std::size_t block_inner = std::min(kBlockInner, inner - k);
      pack<kTileColumns<T>>(transpose(block(b, k, j)), block_columns, block_inner, packed_b);
      for (std::size_t i = 0; i < rows; i += kBlockRows) {
        const std::size_t block_rows = std::min(kBlockRows, rows - i);
        pack<kTileRows>(block(a, i, k), block_rows, block_inner, packed_a);
        multiply_block(packed_a, packed_b, out + i * columns + j, columns, block_rows, block_inner, block_columns,
                       k == 0);
      }
    }
  }
}

// Row by row of out, along rows of b: for sizes that are not worth packing.
template <typename T>
void multiply_directly(MatrixView<T> a, MatrixView<T> b, T* out, std::size_t rows, std::size_t inner,
                       std::size_t columns) {
  std::fill_n(out, rows * columns, T{0});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < inner; ++k) {
      const T factor = *block(a, i, k).data;
      const T* b_row = block(b, k, 0).data;
      T* out_row = out + i * columns;
      if (b.column_step == 1) {
        for (std::size_t j = 0; j < columns; ++j) out_row[j] += factor * b_row[j];
      } else {
        for (std::size_t j = 0; j < columns; ++j)
          out_row[j] += factor * b_row[static_cast<std::ptrdiff_t>(j) * b.column_step];
      }
    }
  }
}

template <typename T>
void multiply(MatrixView<T> a, MatrixView<T> b, T* out, std::size_t rows, std::size_t inner, std::size_t columns) {
  if (rows < kTileRows || inner == 0 || rows * columns <= kSmall / inner) {
    multiply_directly(a, b, out, rows, inner, columns);
  } else {
    multiply_packed(a, b, out, rows, inner, columns);
  }
}

}  // namespace

void matmul(MatrixView<float> a, MatrixView<float> b, float* out, std::size_t rows, std::size_t inner,
            std::size_t columns) {
  multiply(a, b, out, rows, inner, columns);
}

void matmul(MatrixView<double> a, MatrixView<double> b, double* out, std::size_t rows, std::size_t inner,
            std::size_t columns) {
  multiply(a, b, out, rows, inner, columns);
}

void matmul(MatrixView<std::int64_t> a, MatrixView<std::int64_t> b, std::int64_t* out, std::size_t rows,
            std::size_t inner, std::size_t columns) {
  // Unsigned, whose overflow is defined, and whose sums and products have the same bits.
  const auto as_unsigned = [](MatrixView<std::int64_t> x) {
    return MatrixView<std::uint64_t>{reinterpret_cast<const std::uint64_t*>(x.data), x.row_step, x.column_step};
  };
  // They are rare, and 128 bits hold only two of them: not worth the bytes of packing.
  multiply_directly(as_unsigned(a), as_unsigned(b), reinterpret_cast<std::uint64_t*>(out), rows, inner, columns);
}

}  // namespace minitensor::kernels
