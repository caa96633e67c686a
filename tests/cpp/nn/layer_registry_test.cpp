#include "minitensor/nn/layer_registry.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/expect_error.h"

namespace minitensor {
namespace {

using Strings = std::vector<std::string>;

std::shared_ptr<LayerType> make_type(const std::string& name) {
  auto type = std::make_shared<LayerType>();
  type->name = name;
  type->create = [name](const Attributes&) { return std::make_shared<CustomLayer>(name); };
  return type;
}

// "dense": units (a number, required), bias (a boolean), init (a string), shape (integers).
std::shared_ptr<LayerType> make_dense() {
  auto type = std::make_shared<LayerType>();
  type->name = "dense";
  type->attributes = {
      {"units", AttributeType::kNumber, std::nullopt},
      {"bias", AttributeType::kBoolean, AttributeValue(true)},
      {"init", AttributeType::kString, AttributeValue(std::string("zeros"))},
      {"shape", AttributeType::kIntegers, AttributeValue(std::vector<std::int64_t>{1})},
  };
  type->create = [](const Attributes& config) {
    auto layer = std::make_shared<CustomLayer>("dense of " + std::to_string(static_cast<int>(config.number(0))));
    if (config.boolean(1)) layer->add_parameter("bias", Tensor::zeros({1}, DType::kFloat32));
    layer->add_parameter(config.string(2), Tensor::zeros(Shape(config.integers(3)), DType::kFloat32));
    return layer;
  };
  return type;
}

TEST(LayerRegistry, StartsEmpty) {
  const LayerRegistry layers;
  EXPECT_EQ(layers.list(), Strings{});
  EXPECT_FALSE(layers.contains("dense"));
}

TEST(LayerRegistry, ListsTypesInAlphabeticalOrder) {
  LayerRegistry layers;
  for (const char* name : {"pool", "dense", "conv"}) layers.add(make_type(name), "p");
  EXPECT_EQ(layers.list(), (Strings{"conv", "dense", "pool"}));
  EXPECT_TRUE(layers.contains("dense"));
  EXPECT_FALSE(layers.contains("Dense"));
}

TEST(LayerRegistry, RefusesAnIncompleteType) {
  LayerRegistry layers;
  auto nameless = make_type("");
  auto without_create = make_type("dense");
  without_create->create = nullptr;
  EXPECT_MT_ERROR(layers.add(nullptr, "p"), ErrorCode::kValue, "layer type");
  EXPECT_MT_ERROR(layers.add(nameless, "p"), ErrorCode::kValue, "name");
  EXPECT_MT_ERROR(layers.add(without_create, "p"), ErrorCode::kValue, "create");
  EXPECT_EQ(layers.list(), Strings{});
}

TEST(LayerRegistry, RefusesAttributesThatAreDeclaredWrongly) {
  LayerRegistry layers;
  auto repeated = make_dense();
  repeated->attributes.push_back({"units", AttributeType::kString, std::nullopt});
  EXPECT_MT_ERROR(layers.add(repeated, "p"), ErrorCode::kValue, "\"units\"");
  auto nameless = make_dense();
  nameless->attributes.push_back({"", AttributeType::kString, std::nullopt});
  EXPECT_MT_ERROR(layers.add(nameless, "p"), ErrorCode::kValue, "\"dense\"");
  auto ill_typed = make_dense();
  ill_typed->attributes[1].default_value = AttributeValue(1.0);
  EXPECT_MT_ERROR(layers.add(ill_typed, "p"), ErrorCode::kValue, "\"bias\"");
  EXPECT_EQ(layers.list(), Strings{});
}

TEST(LayerRegistry, ATakenNameIsRefusedAndBothOwnersAreNamed) {
  LayerRegistry layers;
  layers.add(make_dense(), "alpha");
  EXPECT_MT_ERROR(layers.add(make_type("dense"), "beta"), ErrorCode::kValue, "\"dense\"");
  EXPECT_MT_ERROR(layers.add(make_type("dense"), "beta"), ErrorCode::kValue, "plugin \"alpha\"");
  EXPECT_MT_ERROR(layers.add(make_type("dense"), "beta"), ErrorCode::kValue, "plugin \"beta\"");
  EXPECT_MT_ERROR(layers.add(make_type("dense"), "alpha"), ErrorCode::kValue, "plugin \"alpha\"");
  EXPECT_MT_ERROR(layers.add(make_type("dense"), ""), ErrorCode::kValue, "the application");
  // The first one stays.
  EXPECT_EQ(layers.create("dense", {{"units", 3.0}})->name(), "dense of 3");
}

TEST(LayerRegistry, RemovesATypeOfItsOwner) {
  LayerRegistry layers;
  layers.add(make_type("dense"), "alpha");
  layers.add(make_type("conv"), "alpha");
  layers.remove("dense", "alpha");
  EXPECT_EQ(layers.list(), (Strings{"conv"}));
  layers.add(make_type("dense"), "beta");
  EXPECT_TRUE(layers.contains("dense"));
}

TEST(LayerRegistry, RefusesToRemoveWhatIsNotThereOrAnothers) {
  LayerRegistry layers;
  layers.add(make_type("dense"), "alpha");
  EXPECT_MT_ERROR(layers.remove("conv", "alpha"), ErrorCode::kValue, "\"conv\"");
  EXPECT_MT_ERROR(layers.remove("dense", "beta"), ErrorCode::kValue, "plugin \"alpha\"");
  EXPECT_MT_ERROR(layers.remove("dense", "beta"), ErrorCode::kValue, "plugin \"beta\"");
  EXPECT_MT_ERROR(layers.remove("dense", ""), ErrorCode::kValue, "the application");
  EXPECT_TRUE(layers.contains("dense"));
}

TEST(LayerRegistry, CreatesALayerFromItsConfiguration) {
  LayerRegistry layers;
  layers.add(make_dense(), "alpha");
  const auto layer = layers.create(
      "dense", {{"shape", std::vector<std::int64_t>{2, 3}}, {"units", 4.0}, {"init", std::string("ones")}});
  EXPECT_EQ(layer->name(), "dense of 4");
  EXPECT_EQ(layer->list_parameters(), (Strings{"bias", "ones"}));
  EXPECT_EQ(layer->get_parameter("ones").shape(), (Shape{2, 3}));
  const auto other = layers.create("dense", {{"units", 5.0}, {"bias", false}});
  EXPECT_EQ(other->list_parameters(), (Strings{"zeros"}));
}

TEST(LayerRegistry, EachLayerIsANewOne) {
  LayerRegistry layers;
  layers.add(make_type("dense"), "alpha");
  const auto first = layers.create("dense", {});
  EXPECT_NE(first, layers.create("dense", {}));
  layers.remove("dense", "alpha");
  EXPECT_EQ(first->name(), "dense");
}

TEST(LayerRegistry, AnUnknownTypeListsTheKnownOnes) {
  LayerRegistry layers;
  EXPECT_MT_ERROR(layers.create("dense", {}), ErrorCode::kValue, "none");
  layers.add(make_type("pool"), "alpha");
  layers.add(make_type("conv"), "beta");
  EXPECT_MT_ERROR(layers.create("dense", {}), ErrorCode::kValue, "\"dense\"");
  EXPECT_MT_ERROR(layers.create("dense", {}), ErrorCode::kValue, "\"conv\", \"pool\"");
}

TEST(LayerRegistry, AConfigurationErrorNamesTheTypeAndTheAttribute) {
  LayerRegistry layers;
  layers.add(make_dense(), "alpha");
  const auto expect_error = [&](const NamedAttributes& config, std::string_view attribute) {
    EXPECT_MT_ERROR(layers.create("dense", config), ErrorCode::kValue, attribute);
    EXPECT_MT_ERROR(layers.create("dense", config), ErrorCode::kValue, "dense");
  };
  expect_error({}, "\"units\"");
  expect_error({{"units", true}}, "\"units\"");
  expect_error({{"units", 1.0}, {"units", 2.0}}, "\"units\"");
  expect_error({{"units", 1.0}, {"unitz", 2.0}}, "\"unitz\"");
  expect_error({{"units", 1.0}, {"bias", std::string("yes")}}, "\"bias\"");
  expect_error({{"units", 1.0}, {"init", 1.0}}, "\"init\"");
  expect_error({{"units", 1.0}, {"shape", 1.5}}, "\"shape\"");
  expect_error({{"units", 1.0}, {"", 2.0}}, "\"\"");
}

TEST(LayerRegistry, WhatCreateThrowsComesOutUnchanged) {
  LayerRegistry layers;
  auto type = make_type("faulty");
  type->create = [](const Attributes&) -> std::shared_ptr<CustomLayer> { throw std::runtime_error("stray"); };
  layers.add(type, "alpha");
  EXPECT_THROW(layers.create("faulty", {}), std::runtime_error);
  auto refusing = make_type("refusing");
  refusing->create = [](const Attributes&) -> std::shared_ptr<CustomLayer> {
    throw Error(ErrorCode::kShape, "too big");
  };
  layers.add(refusing, "alpha");
  EXPECT_MT_ERROR(layers.create("refusing", {}), ErrorCode::kShape, "too big");
}

TEST(LayerRegistry, ATypeThatCreatesNothingIsAnError) {
  LayerRegistry layers;
  auto type = make_type("void");
  type->create = [](const Attributes&) { return std::shared_ptr<CustomLayer>(); };
  layers.add(type, "alpha");
  EXPECT_MT_ERROR(layers.create("void", {}), ErrorCode::kValue, "\"void\"");
}

TEST(LayerRegistry, ATypeMayRemoveItselfWhileItCreates) {
  LayerRegistry layers;
  auto type = make_type("once");
  type->create = [&layers, name = std::string(100, 'x')](const Attributes&) {
    layers.remove("once", "alpha");
    return std::make_shared<CustomLayer>(name);
  };
  layers.add(std::move(type), "alpha");
  EXPECT_EQ(layers.create("once", {})->name(), std::string(100, 'x'));
  EXPECT_FALSE(layers.contains("once"));
}

}  // namespace
}  // namespace minitensor
