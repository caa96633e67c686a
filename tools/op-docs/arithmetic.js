import { BROADCAST, NO_BOOL, SAME } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const NUMERIC = 'Any but bool; it comes out. NaN stays NaN.';
const ANY = 'Any; the promoted one comes out. NaN in either is NaN.';

/** @param {string} summary @param {string} example @param {string} [gradient] @returns {OpDoc} */
const unary = (summary, example, gradient = '0') => ({
  summary,
  shapes: SAME,
  dtypes: NUMERIC,
  gradient,
  errors: NO_BOOL,
  example,
});

/** @type {Record<string, OpDoc>} */
export const arithmeticDocs = {
  abs: unary('The magnitude of x; of the smallest integer itself', 'mt.abs([-2, 3]); // [2, 3]', 'sign(x)'),
  sign: unary('-1, 0 or 1', 'mt.sign([-2, 0, 3]); // [-1, 0, 1]'),
  square: unary('x * x; integers wrap around', 'mt.square([-2, 3]); // [4, 9]', '2 x'),
  floor: unary('The largest integer that is not above x', 'mt.floor([-1.5, 1.5]); // [-2, 1]'),
  ceil: unary('The smallest integer that is not below x', 'mt.ceil([-1.5, 1.5]); // [-1, 2]'),
  round: unary('The nearest integer; from halfway the even one', 'mt.round([0.5, 1.5, 2.6]); // [0, 2, 3]'),
  trunc: unary('x without its fraction', 'mt.trunc([-1.5, 1.5]); // [-1, 1]'),
  reciprocal: {
    summary: '1 / x',
    shapes: SAME,
    dtypes: 'Any; bool and integers become float32.',
    gradient: '-1 / x²',
    source: 'IEEE 754: 1 / 0 is an infinity.',
    example: 'mt.reciprocal([4, 0]); // [0.25, Infinity]',
  },
  minimum: {
    summary: 'the smaller of a and b',
    shapes: BROADCAST,
    dtypes: ANY,
    gradient: '1 for the smaller, 0 for the other; 1/2 for both where they are equal',
    example: 'mt.minimum([1, 5], 3); // [1, 3]',
  },
  maximum: {
    summary: 'the larger of a and b',
    shapes: BROADCAST,
    dtypes: ANY,
    gradient: '1 for the larger, 0 for the other; 1/2 for both where they are equal',
    example: 'mt.maximum([1, 5], 3); // [3, 5]',
  },
  clip: {
    summary: 'minimum(maximum(x, min), max), with one limit or both',
    shapes: BROADCAST,
    dtypes: 'Any but bool; the promoted one comes out. NaN stays NaN.',
    gradient: 'd/dx = 1 where min <= x <= max, else 0; d/dmin = 1 where x < min <= max; d/dmax = 1 where max is '
      + 'below both',
    errors: 'ValueError when neither limit is given; DTypeError for bool.',
    example: 'mt.clip([-1, 0.5, 2], 0, 1); // [0, 0.5, 1]\nmt.clip([-1, 2], 0); // [0, 2]',
  },
};
