// exp and log as the rest of C's library calls them (erfc does): the kernels' own, which need no tables. Being defined
// here, those of Emscripten's libc are not linked, whose tables of random bits are 6 KB that gzip makes no smaller.

#include "minitensor/ops/kernels/float64.h"

extern "C" {

double exp(double x) { return minitensor::kernels::float64::exp(x); }

double log(double x) { return minitensor::kernels::float64::log(x); }

}  // extern "C"
