#pragma once

#include <string>
#include <string_view>

namespace minitensor {

/// What a mangled C++ name stands for, without the arguments of templates and functions:
/// "_ZNSt3__26vectorIiNS_9allocatorIiEEE9push_backEOi" is "std::__2::vector<…>::push_back(…)". Empty when it is no
/// such name, or one of a rare form.
/// https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
std::string demangle(std::string_view symbol);

}  // namespace minitensor
