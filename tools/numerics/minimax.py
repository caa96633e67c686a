#!/usr/bin/env python3
"""Computes the polynomials of src/minitensor/ops/kernels: minimax fits by Remez' exchange, rounded to the type that the
kernels compute in. Needs mpmath (Debian: python3-mpmath). Prints each polynomial, lowest power first, with the largest
error it causes relative to the function that it is part of, before and after rounding.
"""

import struct

from mpmath import cos, erf, erfc, exp, log, lu_solve, matrix, mp, mpf, pi, sin, sqrt, tanh

mp.dps = 40
GRID = 600


def to_float32(value):
    return mpf(struct.unpack('<f', struct.pack('<f', float(value)))[0])


def to_float64(value):
    return mpf(float(value))


def evaluate(coefficients, x):
    return sum(c * x**k for k, c in enumerate(coefficients))


def alternating_extrema(errors):
    """The place of the largest error of each run of one sign."""
    extrema = []
    for i, error in enumerate(errors):
        if not extrema or (errors[extrema[-1]] > 0) != (error > 0):
            extrema.append(i)
        elif abs(error) > abs(errors[extrema[-1]]):
            extrema[-1] = i
    return extrema


def remez(target, weight, low, high, degree):
    """The polynomial that minimises the largest |weight(x) (polynomial(x) - target(x))| on [low, high], and that error.
    Errors are looked at on a grid that is dense at the ends, where the extrema are."""
    xs = [low + (high - low) * (1 - cos(pi * i / GRID)) / 2 for i in range(GRID + 1)]
    ws = [weight(x) for x in xs]
    ts = [target(x) for x in xs]
    count = degree + 2
    nodes = [round(GRID * (i + mpf(1) / 2) / count) for i in range(count)]
    for _ in range(20):
        system = matrix(count, count)
        values = matrix(count, 1)
        for row, node in enumerate(nodes):
            for power in range(degree + 1):
                system[row, power] = ws[node] * xs[node] ** power
            system[row, count - 1] = (-1) ** row
            values[row] = ws[node] * ts[node]
        solution = list(lu_solve(system, values))[: degree + 1]
        errors = [w * (evaluate(solution, x) - t) for x, w, t in zip(xs, ws, ts)]
        extrema = alternating_extrema(errors)
        while len(extrema) > count:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        if len(extrema) < count or extrema == nodes:
            break
        nodes = extrema
    return solution, max(abs(error) for error in errors)


def fit(name, target, weight, low, high, degree, rounding=to_float32):
    low, high = mpf(low), mpf(high)
    ideal, ideal_error = remez(target, weight, low, high, degree)
    rounded = [rounding(c) for c in ideal]
    xs = [low + (high - low) * i / GRID for i in range(GRID + 1)]
    error = max(abs(weight(x) * (evaluate(rounded, x) - target(x))) for x in xs)
    digits = 9 if rounding is to_float32 else 17
    print(f'{name}: error 2^{mp.nstr(log(ideal_error, 2), 4)}, rounded 2^{mp.nstr(log(error, 2), 4)}')
    print('  ' + ', '.join(f'{float(c):.{digits}g}' for c in rounded), flush=True)


def near_zero(direct, series):
    """`direct`, but `series` next to 0, where it would divide 0 by 0."""
    return lambda x: direct(x) if abs(x) > mpf(10) ** -9 else series(x)


def main():
    # A little more than half a step, as the quotient is rounded.
    r = log(2) / 2 * mpf('1.0001')
    exp_rest = near_zero(lambda x: (exp(x) - 1 - x) / x**2, lambda x: mpf(1) / 2 + x / 6)
    fit('exp: (exp(r) - 1 - r) / r^2', exp_rest, lambda x: x**2 / exp(x), -r, r, 4)
    fit('tanh: (tanh(x) / x - 1) / x^2 in x^2, |x| <= 0.625',
        near_zero(lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 3 + z * 2 / 15),
        near_zero(lambda z: z * sqrt(z) / tanh(sqrt(z)), lambda z: z), 0, mpf('0.625') ** 2, 4)

    fit('log: (log(1 + f) - f + f^2 / 2) / f^3',
        near_zero(lambda f: (log(1 + f) - f + f**2 / 2) / f**3, lambda f: mpf(1) / 3 - f / 4),
        near_zero(lambda f: f**3 / log(1 + f), lambda f: f**2), sqrt(mpf(1) / 2) - 1, sqrt(2) - 1, 8)

    fit('erf: erf(x) / x - 1 in x^2, |x| <= 0.921875',
        near_zero(lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: 2 / sqrt(pi) * (1 - z / 3) - 1),
        near_zero(lambda z: sqrt(z) / erf(sqrt(z)), lambda z: sqrt(pi) / 2), 0, mpf('0.921875') ** 2, 6)
    fit('erf: log(erfc(x)), 0.921875 <= x <= 4',
        lambda x: log(erfc(x)), lambda x: erfc(x) / erf(x), '0.921875', 4, 7)

    # Phi(-t) exp(t^2 / 2) (1 + t), as a function of (t - 4) / (t + 4): bounded, and smooth up to infinity.
    def scaled_tail(u):
        t = 4 * (1 + u) / (1 - u)
        return erfc(t / sqrt(2)) / 2 * exp(t**2 / 2) * (1 + t)
    fit('gelu: Phi(-t) exp(t^2 / 2) (1 + t) in u, 0 <= t <= 15', scaled_tail, lambda u: 1 / scaled_tail(u),
        -1, mpf(11) / 19, 10)

    q = pi / 4 * mpf('1.0001')
    fit('sin: (sin(r) / r - 1) / r^2 in r^2',
        near_zero(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 6 + z / 120),
        near_zero(lambda z: z * sqrt(z) / sin(sqrt(z)), lambda z: z), 0, q**2, 3, to_float64)
    fit('cos: (cos(r) - 1 + r^2 / 2) / r^4 in r^2',
        near_zero(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: mpf(1) / 24 - z / 720),
        lambda z: z**2 / cos(sqrt(z)), 0, q**2, 2, to_float64)


if __name__ == '__main__':
    main()
