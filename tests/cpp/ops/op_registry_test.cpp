#include "minitensor/ops/op_registry.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "minitensor/ops/elementwise.h"
#include "support/expect_error.h"
#include "support/expect_tensor.h"
#include "support/make_tensor.h"

namespace minitensor {
namespace {

using test::iota;
using Inputs = std::span<const Tensor>;
using Names = std::vector<std::string>;

Op identity(std::string name) {
  Op op;
  op.name = std::move(name);
  op.inputs = {"x"};
  op.forward = [](Inputs in, const Attributes&) { return in[0]; };
  return op;
}

std::shared_ptr<const Op> shared(Op op) { return std::make_shared<const Op>(std::move(op)); }

TEST(OpRegistry, IsEmptyAtFirst) {
  const OpRegistry registry;
  EXPECT_EQ(registry.size(), 0U);
  EXPECT_TRUE(registry.all().empty());
  EXPECT_TRUE(registry.list_custom().empty());
  EXPECT_FALSE(registry.contains("x"));
  EXPECT_EQ(registry.find("x"), 0U);
  EXPECT_EQ(registry.at(0), nullptr);
  EXPECT_EQ(registry.at(1), nullptr);
}

TEST(OpRegistry, FindsOpsByNameAndNumber) {
  OpRegistry registry;
  const auto op = shared(identity("same"));
  const OpRegistry::Id id = registry.add(op, "");
  EXPECT_NE(id, 0U);
  EXPECT_TRUE(registry.contains("same"));
  EXPECT_EQ(registry.get("same"), op);
  EXPECT_EQ(registry.find("same"), id);
  EXPECT_EQ(registry.at(id), op);
  EXPECT_EQ(registry.size(), 1U);
}

TEST(OpRegistry, TellsNamesApartByEveryCharacter) {
  OpRegistry registry;
  registry.add(shared(identity("same")), "");
  for (const char* name : {"Same", "same ", "", "sam", "same1"}) EXPECT_FALSE(registry.contains(name)) << name;
}

TEST(OpRegistry, RemembersOwners) {
  OpRegistry registry;
  registry.add(shared(identity("mine")), "");
  registry.add(shared(identity("theirs")), "plug");
  registry.add(shared(identity("builtin")), kEngineOwner);
  EXPECT_EQ(registry.owner_of("mine"), "");
  EXPECT_EQ(registry.owner_of("theirs"), "plug");
  EXPECT_EQ(registry.owner_of("builtin"), kEngineOwner);
  EXPECT_MT_ERROR(registry.owner_of("none"), ErrorCode::kValue, "\"none\"");
}

TEST(OpRegistry, ListsCustomOpsInOrderOfRegistration) {
  OpRegistry registry;
  registry.add(shared(identity("z")), "plug");
  registry.add(shared(identity("engine")), kEngineOwner);
  registry.add(shared(identity("a")), "");
  registry.add(shared(identity("m")), "plug");
  EXPECT_EQ(registry.list_custom(), (Names{"z", "a", "m"}));
  Names all;
  for (const auto& op : registry.all()) all.push_back(op->name);
  EXPECT_EQ(all, (Names{"z", "engine", "a", "m"}));
  registry.remove("z", "plug");
  registry.add(shared(identity("z")), "plug");
  EXPECT_EQ(registry.list_custom(), (Names{"a", "m", "z"}));
}

TEST(OpRegistry, RefusesOpsWithoutNameOrForward) {
  OpRegistry registry;
  EXPECT_MT_ERROR(registry.add(nullptr, ""), ErrorCode::kValue, "");
  EXPECT_MT_ERROR(registry.add(shared(identity("")), ""), ErrorCode::kValue, "name");
  Op op = identity("x");
  op.forward = nullptr;
  EXPECT_MT_ERROR(registry.add(shared(op), ""), ErrorCode::kValue, "forward");
  EXPECT_EQ(registry.size(), 0U);
}

TEST(OpRegistry, RefusesANameThatIsTakenAndNamesBothOwners) {
  OpRegistry registry;
  registry.add(shared(identity("add")), kEngineOwner);
  registry.add(shared(identity("swish")), "first");
  EXPECT_MT_ERROR(registry.add(shared(identity("swish")), "second"), ErrorCode::kValue, "\"swish\"");
  EXPECT_MT_ERROR(registry.add(shared(identity("swish")), "second"), ErrorCode::kValue, "plugin \"first\"");
  EXPECT_MT_ERROR(registry.add(shared(identity("swish")), "second"), ErrorCode::kValue, "plugin \"second\"");
  EXPECT_MT_ERROR(registry.add(shared(identity("swish")), "first"), ErrorCode::kValue, "plugin \"first\"");
  EXPECT_MT_ERROR(registry.add(shared(identity("add")), ""), ErrorCode::kValue, "the engine");
  EXPECT_MT_ERROR(registry.add(shared(identity("add")), ""), ErrorCode::kValue, "the application");
  EXPECT_EQ(registry.size(), 2U);
  EXPECT_EQ(registry.owner_of("swish"), "first");
}

TEST(OpRegistry, RemovesOpsOfTheirOwner) {
  OpRegistry registry;
  const auto id = registry.add(shared(identity("swish")), "plug");
  registry.remove("swish", "plug");
  EXPECT_FALSE(registry.contains("swish"));
  EXPECT_EQ(registry.at(id), nullptr);
  EXPECT_EQ(registry.find("swish"), 0U);
  EXPECT_EQ(registry.size(), 0U);
}

TEST(OpRegistry, RefusesToRemoveAnotherOwnersOp) {
  OpRegistry registry;
  registry.add(shared(identity("swish")), "plug");
  EXPECT_MT_ERROR(registry.remove("swish", "other"), ErrorCode::kValue, "plugin \"plug\"");
  EXPECT_MT_ERROR(registry.remove("swish", "other"), ErrorCode::kValue, "plugin \"other\"");
  EXPECT_MT_ERROR(registry.remove("swish", ""), ErrorCode::kValue, "the application");
  EXPECT_MT_ERROR(registry.remove("swish", kEngineOwner), ErrorCode::kValue, "the engine");
  EXPECT_TRUE(registry.contains("swish"));
}

TEST(OpRegistry, RefusesToRemoveWhatIsNotThere) {
  OpRegistry registry;
  registry.add(shared(identity("known")), "plug");
  EXPECT_MT_ERROR(registry.remove("swish", "plug"), ErrorCode::kValue, "\"swish\"");
  EXPECT_MT_ERROR(registry.remove_custom("swish"), ErrorCode::kValue, "\"known\"");
}

TEST(OpRegistry, RemovesCustomOpsOfAnyOwnerButTheEngine) {
  OpRegistry registry;
  registry.add(shared(identity("mine")), "");
  registry.add(shared(identity("theirs")), "plug");
  registry.add(shared(identity("add")), kEngineOwner);
  registry.remove_custom("mine");
  registry.remove_custom("theirs");
  EXPECT_MT_ERROR(registry.remove_custom("add"), ErrorCode::kValue, "engine");
  EXPECT_EQ(registry.size(), 1U);
}

TEST(OpRegistry, RemovesByANameThatTheOpItselfHolds) {
  OpRegistry registry;
  registry.add(shared(identity(std::string(100, 'n'))), "plug");
  registry.remove(registry.all()[0]->name, "plug");
  registry.add(shared(identity(std::string(100, 'n'))), "plug");
  registry.remove_custom(registry.list_custom()[0]);
  EXPECT_EQ(registry.size(), 0U);
}

TEST(OpRegistry, NeverGivesANumberTwice) {
  OpRegistry registry;
  std::set<OpRegistry::Id> ids;
  for (int round = 0; round < 100; ++round) {
    EXPECT_TRUE(ids.insert(registry.add(shared(identity("a")), "")).second);
    EXPECT_TRUE(ids.insert(registry.add(shared(identity("b")), "")).second);
    EXPECT_THROW(registry.add(shared(identity("a")), ""), Error);
    registry.remove_custom("a");
    registry.remove_custom("b");
  }
  EXPECT_EQ(ids.size(), 200U);
  for (const OpRegistry::Id id : ids) EXPECT_EQ(registry.at(id), nullptr);
}

TEST(OpRegistry, QuotesAnUnknownNameAndListsTheCustomOps) {
  OpRegistry registry;
  EXPECT_MT_ERROR(registry.get("swosh"), ErrorCode::kValue, "none");
  registry.add(shared(identity("swish")), "plug");
  registry.add(shared(identity("mine")), "");
  EXPECT_MT_ERROR(registry.get("swosh"), ErrorCode::kValue, "\"swosh\"");
  EXPECT_MT_ERROR(registry.get("swosh"), ErrorCode::kValue, "\"swish\", \"mine\"");
  EXPECT_MT_ERROR(registry.get("a\x01"), ErrorCode::kValue, "\"a\\x01\"");
}

TEST(OpRegistry, ExecutesByName) {
  OpRegistry registry;
  Op twice = identity("twice");
  twice.attributes = {{"again", AttributeType::kBoolean, false}};
  twice.forward = [](Inputs in, const Attributes& at) {
    const Tensor result = add(in[0], in[0]);
    return at.boolean(0) ? add(result, result) : result;
  };
  registry.add(shared(twice), "");
  const std::vector<Tensor> inputs{iota({3})};
  EXPECT_TENSOR_EQ(registry.execute("twice", inputs), {0, 2, 4});
  EXPECT_TENSOR_EQ(registry.execute("twice", inputs, {{"again", true}}), {0, 4, 8});
}

TEST(OpRegistry, ReportsErrorsOfExecution) {
  OpRegistry registry;
  Op op = identity("op");
  registry.add(shared(op), "");
  op.name = "broken";
  op.forward = [](Inputs, const Attributes&) -> Tensor { throw std::runtime_error("mine"); };
  registry.add(shared(op), "");
  op = identity("liar");
  op.output_dtype = [](Inputs, const Attributes&) { return DType::kFloat64; };
  registry.add(shared(op), "");
  const std::vector<Tensor> inputs{iota({3})};
  EXPECT_MT_ERROR(registry.execute("unknown", inputs), ErrorCode::kValue, "\"unknown\"");
  EXPECT_MT_ERROR(registry.execute("op", {}), ErrorCode::kValue, "op: ");
  EXPECT_MT_ERROR(registry.execute("op", inputs, {{"a", 1.0}}), ErrorCode::kValue, "\"a\"");
  EXPECT_MT_ERROR(registry.execute("liar", inputs), ErrorCode::kDType, "\"liar\"");
  EXPECT_THROW(registry.execute("broken", inputs), std::runtime_error);
  EXPECT_TENSOR_EQ(registry.execute("op", inputs), {0, 1, 2});
}

TEST(OpRegistry, KeepsAnOpAliveThatUnregistersItself) {
  OpRegistry registry;
  std::weak_ptr<std::string> watch;
  {
    // Only the op owns it; AddressSanitizer sees a use after the op is gone.
    const auto state = std::make_shared<std::string>(1000, 's');
    watch = state;
    Op op = identity("fleeting");
    op.forward = [&registry, state](Inputs in, const Attributes&) {
      registry.remove_custom("fleeting");
      EXPECT_FALSE(registry.contains("fleeting"));
      EXPECT_EQ(state->back(), 's');
      return in[0];
    };
    op.output_shape = [state](Inputs in, const Attributes&) {
      EXPECT_EQ(state->front(), 's');
      return in[0].shape();
    };
    registry.add(shared(op), "");
  }
  const std::vector<Tensor> inputs{iota({2})};
  EXPECT_FALSE(watch.expired());
  EXPECT_TENSOR_EQ(registry.execute("fleeting", inputs), {0, 1});
  EXPECT_EQ(registry.size(), 0U);
  EXPECT_TRUE(watch.expired());
}

TEST(OpRegistry, LetsAnOpReplaceItself) {
  OpRegistry registry;
  Op op = identity("op");
  op.forward = [&registry](Inputs in, const Attributes&) {
    registry.remove_custom("op");
    registry.add(shared(identity("op")), "");
    return neg(in[0]);
  };
  registry.add(shared(std::move(op)), "");
  const std::vector<Tensor> inputs{iota({2})};
  EXPECT_TENSOR_EQ(registry.execute("op", inputs), {-0.0, -1});
  EXPECT_TENSOR_EQ(registry.execute("op", inputs), {0, 1});
}

TEST(OpRegistry, FindsEveryOpByItsNumberWhicheverOthersAreRemoved) {
  constexpr OpRegistry::Id kCount = 6;
  for (unsigned removed = 0; removed < 1U << kCount; ++removed) {
    OpRegistry registry;
    std::vector<std::shared_ptr<const Op>> ops;
    for (OpRegistry::Id id = 1; id <= kCount; ++id) {
      ops.push_back(shared(identity("op" + std::to_string(id))));
      ASSERT_EQ(registry.add(ops.back(), ""), id);
    }
    for (OpRegistry::Id id = 1; id <= kCount; ++id) {
      if ((removed >> (id - 1) & 1U) != 0) registry.remove_custom("op" + std::to_string(id));
    }
    for (OpRegistry::Id id = 1; id <= kCount; ++id) {
      const bool is_there = (removed >> (id - 1) & 1U) == 0;
      EXPECT_EQ(registry.at(id), is_there ? ops[id - 1] : nullptr) << "op " << id << " of removed " << removed;
    }
    for (const OpRegistry::Id id : {0U, kCount + 1, kCount + 2, 0xFFFFFFFFU}) EXPECT_EQ(registry.at(id), nullptr);
  }
}

TEST(OpRegistry, LetsOpsExecuteOps) {
  OpRegistry registry;
  registry.add(shared(identity("inner")), "");
  Op op = identity("outer");
  op.forward = [&registry](Inputs in, const Attributes&) { return registry.execute("inner", in); };
  registry.add(shared(std::move(op)), "");
  const std::vector<Tensor> inputs{iota({2})};
  EXPECT_TENSOR_EQ(registry.execute("outer", inputs), {0, 1});
}

// What an op owns may come back to the registry when it is destroyed.
TEST(OpRegistry, IsConsistentWhileARemovedOpIsDestroyed) {
  OpRegistry registry;
  bool seen = false;
  const auto at_destruction = [&](void*) {
    seen = !registry.contains("op") && registry.size() == 0 && registry.all().empty();
    registry.add(shared(identity("op")), "");
  };
  {
    Op op = identity("op");
    const std::shared_ptr<void> probe(nullptr, at_destruction);
    op.forward = [probe](Inputs in, const Attributes&) { return in[0]; };
    registry.add(shared(op), "");
  }
  registry.remove_custom("op");
  EXPECT_TRUE(seen);
  EXPECT_TRUE(registry.contains("op"));
}

TEST(OpRegistry, FreesWhatOpsOwn) {
  const auto state = std::make_shared<int>(1);
  {
    OpRegistry registry;
    Op op = identity("op");
    op.forward = [state](Inputs in, const Attributes&) { return in[0]; };
    registry.add(shared(std::move(op)), "");
    EXPECT_GT(state.use_count(), 1);
  }
  EXPECT_EQ(state.use_count(), 1);
}

}  // namespace
}  // namespace minitensor
