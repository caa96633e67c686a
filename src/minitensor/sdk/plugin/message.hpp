/// \file
/// Messages, put together without printf, streams and the heap.
#ifndef MINITENSOR_SDK_PLUGIN_MESSAGE_HPP
#define MINITENSOR_SDK_PLUGIN_MESSAGE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "minitensor/sdk/plugin/values.hpp"

// Messages are for errors: that code is kept small, and out of the way of the rest.
#if defined(__GNUC__)
#define MINITENSOR_SDK_COLD __attribute__((noinline, cold))
#else
#define MINITENSOR_SDK_COLD
#endif

namespace minitensor::sdk {

/// A piece of a message: a text, a number, a bool, a dtype or a shape.
class Part {
 public:
  template <class T>
  Part(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      set(value ? "true" : "false");
    } else if constexpr (std::is_same_v<T, DType>) {
      constexpr std::string_view kNames[] = {"?", "float32", "float64", "int32", "int64", "uint8", "bool"};
      const auto number = static_cast<std::size_t>(value);
      set(kNames[number < sizeof(kNames) / sizeof(kNames[0]) ? number : 0]);
    } else if constexpr (std::is_integral_v<T>) {
      kind_ = kInteger;
      integer_ = static_cast<std::int64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = kNumber;
      number_ = static_cast<double>(value);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      set(value);
    } else {
      const Shape shape = value;
      kind_ = kShape;
      sizes_ = shape.data();
      size_ = shape.size();
    }
  }

 private:
  friend class Message;

  void set(std::string_view text) {
    kind_ = kText;
    bytes_ = text.data();
    size_ = text.size();
  }

  enum { kText, kInteger, kNumber, kShape } kind_;
  std::size_t size_;  // of a text or a shape
  union {
    std::int64_t integer_;
    double number_;
    const char* bytes_;
    const std::int64_t* sizes_;
  };
};

/// The text of some parts, up to 400 bytes.
class Message {
 public:
  MINITENSOR_SDK_COLD explicit Message(Span<const Part> parts) {
    for (const Part& part : parts) {
      switch (part.kind_) {
        case Part::kText:
          append(std::string_view(part.bytes_, part.size_));
          break;
        case Part::kInteger:
          append(part.integer_);
          break;
        case Part::kNumber:
          append(part.number_);
          break;
        case Part::kShape:
          append(Shape(part.sizes_, part.size_));
          break;
      }
    }
  }

  std::string_view text() const { return {bytes_, size_}; }

 private:
  MINITENSOR_SDK_COLD void append(std::string_view text) {
    const std::size_t room = sizeof(bytes_) - size_;
    std::size_t count = text.size() < room ? text.size() : room;
    // A character of UTF-8 is not cut in two.
    while (count < text.size() && count > 0 && (static_cast<unsigned char>(text[count]) & 0xC0) == 0x80) --count;
    for (std::size_t i = 0; i < count; ++i) bytes_[size_++] = text[i];
  }

  /// [2,3]
  MINITENSOR_SDK_COLD void append(Shape shape) {
    append(std::string_view("["));
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (i > 0) append(std::string_view(","));
      append(shape[i]);
    }
    append(std::string_view("]"));
  }

  MINITENSOR_SDK_COLD void append(std::int64_t integer) {
    if (integer < 0) append(std::string_view("-"));
    const auto magnitude = static_cast<std::uint64_t>(integer);
    append_digits(integer < 0 ? 0 - magnitude : magnitude, 1);
  }

  /// Rounded to 6 decimals. With an exponent, if it is not from 0.0001 to 10^15.
  MINITENSOR_SDK_COLD void append(double number) {
    if (number != number) return append(std::string_view("nan"));
    if (number < 0) append(std::string_view("-"));
    double rest = number < 0 ? -number : number;
    if (rest - rest != 0) return append(std::string_view("inf"));
    std::int64_t exponent = 0;
    if (rest != 0 && (rest < 1e-4 || rest >= 1e15)) {
      for (; rest >= 10; rest /= 10) ++exponent;
      for (; rest < 1; rest *= 10) --exponent;
    }
    auto whole = static_cast<std::uint64_t>(rest);
    auto decimals = static_cast<std::uint64_t>((rest - static_cast<double>(whole)) * 1e6 + 0.5);
    if (decimals == 1000000) {
      ++whole;
      decimals = 0;
    }
    append_digits(whole, 1);
    if (decimals > 0) {
      std::size_t width = 6;
      for (; decimals % 10 == 0; decimals /= 10) --width;
      append(std::string_view("."));
      append_digits(decimals, width);
    }
    if (exponent != 0) {
      append(std::string_view("e"));
      append(exponent);
    }
  }

  /// `value`, in at least `width` digits.
  MINITENSOR_SDK_COLD void append_digits(std::uint64_t value, std::size_t width) {
    char digits[20];
    std::size_t first = sizeof(digits);
    for (; value > 0 || sizeof(digits) - first < width; value /= 10) {
      digits[--first] = static_cast<char>('0' + value % 10);
    }
    append(std::string_view(digits + first, sizeof(digits) - first));
  }

  char bytes_[400];
  std::size_t size_ = 0;
};

}  // namespace minitensor::sdk

#endif  // MINITENSOR_SDK_PLUGIN_MESSAGE_HPP
