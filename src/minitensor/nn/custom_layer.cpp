#include "minitensor/nn/custom_layer.h"

#include <algorithm>

#include "minitensor/base/error.h"
#include "minitensor/base/text.h"

namespace minitensor {

CustomLayer::CustomLayer(std::string name) : name_(std::move(name)) {
  if (name_.empty()) throw Error(ErrorCode::kValue, "CustomLayer: the name is empty");
}

void CustomLayer::add_parameter(std::string name, Tensor value) {
  if (name.empty()) {
    throw Error(ErrorCode::kValue, "layer " + quote(name_) + ": add_parameter: the name is empty");
  }
  const auto found =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.first == name; });
  if (found != parameters_.end()) {
    found->second = std::move(value);
  } else {
    parameters_.emplace_back(std::move(name), std::move(value));
  }
}

Tensor CustomLayer::get_parameter(std::string_view name) const {
  for (const auto& [known, value] : parameters_) {
    if (known == name) return value;
  }
  throw Error(ErrorCode::kKey, "layer " + quote(name_) + " has no parameter " + quote(name) +
                                   "; it has: " + list_quoted(list_parameters()));
}

std::vector<std::string> CustomLayer::list_parameters() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : parameters_) names.push_back(name);
  return names;
}

Tensor CustomLayer::forward(std::span<const Tensor> inputs) const {
  if (!forward_) {
    throw Error(ErrorCode::kNotImplemented, "layer " + quote(name_) + " has no forward function; set one first");
  }
  // A copy, because the function may replace itself.
  const Forward forward = forward_;
  return forward(*this, inputs);
}

}  // namespace minitensor
