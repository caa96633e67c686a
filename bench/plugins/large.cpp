// A plugin of about 100 KB with eight ops, each a polynomial of its own with a gradient, written out in full for two
// dtypes.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "minitensor/sdk/plugin.hpp"

namespace mt = minitensor::sdk;

MT_PLUGIN_METADATA(kInfo, "large_000", "1.0.0", "Eight polynomials", "The MiniTensor authors", "0.1.0", "", "",
                   "large_000_0,large_000_1,large_000_2,large_000_3,large_000_4,large_000_5,large_000_6,large_000_7",
                   "")

namespace {

constexpr int kTerms = 230;

constexpr double coefficient(int polynomial, int term) {
  return 1.0 / (1 + polynomial) - static_cast<double>((polynomial * 31 + term * 17) % 101) / 128;
}

template <int P>
struct Polynomial {
  static constexpr char name[] = {'l', 'a', 'r', 'g', 'e', '_', '0', '0', '0', '_', static_cast<char>('0' + P), 0};
  static constexpr int input_count = 1;

  template <class T>
  static void forward(const mt::OpCall& call) {
    const T* x = call.input(0).data<T>();
    for (T& y : call.output().elements<T>()) y = value(*x++, std::make_integer_sequence<int, kTerms>());
  }

  template <class T>
  static void backward(const mt::OpCall& call) {
    const T* x = call.input(0).data<T>();
    const T* dy = call.grad_output().data<T>();
    for (T& dx : call.grad_input(0).elements<T>()) {
      dx = *dy++ * slope(*x++, std::make_integer_sequence<int, kTerms - 1>());
    }
  }

 private:
  template <class T, int... Term>
  static T value(T x, std::integer_sequence<int, Term...>) {
    T sum = 0;
    ((sum = sum * x + static_cast<T>(coefficient(P, kTerms - 1 - Term))), ...);
    return sum;
  }

  template <class T, int... Term>
  static T slope(T x, std::integer_sequence<int, Term...>) {
    T sum = 0;
    ((sum = sum * x + static_cast<T>((kTerms - 1 - Term) * coefficient(P, kTerms - 1 - Term))), ...);
    return sum;
  }
};

template <int... P>
constexpr mt::OpList polynomials(std::integer_sequence<int, P...>) {
  return mt::ops<Polynomial<P>...>;
}

struct LargePlugin {
  static const mt_plugin_info& info() { return kInfo; }
  static mt::OpList custom_operations() { return polynomials(std::make_integer_sequence<int, 8>()); }
};

}  // namespace

MINITENSOR_PLUGIN(LargePlugin)
