// The smaller and the larger of two numbers, as vector code: of scalars, engines make branches that nothing foresees.
#include "minitensor/ops/kernels/elementary.h"
#include "minitensor/ops/kernels/loop.h"

namespace minitensor::kernels {

#define MT_EXTREMUM(name, type, comparison)                           \
  void name(const type* a, const type* b, type* out, std::size_t n) { \
    MT_VECTORIZE                                                      \
    for (std::size_t i = 0; i < n; ++i) {                             \
      out[i] = a[i] comparison b[i] || a[i] != a[i] ? a[i] : b[i];    \
    }                                                                 \
  }
MT_EXTREMUM(minimum, float, <)
MT_EXTREMUM(minimum, double, <)
MT_EXTREMUM(maximum, float, >)
MT_EXTREMUM(maximum, double, >)
#undef MT_EXTREMUM

}  // namespace minitensor::kernels
