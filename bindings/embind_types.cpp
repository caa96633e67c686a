// What embind's own library does, for the types that cross here and no others: its file registers every number, three
// kinds of wide strings and views of memory, and the JavaScript for all of them comes along. Being defined here, it is
// not linked. A function with a type that is missing fails when the build makes its JavaScript; a `val` of one, when it
// is made.

#include <emscripten/bind.h>

#include <cstring>
#include <limits>
#include <string>

namespace minitensor::bindings {

namespace {

using emscripten::internal::InitFunc;
using emscripten::internal::TypeID;

InitFunc* first_block = nullptr;

template <typename T>
void register_integer(const char* name) {
  emscripten::internal::_embind_register_integer(TypeID<T>::get(), name, sizeof(T), std::numeric_limits<T>::min(),
                                                 std::numeric_limits<T>::max());
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): embind's names

/// How messages name a type that is not registered: memory from malloc, which embind frees.
const char* __getTypeName(emscripten::internal::TYPEID /*type*/) {
  return strdup("a type that embind_types.cpp lacks");
}

void _embind_register_bindings(InitFunc* f) {
  f->next = first_block;
  first_block = f;
}

void _embind_initialize_bindings() {
  for (const InitFunc* block = first_block; block != nullptr; block = block->next) block->init_func();
}

// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

}  // extern "C"

EMSCRIPTEN_BINDINGS(types) {
  emscripten::internal::_embind_register_void(TypeID<void>::get(), "void");
  emscripten::internal::_embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  register_integer<int>("int");
  register_integer<unsigned int>("unsigned int");
  register_integer<unsigned long>("unsigned long");
  emscripten::internal::_embind_register_float(TypeID<double>::get(), "double", sizeof(double));
  emscripten::internal::_embind_register_std_string(TypeID<std::string>::get(), "std::string");
  emscripten::internal::_embind_register_emval(TypeID<emscripten::val>::get());
}

}  // namespace minitensor::bindings
