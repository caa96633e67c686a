#include "minitensor/nn/custom_layer.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "minitensor/ops/elementwise.h"
#include "support/expect_error.h"

namespace minitensor {
namespace {

using Strings = std::vector<std::string>;

Tensor number(double value) { return Tensor::full({1}, value, DType::kFloat32); }

Tensor run(const CustomLayer& layer, const std::vector<Tensor>& inputs = {}) { return layer.forward(inputs); }

TEST(CustomLayer, HasItsName) { EXPECT_EQ(CustomLayer("scale").name(), "scale"); }

TEST(CustomLayer, RefusesAnEmptyName) { EXPECT_MT_ERROR(CustomLayer(""), ErrorCode::kValue, "name is empty"); }

TEST(CustomLayer, ListsParametersInOrderOfAddition) {
  CustomLayer layer("dense");
  EXPECT_EQ(layer.list_parameters(), Strings{});
  layer.add_parameter("weight", number(1));
  layer.add_parameter("bias", number(2));
  layer.add_parameter("alpha", number(3));
  EXPECT_EQ(layer.list_parameters(), (Strings{"weight", "bias", "alpha"}));
  ASSERT_EQ(layer.parameters().size(), 3U);
  EXPECT_EQ(layer.parameters()[1].first, "bias");
  EXPECT_EQ(layer.parameters()[1].second.item(), 2);
}

TEST(CustomLayer, AParameterIsTheTensorItself) {
  CustomLayer layer("scale");
  Tensor weight = number(2);
  layer.add_parameter("weight", weight);
  EXPECT_TRUE(layer.get_parameter("weight").shares_storage_with(weight));
  weight.data<float>()[0] = 5;
  EXPECT_EQ(layer.get_parameter("weight").item(), 5);
}

TEST(CustomLayer, ReplacesAParameterInItsPlace) {
  CustomLayer layer("dense");
  layer.add_parameter("weight", number(1));
  layer.add_parameter("bias", number(2));
  layer.add_parameter("weight", Tensor::zeros({2, 3}, DType::kFloat64));
  EXPECT_EQ(layer.list_parameters(), (Strings{"weight", "bias"}));
  EXPECT_EQ(layer.get_parameter("weight").shape(), (Shape{2, 3}));
  EXPECT_EQ(layer.get_parameter("weight").dtype(), DType::kFloat64);
  EXPECT_EQ(layer.get_parameter("bias").item(), 2);
}

TEST(CustomLayer, AReplacedParameterCanBeItself) {
  CustomLayer layer("scale");
  layer.add_parameter("weight", number(2));
  layer.add_parameter("weight", layer.get_parameter("weight"));
  EXPECT_EQ(layer.get_parameter("weight").item(), 2);
}

TEST(CustomLayer, RefusesAParameterWithoutName) {
  CustomLayer layer("scale");
  EXPECT_MT_ERROR(layer.add_parameter("", number(1)), ErrorCode::kValue, "\"scale\"");
  EXPECT_EQ(layer.list_parameters(), Strings{});
}

TEST(CustomLayer, NamesOfParametersAreExact) {
  CustomLayer layer("scale");
  layer.add_parameter("weight", number(1));
  layer.add_parameter("Weight", number(2));
  layer.add_parameter("weight ", number(3));
  EXPECT_EQ(layer.get_parameter("weight").item(), 1);
  EXPECT_EQ(layer.get_parameter("Weight").item(), 2);
  EXPECT_EQ(layer.get_parameter("weight ").item(), 3);
}

TEST(CustomLayer, AMissingParameterNamesTheLayerAndListsTheKnownOnes) {
  CustomLayer layer("dense");
  layer.add_parameter("weight", number(1));
  layer.add_parameter("bias", number(2));
  EXPECT_MT_ERROR(layer.get_parameter("wieght"), ErrorCode::kKey, "\"dense\"");
  EXPECT_MT_ERROR(layer.get_parameter("wieght"), ErrorCode::kKey, "\"wieght\"");
  EXPECT_MT_ERROR(layer.get_parameter("wieght"), ErrorCode::kKey, "\"weight\", \"bias\"");
  EXPECT_MT_ERROR(layer.get_parameter(""), ErrorCode::kKey, "\"\"");
  EXPECT_MT_ERROR(CustomLayer("empty").get_parameter("weight"), ErrorCode::kKey, "none");
}

TEST(CustomLayer, WithoutForwardIsNotImplemented) {
  EXPECT_MT_ERROR(run(CustomLayer("scale")), ErrorCode::kNotImplemented, "\"scale\"");
}

TEST(CustomLayer, AnEmptyForwardTakesItAwayAgain) {
  CustomLayer layer("identity");
  layer.set_forward([](const CustomLayer&, std::span<const Tensor> inputs) { return inputs[0]; });
  EXPECT_EQ(run(layer, {number(3)}).item(), 3);
  layer.set_forward({});
  EXPECT_MT_ERROR(run(layer, {number(3)}), ErrorCode::kNotImplemented, "\"identity\"");
}

TEST(CustomLayer, ForwardGetsTheLayerAndTheInputs) {
  CustomLayer layer("dense");
  layer.add_parameter("bias", number(1));
  layer.set_forward([&](const CustomLayer& self, std::span<const Tensor> inputs) {
    EXPECT_EQ(&self, &layer);
    EXPECT_EQ(inputs.size(), 2U);
    return add(sub(inputs[0], inputs[1]), self.get_parameter("bias"));
  });
  EXPECT_EQ(run(layer, {number(7), number(2)}).item(), 6);
}

TEST(CustomLayer, ForwardMayTakeNoInputs) {
  CustomLayer layer("constant");
  layer.set_forward([](const CustomLayer&, std::span<const Tensor> inputs) {
    EXPECT_TRUE(inputs.empty());
    return number(4);
  });
  EXPECT_EQ(run(layer).item(), 4);
}

TEST(CustomLayer, WhatForwardThrowsComesOutUnchanged) {
  CustomLayer layer("faulty");
  layer.set_forward([](const CustomLayer&, std::span<const Tensor>) -> Tensor {
    throw Error(ErrorCode::kShape, "inner sizes differ");
  });
  EXPECT_MT_ERROR(run(layer), ErrorCode::kShape, "inner sizes differ");
  layer.set_forward([](const CustomLayer&, std::span<const Tensor>) -> Tensor { throw std::runtime_error("stray"); });
  EXPECT_THROW(run(layer), std::runtime_error);
  layer.set_forward([](const CustomLayer&, std::span<const Tensor>) -> Tensor { throw 7; });
  EXPECT_THROW(run(layer), int);
}

TEST(CustomLayer, CopiesAreIndependent) {
  CustomLayer layer("scale");
  layer.add_parameter("weight", number(1));
  CustomLayer copy = layer;
  copy.add_parameter("weight", number(2));
  copy.add_parameter("bias", number(3));
  EXPECT_EQ(layer.get_parameter("weight").item(), 1);
  EXPECT_EQ(layer.list_parameters(), (Strings{"weight"}));
}

// Holds something that AddressSanitizer sees when it is used after the function object is gone.
struct Held {
  std::shared_ptr<std::vector<double>> values = std::make_shared<std::vector<double>>(100, 1.5);
};

TEST(CustomLayer, ForwardMayReplaceItselfWhileItRuns) {
  CustomLayer layer("changing");
  layer.set_forward([&layer, held = Held()](const CustomLayer&, std::span<const Tensor> inputs) {
    layer.set_forward([](const CustomLayer&, std::span<const Tensor>) { return number(2); });
    return mul(inputs[0], number(held.values->at(99)));
  });
  EXPECT_EQ(run(layer, {number(2)}).item(), 3);
  EXPECT_EQ(run(layer, {number(2)}).item(), 2);
}

TEST(CustomLayer, ForwardMayTakeItselfAwayWhileItRuns) {
  CustomLayer layer("once");
  layer.set_forward([&layer, held = Held()](const CustomLayer&, std::span<const Tensor>) {
    layer.set_forward({});
    return number(held.values->at(0));
  });
  EXPECT_EQ(run(layer).item(), 1.5);
  EXPECT_MT_ERROR(run(layer), ErrorCode::kNotImplemented, "\"once\"");
}

TEST(CustomLayer, ForwardMayChangeTheParametersWhileItRuns) {
  CustomLayer layer("growing");
  layer.add_parameter("count", number(0));
  layer.set_forward([&layer](const CustomLayer& self, std::span<const Tensor>) {
    const Tensor next = add(self.get_parameter("count"), number(1));
    layer.add_parameter("count", next);
    layer.add_parameter("step " + std::to_string(self.parameters().size()), next);
    return self.get_parameter("count");
  });
  for (int i = 1; i <= 20; ++i) EXPECT_EQ(run(layer).item(), i);
  EXPECT_EQ(layer.list_parameters().size(), 21U);
}

TEST(CustomLayer, ForwardMayCallItself) {
  CustomLayer layer("recursive");
  layer.set_forward([](const CustomLayer& self, std::span<const Tensor> inputs) {
    if (inputs[0].item() <= 1) return number(1);
    const std::vector<Tensor> less = {sub(inputs[0], number(1))};
    return mul(inputs[0], self.forward(less));
  });
  EXPECT_EQ(run(layer, {number(5)}).item(), 120);
}

TEST(CustomLayer, ForwardMayDestroyTheLayerThatRunsIt) {
  auto layer = std::make_shared<CustomLayer>("short-lived");
  layer->set_forward([&layer, held = Held()](const CustomLayer&, std::span<const Tensor>) {
    layer.reset();
    return number(held.values->at(50));
  });
  EXPECT_EQ(run(*layer).item(), 1.5);
  EXPECT_EQ(layer, nullptr);
}

}  // namespace
}  // namespace minitensor
