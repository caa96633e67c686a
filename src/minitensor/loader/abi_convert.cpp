#include "minitensor/loader/abi_convert.h"

#include "minitensor/base/error.h"

namespace minitensor {

namespace {

mt_attribute to_abi(const AttributeValue& value) {
  mt_attribute result{};
  result.struct_size = sizeof(mt_attribute);
  result.type = static_cast<mt_attribute_type>(attribute_type_of(value));
  if (const auto* number = std::get_if<double>(&value)) result.number = *number;
  if (const auto* text = std::get_if<std::string>(&value)) result.text = mt_string_of(*text);
  if (const auto* boolean = std::get_if<bool>(&value)) result.boolean = *boolean ? 1 : 0;
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    result.integers = integers->data();
    result.integer_count = static_cast<std::uint32_t>(integers->size());
  }
  return result;
}

}  // namespace

void require_in_memory([[maybe_unused]] const void* data, [[maybe_unused]] std::uint64_t size) {
#ifdef __wasm__
  constexpr std::uint64_t kPageSize = 65536;
  const std::uint64_t end = reinterpret_cast<std::uintptr_t>(data) + size;
  if (end <= __builtin_wasm_memory_size(0) * kPageSize) return;
  throw Error(ErrorCode::kPlugin, "the plugin gives a pointer to what is not in memory",
              {.phase = {}, .plugin = {}, .symbols = {}, .hint = "the plugin's file is damaged, or its code is wrong"});
#endif
}

std::string_view view_of(mt_string text) {
  if (text.data == nullptr) return {};
  require_in_memory(text.data, text.size);
  return {text.data, text.size};
}

AttributeValue attribute_from_abi(const mt_attribute* attribute, std::string_view subject) {
  if (attribute == nullptr) throw Error(ErrorCode::kValue, std::string(subject) + ": an attribute is NULL");
  const mt_attribute value = read_abi_struct(attribute);
  switch (value.type) {
    case MT_NUMBER:
      return value.number;
    case MT_TEXT:
      return std::string(view_of(value.text));
    case MT_BOOLEAN:
      return value.boolean != 0;
    case MT_INTEGERS:
      if (value.integers == nullptr && value.integer_count > 0) {
        throw Error(ErrorCode::kValue, std::string(subject) + ": an attribute's integers are NULL");
      }
      require_in_memory(value.integers, std::uint64_t{value.integer_count} * sizeof *value.integers);
      return std::vector<std::int64_t>(value.integers, value.integers + value.integer_count);
    default:
      throw Error(ErrorCode::kValue,
                  std::string(subject) + ": an attribute has the unknown type " + std::to_string(value.type));
  }
}

std::vector<AttributeSpec> attribute_specs_from_abi(const mt_attribute_spec* const* specs, std::uint32_t count,
                                                    std::string_view subject) {
  std::vector<AttributeSpec> result;
  require_in_memory(specs, std::uint64_t{count} * sizeof *specs);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (specs[i] == nullptr) throw Error(ErrorCode::kValue, std::string(subject) + ": an attribute is NULL");
    const mt_attribute_spec spec = read_abi_struct(specs[i]);
    AttributeSpec& added = result.emplace_back();
    added.name = view_of(spec.name);
    if (!is_attribute_type_number(spec.type)) {
      throw Error(ErrorCode::kValue, std::string(subject) + ": attribute \"" + added.name + "\" has the unknown type " +
                                         std::to_string(spec.type));
    }
    added.type = static_cast<AttributeType>(spec.type);
    if (spec.default_value != nullptr) added.default_value = attribute_from_abi(spec.default_value, subject);
  }
  check_attribute_specs(result, subject);
  return result;
}

void AbiAttributes::convert(const Attributes& attributes) {
  mt_attribute* values = few_.data();
  const mt_attribute** pointers = few_pointers_.data();
  if (count_ > kFew) {
    values_.resize(count_);
    pointers_.resize(count_);
    values = values_.data();
    pointers = pointers_.data();
  }
  for (std::size_t i = 0; i < count_; ++i) {
    values[i] = to_abi(attributes[i]);
    pointers[i] = &values[i];
  }
}

}  // namespace minitensor
