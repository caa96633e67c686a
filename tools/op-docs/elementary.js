/** @typedef {import('./index.js').OpDoc} OpDoc */

/**
 * @param {string} summary
 * @param {string} gradient
 * @param {string} example
 * @param {string} [errors]
 * @returns {OpDoc}
 */
const of = (summary, gradient, example, errors) => ({
  summary,
  shapes: 'That of x.',
  dtypes: 'Any; bool and integers become float32.',
  gradient,
  ...(errors !== undefined && { errors }),
  example,
});

const BELOW_ZERO = 'None: below 0 it is NaN.';
const BEYOND_ONE = 'None: beyond -1 and 1 it is NaN.';

/** @type {Record<string, OpDoc>} */
export const elementaryDocs = {
  expm1: of('e^x - 1, exact for small x', 'e^x', 'mt.expm1([0, -Infinity]); // [0, -1]'),
  log: of('the natural logarithm of x', '1 / x', 'mt.log([1, 0, -1]); // [0, -Infinity, NaN]', BELOW_ZERO),
  log1p: of('log(1 + x), exact for small x', '1 / (1 + x)', 'mt.log1p([0, -1]); // [0, -Infinity]',
    'None: below -1 it is NaN.'),
  log2: of('the logarithm of x to the base 2', '1 / (x log(2))', 'mt.log2([8, 0.5]); // [3, -1]', BELOW_ZERO),
  log10: of('the logarithm of x to the base 10', '1 / (x log(10))', 'mt.log10([1000, 1]); // [3, 0]', BELOW_ZERO),
  sqrt: of('the square root of x', '1 / (2 sqrt(x))', 'mt.sqrt([4, 9]); // [2, 3]', BELOW_ZERO),
  rsqrt: of('1 / sqrt(x)', '-1 / (2 x sqrt(x))', 'mt.rsqrt([4, 0]); // [0.5, Infinity]', BELOW_ZERO),
  sin: of('the sine of x', 'cos(x)', 'mt.sin([0, -0]); // [0, -0]', 'None: of an infinity it is NaN.'),
  cos: of('the cosine of x', '-sin(x)', 'mt.cos([0, Infinity]); // [1, NaN]', 'None: of an infinity it is NaN.'),
  tan: of('the tangent of x', '1 + tan(x)²', 'mt.tan([0, Infinity]); // [0, NaN]', 'None: of an infinity it is NaN.'),
  asin: of('the angle from -pi/2 to pi/2 of which x is the sine', '1 / sqrt(1 - x²)', 'mt.asin([0, 2]); // [0, NaN]',
    BEYOND_ONE),
  acos: of('the angle from 0 to pi of which x is the cosine', '-1 / sqrt(1 - x²)', 'mt.acos([1, 2]); // [0, NaN]',
    BEYOND_ONE),
  atan: of('the angle from -pi/2 to pi/2 of which x is the tangent', '1 / (1 + x²)', 'mt.atan([0, -0]); // [0, -0]'),
  sinh: of('(e^x - e^-x) / 2', 'cosh(x)', 'mt.sinh([0, -Infinity]); // [0, -Infinity]'),
  cosh: of('(e^x + e^-x) / 2', 'sinh(x)', 'mt.cosh([0, -Infinity]); // [1, Infinity]'),
  asinh: of('log(x + sqrt(x² + 1))', '1 / sqrt(x² + 1)', 'mt.asinh([0, Infinity]); // [0, Infinity]'),
  acosh: of('log(x + sqrt(x² - 1))', '1 / sqrt(x² - 1)', 'mt.acosh([1, 0]); // [0, NaN]', 'None: below 1 it is NaN.'),
  atanh: of('log((1 + x) / (1 - x)) / 2', '1 / (1 - x²)', 'mt.atanh([0, 1]); // [0, Infinity]', BEYOND_ONE),
  erf: of('2 / sqrt(pi) times the integral of e^(-t²) from 0 to x', '2 / sqrt(pi) e^(-x²)',
    'mt.erf([0, Infinity]); // [0, 1]'),
  atan2: {
    summary: 'the angle from -pi to pi of the point (x, y)',
    shapes: 'The inputs broadcast by NumPy\'s rule.',
    dtypes: 'Any; bool and integers become float32.',
    gradient: 'd/dy = x / (x² + y²), d/dx = -y / (x² + y²)',
    source: 'C: signs of zeros choose between -pi, -0, 0 and pi.',
    example: 'mt.atan2([0, -0], 1); // [0, -0]',
  },
};
