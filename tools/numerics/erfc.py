#!/usr/bin/env python3
"""Prints the polynomial of src/minitensor/ops/kernels/float64_erf.cpp for erfc, highest power first: Chebyshev's series of
(1 + 2x) e^(x^2) erfc(x) in u = (x - 3.75) / (x + 3.75), as M. M. Shepherd and J. G. Laframboise have it (Mathematics of
Computation 36, 1981), rounded to float64. Needs mpmath (Debian: python3-mpmath).
"""

from mpmath import cos, erfc, exp, log, mp, mpf, pi, sqrt

mp.dps = 50
CENTRE = mpf(15) / 4
DEGREE = 24
NODES = 80


def target(u):
    x = CENTRE * (1 + u) / (1 - u)
    if x < 1000:
        return (1 + 2 * x) * exp(x * x) * erfc(x)
    total, term = mpf(1), mpf(1)  # the asymptotic series
    for n in range(1, 12):
        term *= -(2 * n - 1) / (2 * x * x)
        total += term
    return (1 + 2 * x) / (x * sqrt(pi)) * total


def chebyshev_coefficients():
    angles = [pi * (j + mpf(1) / 2) / NODES for j in range(NODES)]
    values = [target(cos(angle)) for angle in angles]
    sums = [2 * sum(v * cos(n * a) for v, a in zip(values, angles)) / NODES for n in range(DEGREE + 1)]
    return [sums[0] / 2] + sums[1:]


def chebyshev_polynomials():
    polynomials = [[mpf(1)], [mpf(0), mpf(1)]]
    for _ in range(2, DEGREE + 1):
        last, before = polynomials[-1], polynomials[-2]
        polynomials.append([2 * a - b for a, b in zip([mpf(0)] + last, before + [mpf(0)] * 2)])
    return polynomials


powers = [mpf(0)] * (DEGREE + 1)
for coefficient, polynomial in zip(chebyshev_coefficients(), chebyshev_polynomials()):
    for power, factor in enumerate(polynomial):
        powers[power] += coefficient * factor
rounded = [float(power) for power in powers]
us = [mpf(2 * i) / 400 - 1 for i in range(400)]
error = max(abs(sum(c * u**n for n, c in enumerate(rounded)) / target(u) - 1) for u in us)
print(', '.join(map(repr, reversed(rounded))))
print(f'error 2^{mp.nstr(log(error, 2), 4)}')
