#include "minitensor/base/number_text.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/em_js.h>
#else
#include <charconv>
#include <cmath>
#endif

namespace minitensor {

#ifdef __EMSCRIPTEN__

// In C++ it would be 55 KB. The last code is NaN, which is stored as 0. A plugin may have let memory grow by itself, of
// which Emscripten's views are not told.
// clang-format off
EM_JS(void, mt_write_number, (double value, char* text), {
  if (HEAP8.buffer !== wasmMemory.buffer) updateMemoryViews();
  for (let s = String(value), i = 0; i <= s.length; i++) HEAP8[text + i] = s.charCodeAt(i);
})
// clang-format on

std::string number_text(double value) {
  char text[32] = "";
  mt_write_number(value, text);
  return text;
}

#else

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

#endif

}  // namespace minitensor
