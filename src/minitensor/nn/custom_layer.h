#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "minitensor/tensor/tensor.h"

namespace minitensor {

/// A named function of tensors with named parameters. Layers of the application and of plugins are all of this type.
class CustomLayer {
 public:
  using Forward = std::function<Tensor(const CustomLayer&, std::span<const Tensor>)>;
  using Parameter = std::pair<std::string, Tensor>;

  /// Throws kValue for an empty name.
  explicit CustomLayer(std::string name);

  const std::string& name() const noexcept { return name_; }
  /// An empty function takes the forward away again.
  void set_forward(Forward forward) { forward_ = std::move(forward); }
  /// Adds a parameter, or replaces the one of that name in its place. Throws kValue for an empty name.
  void add_parameter(std::string name, Tensor value);
  /// Throws kKey, listing the parameters there are.
  Tensor get_parameter(std::string_view name) const;
  /// The names, in order of addition.
  std::vector<std::string> list_parameters() const;
  /// In order of addition.
  const std::vector<Parameter>& parameters() const noexcept { return parameters_; }

  /// Throws kNotImplemented when no forward is set, and whatever the forward throws.
  Tensor forward(std::span<const Tensor> inputs) const;

 private:
  std::string name_;
  Forward forward_;
  std::vector<Parameter> parameters_;
};

}  // namespace minitensor
