#include <cmath>
#include <numbers>

#include "minitensor/ops/kernels/float64.h"
#include "minitensor/ops/kernels/float64_series.h"

namespace minitensor::kernels::float64 {

namespace {

constexpr double kFactor = 2 * std::numbers::inv_sqrtpi;
constexpr double kFactorMinusOne = 0.12837916709551256;

// (erf(x) / x / kFactor - 1) / x^2 in x^2: (-1)^n / (n! (2n + 1))
constexpr double kErf[] = {-1 / 918086400.0, 1 / 76204800.0, -1 / 6894720.0, 1 / 685440.0, -1 / 75600.0, 1 / 9360.0,
                           -1 / 1320.0,      1 / 216.0,      -1 / 42.0,      1 / 10.0,     -1 / 3.0};

// (1 + 2x) e^(x^2) erfc(x) in (x - 3.75) / (x + 3.75), x >= 0; tools/numerics/erfc.py
constexpr double kTail[] = {
    4.2514714447963895e-10, 3.1114333809799254e-10, -5.1739902140113095e-09, -3.744210080962018e-09,
    3.8675334242222354e-08, 2.3263508708859124e-08, -2.5866850716155884e-07, -5.7218230603224086e-08,
    1.751637648849062e-06,  -9.73559896736775e-07,  -1.1444146237700524e-05, 2.238423915508223e-05,
    5.164909889268241e-05,  -0.0002901540805408417, 0.0002937136655913448,   0.0017556258528952954,
    -0.009746579558029276,  0.028362277418956406,   -0.05869339858963677,    0.09230432116037748,
    -0.10880393014174886,   0.0822767384901452,     0.0035854154854644293,   -0.14024059858554697,
    1.2375126308378275};

// erfc(x) for x >= 0. The square is given, since an error of it is one of as many digits of the result. M. M. Shepherd
// and J. G. Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2) erfc(x) in 0 <= x < infinity, Mathematics of
// Computation 36 (1981).
double tail(double x, const Pair& square) {
  if (x > 28) return 0;
  return series(kTail, (x - 3.75) / (x + 3.75)) / (1 + 2 * x) * exp({-square.high, -square.low});
}

}  // namespace

double erf(double x) {
  const double a = std::fabs(x);
  if (a < 0.5) return x + x * (kFactorMinusOne + kFactor * a * a * series(kErf, a * a));
  if (!(a < 28)) return a > 28 ? std::copysign(1.0, x) : x;
  return std::copysign(1 - tail(a, product(a, a)), x);
}

double normal(double x) {
  const double a = std::fabs(x);
  if (!(a < 40)) return a != a ? x : x < 0 ? 0 : 1;
  const Pair half_square = product(a, a / 2);
  const double beyond = tail(a * (std::numbers::sqrt2 / 2), half_square) / 2;
  return x < 0 ? beyond : 1 - beyond;
}

}  // namespace minitensor::kernels::float64
