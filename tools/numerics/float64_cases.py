#!/usr/bin/env python3
"""Writes tests/cpp/ops/kernels/float64_cases.h to the standard output: values of elementary functions, from mpmath
(Debian: python3-mpmath), with more digits than float64 has before they are rounded to it.
"""

from mpmath import (acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, expm1, log, log10, log1p, mp, mpf,
                    sin, sinh, sqrt, tan, tanh)

mp.dps = 60

FUNCTIONS = {
    'exp': exp, 'expm1': expm1, 'log': log, 'log1p': log1p, 'log2': lambda x: log(x, 2), 'log10': log10, 'sin': sin,
    'cos': cos, 'tan': tan, 'asin': asin, 'acos': acos, 'atan': atan, 'sinh': sinh, 'cosh': cosh, 'tanh': tanh,
    'asinh': asinh, 'acosh': acosh, 'atanh': atanh, 'erf': erf, 'sqrt': sqrt, 'rsqrt': lambda x: 1 / sqrt(x),
    'sigmoid': lambda x: 1 / (1 + exp(-x)), 'softplus': lambda x: log1p(exp(x)),
    'gelu': lambda x: x * erfc(-x / sqrt(2)) / 2, 'silu': lambda x: x / (1 + exp(-x)),
    'mish': lambda x: x * tanh(log1p(exp(x))),
}

POSITIVE = [0.3, 1.5, 8.0, 1e-300, 1e300]
FRACTIONS = [-0.9, -0.25, 1e-9, 0.3, 0.99]
ANGLES = [-0.3, 1e-9, 2.0, 100.5, 1e22]
INPUTS = {
    'log': POSITIVE, 'log2': POSITIVE, 'log10': POSITIVE, 'log1p': [-0.7, 1e-12, 0.3, 1e10], 'sqrt': POSITIVE,
    'rsqrt': POSITIVE, 'sin': ANGLES, 'cos': ANGLES, 'tan': ANGLES, 'asin': FRACTIONS, 'acos': FRACTIONS,
    'atanh': FRACTIONS, 'acosh': [1.1, 2.0, 1e200],
}
EVERYWHERE = [-5.5, -0.3, 1e-9, 0.7, 6.25]

print('// Made by tools/numerics/float64_cases.py.')
print('// clang-format off')
for name, function in FUNCTIONS.items():
    for x in INPUTS.get(name, EVERYWHERE):
        print(f'{{"{name}", &kernels::{name}, {x!r}, {float(function(mpf(x)))!r}}},')
print('// clang-format on')
