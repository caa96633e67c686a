#include "support/op_fixtures.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace minitensor::test {

namespace {

template <typename T>
T parse(const std::string& text) {
  if (text == "true" || text == "false") return static_cast<T>(text == "true");
  if constexpr (std::is_integral_v<T>) return static_cast<T>(std::strtoll(text.c_str(), nullptr, 10));
  return static_cast<T>(std::strtod(text.c_str(), nullptr));
}

// "float64 2x3 : 1 2 3 4 5 6"
Tensor read_tensor(std::istream& line) {
  std::string dtype;
  std::string sizes;
  line >> dtype >> sizes;
  Shape shape;
  if (sizes != ":") {
    std::istringstream list(sizes);
    for (std::string size; std::getline(list, size, 'x');) shape.push_back(std::stoll(size));
    line >> sizes;
  }
  Tensor tensor = Tensor::zeros(shape, dtype_from_name(dtype));
  std::int64_t count = 0;
  dispatch_dtype(tensor.dtype(), [&]<typename T>(T) {
    T* elements = tensor.data<T>();
    for (std::string item; count < tensor.size() && line >> item; ++count) elements[count] = parse<T>(item);
  });
  if (count != tensor.size()) throw std::runtime_error("a fixture's tensor has other elements than its shape says");
  return tensor;
}

AttributeValue read_attribute(std::istream& line) {
  std::string type;
  std::string item;
  line >> type;
  if (type == "integers") {
    std::vector<std::int64_t> values;
    while (line >> item) values.push_back(parse<std::int64_t>(item));
    return values;
  }
  line >> item;
  if (type == "boolean") return item == "true";
  if (type == "string") return item;
  return parse<double>(item);
}

}  // namespace

std::vector<OpFixture> read_op_fixtures(const std::string& family) {
  std::ifstream file(std::string(MINITENSOR_FIXTURES) + "/ops/" + family + ".txt");
  if (!file) throw std::runtime_error("there are no fixtures of " + family);
  std::vector<OpFixture> fixtures;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "case") {
      line >> fixtures.emplace_back().op;
    } else if (word == "input") {
      fixtures.back().inputs.push_back(read_tensor(line));
    } else if (word == "output") {
      fixtures.back().outputs.push_back(read_tensor(line));
    } else if (word == "attribute") {
      line >> word;
      fixtures.back().attributes.emplace_back(word, read_attribute(line));
    } else if (word == "ulps") {
      line >> fixtures.back().ulps;
    } else if (word != "#") {
      throw std::runtime_error("a fixture has an unknown line: " + text);
    }
  }
  return fixtures;
}

}  // namespace minitensor::test
