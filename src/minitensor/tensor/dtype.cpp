#include "minitensor/tensor/dtype.h"

#include <string>

#include "minitensor/base/text.h"

namespace minitensor {

namespace {

constexpr DType kAll[] = {
#define MT_DTYPE_ENTRY(name, number, text, type) DType::name,
    MT_DTYPES(MT_DTYPE_ENTRY)
#undef MT_DTYPE_ENTRY
};

}  // namespace

bool is_dtype_number(std::int32_t number) noexcept {
  for (const DType dtype : kAll) {
    if (static_cast<std::int32_t>(dtype) == number) return true;
  }
  return false;
}

std::string_view dtype_name(DType dtype) noexcept {
  switch (dtype) {
#define MT_DTYPE_NAME(name, number, text, type) \
  case DType::name:                             \
    return text;
    MT_DTYPES(MT_DTYPE_NAME)
#undef MT_DTYPE_NAME
  }
  return "unknown";
}

DType dtype_from_name(std::string_view name) {
  std::vector<std::string> known;
  for (const DType dtype : kAll) {
    if (dtype_name(dtype) == name) return dtype;
    known.emplace_back(dtype_name(dtype));
  }
  throw Error(ErrorCode::kDType, "unknown dtype " + quote(name) + "; known are: " + join(known, ", "));
}

std::size_t dtype_size(DType dtype) noexcept {
  switch (dtype) {
#define MT_DTYPE_SIZE(name, number, text, type) \
  case DType::name:                             \
    return sizeof(type);
    MT_DTYPES(MT_DTYPE_SIZE)
#undef MT_DTYPE_SIZE
  }
  return 0;
}

namespace {

// The array API's tables are a total order for these dtypes: of two the one further on holds the values of both kinds.
int promotion_rank(DType dtype) noexcept {
  switch (dtype) {
    case DType::kBool:
      return 0;
    case DType::kUInt8:
      return 1;
    case DType::kInt32:
      return 2;
    case DType::kInt64:
      return 3;
    case DType::kFloat32:
      return 4;
    case DType::kFloat64:
      break;
  }
  return 5;
}

}  // namespace

DType promote_types(DType a, DType b) noexcept { return promotion_rank(a) >= promotion_rank(b) ? a : b; }

bool is_floating(DType dtype) noexcept { return dtype == DType::kFloat32 || dtype == DType::kFloat64; }

bool is_integer(DType dtype) noexcept { return !is_floating(dtype) && dtype != DType::kBool; }

}  // namespace minitensor
