#include "minitensor/ops/signature.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace minitensor {
namespace {

using Names = std::vector<std::string>;

TEST(Signature, NamesInputs) {
  const Op op = parse_signature("where(condition: condition, a, at: index)");
  EXPECT_EQ(op.name, "where");
  EXPECT_EQ(op.inputs, (Names{"condition", "a", "at"}));
  EXPECT_EQ(op.input_roles, (std::vector{InputRole::kCondition, InputRole::kValue, InputRole::kIndex}));
  EXPECT_EQ(op.output_count(), 1U);
  EXPECT_TRUE(op.attributes.empty());
}

TEST(Signature, MarksOptionalAndVariadicInputs) {
  const Op norm = parse_signature("norm(x, weight?, bias?)");
  EXPECT_EQ(norm.optional_inputs, 2U);
  EXPECT_FALSE(norm.is_variadic);
  const Op concat = parse_signature("concat(...tensors; axis: integer = 0)");
  EXPECT_TRUE(concat.is_variadic);
  EXPECT_EQ(concat.inputs, Names{"tensors"});
  EXPECT_TRUE(parse_signature("zeros(; shape: integers)").inputs.empty());
}

TEST(Signature, DeclaresAttributes) {
  const Op op = parse_signature(
      "f(x; a: integers?, b: boolean = true, c: number = -0.25, d: integers = [1, -2], e: string = same, g: dtype = "
      "int32, "
      "h: integer)");
  ASSERT_EQ(op.attributes.size(), 7U);
  EXPECT_TRUE(op.attributes[0].is_optional);
  EXPECT_FALSE(op.attributes[0].default_value);
  EXPECT_EQ(op.attributes[1].default_value, AttributeValue(true));
  EXPECT_EQ(op.attributes[2].default_value, AttributeValue(-0.25));
  EXPECT_EQ(op.attributes[3].default_value, AttributeValue(std::vector<std::int64_t>{1, -2}));
  EXPECT_EQ(op.attributes[4].default_value, AttributeValue(std::string("same")));
  EXPECT_EQ(op.attributes[5].type, AttributeType::kDType);
  EXPECT_EQ(op.attributes[6].type, AttributeType::kInteger);
  EXPECT_FALSE(op.attributes[6].default_value || op.attributes[6].is_optional);
  const Attributes resolved = Attributes::resolve(op.attributes, {{"h", 3.0}}, "f");
  EXPECT_FALSE(resolved.has(0));
  EXPECT_EQ(resolved.dtype(5), DType::kInt32);
  EXPECT_EQ(resolved.integer(6), 3);
  EXPECT_MT_ERROR(Attributes::resolve(op.attributes, {{"h", 3.5}}, "f"), ErrorCode::kValue, "\"h\"");
}

TEST(Signature, NamesOutputs) {
  EXPECT_EQ(parse_signature("topk(x; k: integer) -> values, indices").outputs, (Names{"values", "indices"}));
  const Op split = parse_signature("split(x; axis: integer = 0) -> ...parts");
  EXPECT_TRUE(split.has_variadic_output);
  EXPECT_EQ(split.outputs, Names{"parts"});
}

TEST(Signature, RefusesWhatIsNone) {
  for (const char* text : {"", "f", "f(", "f(x", "f(x;", "f(x; a)", "f(x; a: nothing)", "f(x: nothing)", "f(x?, y)",
                           "f(x) ->", "f(x) y", "f(x; a: number = )"}) {
    EXPECT_THROW(parse_signature(text), Error) << text;
  }
}

}  // namespace
}  // namespace minitensor
