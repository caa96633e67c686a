#include "minitensor/ops/attributes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/expect_error.h"

namespace minitensor {
namespace {

using Integers = std::vector<std::int64_t>;

AttributeSpec required(std::string name, AttributeType type) { return {std::move(name), type, std::nullopt}; }

const std::vector<AttributeSpec> kSpecs{
    required("scale", AttributeType::kNumber),
    {"mode", AttributeType::kString, std::string("fast")},
    {"strict", AttributeType::kBoolean, true},
    {"axes", AttributeType::kIntegers, Integers{0, 1}},
};

TEST(AttributeType, NumbersAreThoseOfThePluginAbi) {
  EXPECT_EQ(static_cast<int>(AttributeType::kNumber), 1);
  EXPECT_EQ(static_cast<int>(AttributeType::kString), 2);
  EXPECT_EQ(static_cast<int>(AttributeType::kBoolean), 3);
  EXPECT_EQ(static_cast<int>(AttributeType::kIntegers), 4);
}

TEST(AttributeType, KnowsItsNumbers) {
  for (const std::int32_t number : {1, 2, 3, 4}) EXPECT_TRUE(is_attribute_type_number(number)) << number;
  for (const std::int32_t number : {0, -1, 5, std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_FALSE(is_attribute_type_number(number)) << number;
  }
}

TEST(AttributeType, IsFoundByName) {
  for (const AttributeType type :
       {AttributeType::kNumber, AttributeType::kString, AttributeType::kBoolean, AttributeType::kIntegers}) {
    EXPECT_EQ(attribute_type_from_name(attribute_type_name(type)), type);
  }
  EXPECT_EQ(attribute_type_name(AttributeType::kNumber), "number");
  EXPECT_EQ(attribute_type_name(AttributeType::kString), "string");
  EXPECT_EQ(attribute_type_name(AttributeType::kBoolean), "boolean");
  EXPECT_EQ(attribute_type_name(AttributeType::kIntegers), "integers");
}

TEST(AttributeType, QuotesAnUnknownNameAndListsTheKnownOnes) {
  EXPECT_MT_ERROR(attribute_type_from_name("float"), ErrorCode::kValue, "\"float\"");
  EXPECT_MT_ERROR(attribute_type_from_name("Number"), ErrorCode::kValue, "number, string, boolean, integers");
}

TEST(AttributeType, IsTheTypeOfTheValue) {
  EXPECT_EQ(attribute_type_of(1.5), AttributeType::kNumber);
  EXPECT_EQ(attribute_type_of(std::string("x")), AttributeType::kString);
  EXPECT_EQ(attribute_type_of(false), AttributeType::kBoolean);
  EXPECT_EQ(attribute_type_of(Integers{}), AttributeType::kIntegers);
}

TEST(AttributeSpecs, AcceptDefaultsOfTheDeclaredType) {
  EXPECT_NO_THROW(check_attribute_specs({}, "op"));
  EXPECT_NO_THROW(check_attribute_specs(kSpecs, "op"));
}

TEST(AttributeSpecs, RefuseAnEmptyName) {
  EXPECT_MT_ERROR(check_attribute_specs({required("", AttributeType::kNumber)}, "op \"x\""), ErrorCode::kValue,
                  "op \"x\": ");
}

TEST(AttributeSpecs, RefuseARepeatedName) {
  const std::vector<AttributeSpec> specs{required("a", AttributeType::kNumber), required("b", AttributeType::kNumber),
                                         required("a", AttributeType::kString)};
  EXPECT_MT_ERROR(check_attribute_specs(specs, "op"), ErrorCode::kValue, "op: ");
  EXPECT_MT_ERROR(check_attribute_specs(specs, "op"), ErrorCode::kValue, "\"a\"");
}

TEST(AttributeSpecs, RefuseADefaultOfAnotherType) {
  const std::vector<AttributeSpec> specs{{"alpha", AttributeType::kNumber, std::string("1")}};
  EXPECT_MT_ERROR(check_attribute_specs(specs, "op"), ErrorCode::kValue, "\"alpha\"");
  EXPECT_MT_ERROR(check_attribute_specs(specs, "op"), ErrorCode::kValue, "number");
  EXPECT_MT_ERROR(check_attribute_specs(specs, "op"), ErrorCode::kValue, "string");
}

TEST(Attributes, ComeInTheOrderOfDeclaration) {
  const NamedAttributes given{{"axes", Integers{2}}, {"strict", false}, {"mode", std::string("slow")}, {"scale", 2.5}};
  const Attributes attributes = Attributes::resolve(kSpecs, given, "op");
  ASSERT_EQ(attributes.size(), 4U);
  EXPECT_EQ(attributes.number(0), 2.5);
  EXPECT_EQ(attributes.string(1), "slow");
  EXPECT_FALSE(attributes.boolean(2));
  EXPECT_EQ(attributes.integers(3), Integers{2});
  EXPECT_EQ(attributes[0], AttributeValue(2.5));
}

TEST(Attributes, TakeDefaultsForWhatIsNotGiven) {
  const Attributes attributes = Attributes::resolve(kSpecs, {{"scale", 1.0}}, "op");
  EXPECT_EQ(attributes.number(0), 1.0);
  EXPECT_EQ(attributes.string(1), "fast");
  EXPECT_TRUE(attributes.boolean(2));
  EXPECT_EQ(attributes.integers(3), (Integers{0, 1}));
}

TEST(Attributes, AreEmptyWhereNothingIsDeclared) {
  EXPECT_EQ(Attributes::resolve({}, {}, "op").size(), 0U);
  EXPECT_EQ(Attributes().size(), 0U);
}

TEST(Attributes, RefuseAnUnknownNameAndListTheDeclaredOnes) {
  const NamedAttributes given{{"scale", 1.0}, {"Mode", std::string("x")}};
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, given, "my op"), ErrorCode::kValue, "my op: ");
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, given, "op"), ErrorCode::kValue, "\"Mode\"");
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, given, "op"), ErrorCode::kValue, "\"mode\"");
  EXPECT_MT_ERROR(Attributes::resolve({}, {{"a", 1.0}}, "op"), ErrorCode::kValue, "none");
  EXPECT_MT_ERROR(Attributes::resolve({}, {{"a\n", 1.0}}, "op"), ErrorCode::kValue, "\"a\\n\"");
}

TEST(Attributes, RefuseANameGivenTwice) {
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, {{"scale", 1.0}, {"scale", 1.0}}, "op"), ErrorCode::kValue, "\"scale\"");
}

TEST(Attributes, RefuseAValueOfAnotherType) {
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, {{"scale", true}}, "op"), ErrorCode::kValue, "\"scale\"");
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, {{"scale", true}}, "op"), ErrorCode::kValue, "number, not boolean");
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, {{"scale", 1.0}, {"axes", 2.5}}, "op"), ErrorCode::kValue,
                  "integers, not number");
}

TEST(Attributes, RefuseWhenARequiredOneIsMissing) {
  EXPECT_MT_ERROR(Attributes::resolve(kSpecs, {{"strict", true}}, "op"), ErrorCode::kValue, "\"scale\"");
}

TEST(Attributes, AreReadAsTheirOwnTypeOnly) {
  const Attributes attributes = Attributes::resolve(kSpecs, {{"scale", 1.0}}, "op");
  EXPECT_THROW(static_cast<void>(attributes.string(0)), std::bad_variant_access);
}

}  // namespace
}  // namespace minitensor
