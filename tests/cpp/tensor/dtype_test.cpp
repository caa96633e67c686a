#include "minitensor/tensor/dtype.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <type_traits>

#include "support/expect_error.h"

namespace minitensor {
namespace {

TEST(DType, NumbersAreThoseOfThePluginAbi) {
  EXPECT_EQ(static_cast<int>(DType::kFloat32), 1);
  EXPECT_EQ(static_cast<int>(DType::kFloat64), 2);
}

TEST(DType, KnowsItsNumbers) {
  EXPECT_TRUE(is_dtype_number(1));
  EXPECT_TRUE(is_dtype_number(2));
  for (const std::int32_t number :
       {0, -1, 3, 100, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
    EXPECT_FALSE(is_dtype_number(number)) << number;
  }
}

TEST(DType, HasTheArrayApisNames) {
  EXPECT_EQ(dtype_name(DType::kFloat32), "float32");
  EXPECT_EQ(dtype_name(DType::kFloat64), "float64");
}

TEST(DType, IsFoundByName) {
  EXPECT_EQ(dtype_from_name("float32"), DType::kFloat32);
  EXPECT_EQ(dtype_from_name("float64"), DType::kFloat64);
}

TEST(DType, QuotesAnUnknownNameAndListsTheKnownOnes) {
  EXPECT_MT_ERROR(dtype_from_name("int\n8"), ErrorCode::kDType, "\"int\\n8\"");
  EXPECT_MT_ERROR(dtype_from_name("int8"), ErrorCode::kDType, "float32, float64");
  for (const char* name : {"", "float", "Float32", "float32 ", "float320"}) {
    EXPECT_MT_ERROR(dtype_from_name(name), ErrorCode::kDType, quote(name));
  }
}

TEST(DType, HasTheSizeOfItsCppType) {
  EXPECT_EQ(dtype_size(DType::kFloat32), 4U);
  EXPECT_EQ(dtype_size(DType::kFloat64), 8U);
  static_assert(DTypeOf<float>::value == DType::kFloat32);
  static_assert(DTypeOf<double>::value == DType::kFloat64);
}

TEST(DType, PromotesByTheArrayApisTable) {
  EXPECT_EQ(promote_types(DType::kFloat32, DType::kFloat32), DType::kFloat32);
  EXPECT_EQ(promote_types(DType::kFloat32, DType::kFloat64), DType::kFloat64);
  EXPECT_EQ(promote_types(DType::kFloat64, DType::kFloat32), DType::kFloat64);
  EXPECT_EQ(promote_types(DType::kFloat64, DType::kFloat64), DType::kFloat64);
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
