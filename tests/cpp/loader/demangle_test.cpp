#include "minitensor/loader/demangle.h"

#include <gtest/gtest.h>

#include <string>
#ifndef __wasm__
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#endif

namespace minitensor {
namespace {

struct Case {
  const char* symbol;
  const char* name;
};

// As c++filt of GNU binutils names them; the arguments of templates and functions are left out.
constexpr Case kCases[] = {
    {"_Znwm", "operator new(…)"},
    {"_ZdaPv", "operator delete[](…)"},
    {"_ZSt9terminatev", "std::terminate()"},
    {"_ZTISt9exception", "typeinfo for std::exception"},
    {"_ZTVN10__cxxabiv120__si_class_type_infoE", "vtable for __cxxabiv1::__si_class_type_info"},
    {"_ZTIi", "typeinfo for int"},
    {"_ZTS3Foo", "typeinfo name for Foo"},
    {"_ZGVZ1fvE1x", "guard variable for f()::x"},
    {"_ZZN3foo3barEiE5state", "foo::bar(…)::state"},
    {"_ZN3foo5valueE", "foo::value"},
    {"_ZN3FooC1Ev", "Foo::Foo()"},
    {"_ZN3FooD0Ev", "Foo::~Foo()"},
    {"_ZNK3Foo3getEv", "Foo::get()"},
    {"_ZNSsC1EPKc", "std::string::string(…)"},
    {"_ZN12_GLOBAL__N_14initEv", "(anonymous namespace)::init()"},
    {"_ZNSt3__26vectorIiNS_9allocatorIiEEE9push_backEOi", "std::__2::vector<…>::push_back(…)"},
    {"_ZNSt3__212basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE9push_backB8ne210108Ec",
     "std::__2::basic_string<…>::push_back(…)"},
    {"_ZNSt3__2plIcEENS_12basic_stringIT_NS_11char_traitsIS2_EENS_9allocatorIS2_EEEEPKS2_",
     "std::__2::operator+<…>(…)"},
    {"_ZNSt8functionIFvRKN3foo3barEEED2Ev", "std::function<…>::~function()"},
    {"_ZNSt5arrayIiLm3EEixEm", "std::array<…>::operator[](…)"},
    {"_ZN1aIJiA3_cEE1bEv", "a<…>::b()"},
    {"_Z3fooi", "foo(…)"},
};

TEST(Demangle, NamesWithoutTheirArguments) {
  for (const auto& [symbol, name] : kCases) {
    EXPECT_EQ(demangle(symbol), name) << symbol;
  }
}

TEST(Demangle, WhatIsNoMangledNameOrARareOneIsNothing) {
  for (const char* symbol : {"",
                             "malloc",
                             "_",
                             "_Z",
                             "_ZN",
                             "_ZNE",
                             "_Z0",
                             "_Z9foo",
                             "_Z99999999999999999999999999999999x",
                             "_ZTI",
                             "_ZNSt",
                             "_ZN3fooI",
                             "_ZN3fooIE",
                             "_ZN3fooIL",
                             "_ZN3fooILi1",
                             "_ZN3fooIS",
                             "_ZN3fooIDtfp_EE3barEv",
                             "_ZNUlvE_clEv",
                             "_ZNC1Ev.",
                             "_ZD",
                             "_ZZ",
                             "_ZZZZ",
                             "_ZNS0_3fooE",
                             "_ZN\xFF",
                             "__Z3foov"}) {
    EXPECT_EQ(demangle(symbol), "") << symbol;
  }
}

TEST(Demangle, DeepNamesDoNotExhaustTheStack) {
  for (const char* part : {"N", "Z", "1aI", "N1aI", "IJ", "F"}) {
    std::string symbol = "_ZN1aI";
    for (int i = 0; i < 100'000; ++i) symbol += part;
    EXPECT_EQ(demangle(symbol), "") << part;
  }
}

#ifndef __wasm__
// Without what stands in brackets, "const" at the end, and the tags of a library's version.
std::string shortened(std::string_view name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (depth == 0) result += c;
    if (c == '>' || c == ')' || c == ']') --depth;
  }
  if (result.ends_with(" const")) result.resize(result.size() - 6);
  return result;
}

TEST(Demangle, AgreesWithTheCompilersOwn) {
  for (const auto& [symbol, name] : kCases) {
    const std::string text = symbol;
    // Brackets that are part of a name, and what c++filt adds of its own.
    if (text.find("ixE") != std::string::npos || text == "_ZdaPv" || text == "_ZNSsC1EPKc") continue;
    if (text.find("_GLOBAL__N_1") != std::string::npos) continue;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> full(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                           &std::free);
    ASSERT_EQ(status, 0) << symbol;
    const std::string expected = shortened(full.get());
    const std::string actual = shortened(demangle(symbol));
    EXPECT_TRUE(expected.ends_with(actual)) << expected << " and " << actual;
  }
}
#endif

}  // namespace
}  // namespace minitensor
