#include "minitensor/tensor/dtype.h"

#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <string>
#include <type_traits>

#include "support/expect_error.h"

namespace minitensor {
namespace {

TEST(DType, NumbersAreThoseOfThePluginAbi) {
  EXPECT_EQ(static_cast<int>(DType::kFloat32), 1);
  EXPECT_EQ(static_cast<int>(DType::kFloat64), 2);
  EXPECT_EQ(static_cast<int>(DType::kInt32), 3);
  EXPECT_EQ(static_cast<int>(DType::kInt64), 4);
  EXPECT_EQ(static_cast<int>(DType::kUInt8), 5);
  EXPECT_EQ(static_cast<int>(DType::kBool), 6);
}

TEST(DType, KnowsItsNumbers) {
  for (std::int32_t number = 1; number <= 6; ++number) EXPECT_TRUE(is_dtype_number(number)) << number;
  for (const std::int32_t number :
       {0, -1, 7, 100, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
    EXPECT_FALSE(is_dtype_number(number)) << number;
  }
}

TEST(DType, HasTheArrayApisNames) {
  EXPECT_EQ(dtype_name(DType::kFloat32), "float32");
  EXPECT_EQ(dtype_name(DType::kFloat64), "float64");
  EXPECT_EQ(dtype_name(DType::kInt32), "int32");
  EXPECT_EQ(dtype_name(DType::kInt64), "int64");
  EXPECT_EQ(dtype_name(DType::kUInt8), "uint8");
  EXPECT_EQ(dtype_name(DType::kBool), "bool");
}

TEST(DType, IsFoundByName) {
  EXPECT_EQ(dtype_from_name("float32"), DType::kFloat32);
  EXPECT_EQ(dtype_from_name("float64"), DType::kFloat64);
}

TEST(DType, QuotesAnUnknownNameAndListsTheKnownOnes) {
  EXPECT_MT_ERROR(dtype_from_name("int\n8"), ErrorCode::kDType, "\"int\\n8\"");
  EXPECT_MT_ERROR(dtype_from_name("int8"), ErrorCode::kDType, "float32, float64, int32, int64, uint8, bool");
  for (const char* name : {"", "float", "Float32", "float32 ", "float320"}) {
    EXPECT_MT_ERROR(dtype_from_name(name), ErrorCode::kDType, quote(name));
  }
}

TEST(DType, HasTheSizeOfItsCppType) {
  EXPECT_EQ(dtype_size(DType::kFloat32), 4U);
  EXPECT_EQ(dtype_size(DType::kFloat64), 8U);
  EXPECT_EQ(dtype_size(DType::kInt32), 4U);
  EXPECT_EQ(dtype_size(DType::kInt64), 8U);
  EXPECT_EQ(dtype_size(DType::kUInt8), 1U);
  EXPECT_EQ(dtype_size(DType::kBool), 1U);
  static_assert(DTypeOf<float>::value == DType::kFloat32);
  static_assert(DTypeOf<double>::value == DType::kFloat64);
}

TEST(DType, PromotesByTheArrayApisTable) {
  // https://data-apis.org/array-api/latest/API_specification/type_promotion.html, tables for integers, floating-point
  // numbers and bool; where the standard leaves it open (bool with numbers, integers with floating-point numbers) the
  // number's and the floating-point dtype, as PyTorch has it.
  constexpr DType f4 = DType::kFloat32;
  constexpr DType f8 = DType::kFloat64;
  constexpr DType i4 = DType::kInt32;
  constexpr DType i8 = DType::kInt64;
  constexpr DType u1 = DType::kUInt8;
  constexpr DType b1 = DType::kBool;
  constexpr DType kAll[] = {b1, u1, i4, i8, f4, f8};
  constexpr DType kTable[][6] = {{b1, u1, i4, i8, f4, f8},  // bool
                                 {u1, u1, i4, i8, f4, f8},  // uint8
                                 {i4, i4, i4, i8, f4, f8},  // int32
                                 {i8, i8, i8, i8, f4, f8},  // int64
                                 {f4, f4, f4, f4, f4, f8},  // float32
                                 {f8, f8, f8, f8, f8, f8}};
  for (std::size_t a = 0; a < std::size(kAll); ++a) {
    for (std::size_t b = 0; b < std::size(kAll); ++b) {
      EXPECT_EQ(promote_types(kAll[a], kAll[b]), kTable[a][b]) << dtype_name(kAll[a]) << ' ' << dtype_name(kAll[b]);
    }
  }
}

TEST(DType, IsOfOneKind) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) EXPECT_TRUE(is_floating(dtype) && !is_integer(dtype));
  for (const DType dtype : {DType::kInt32, DType::kInt64, DType::kUInt8}) {
    EXPECT_TRUE(is_integer(dtype) && !is_floating(dtype));
  }
  EXPECT_FALSE(is_integer(DType::kBool) || is_floating(DType::kBool));
}

TEST(DispatchDType, CallsWithTheCppType) {
  const auto size = []<typename T>(T) { return sizeof(T); };
  EXPECT_EQ(dispatch_dtype(DType::kFloat32, size), 4U);
  EXPECT_EQ(dispatch_dtype(DType::kFloat64, size), 8U);
  dispatch_dtype(DType::kFloat64, []<typename T>(T) { EXPECT_TRUE((std::is_same_v<T, double>)); });
}

TEST(DispatchDType, RefusesWhatIsNoDType) {
  EXPECT_MT_ERROR(dispatch_dtype(static_cast<DType>(99), [](auto) {}), ErrorCode::kInternal, "not a dtype");
}

}  // namespace
}  // namespace minitensor
