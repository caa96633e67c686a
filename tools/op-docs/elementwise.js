import { BROADCAST, FLOAT, NUMERIC, PROMOTED, SAME } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

/** @type {Record<string, OpDoc>} */
export const elementwiseDocs = {
  add: {
    summary: 'a + b',
    shapes: BROADCAST,
    dtypes: `${PROMOTED} Integers wrap around; of bool it is "or".`,
    gradient: 'd/da = 1, d/db = 1',
    example: 'mt.add([1, 2], 3); // [4, 5]',
  },
  sub: {
    summary: 'a - b',
    shapes: BROADCAST,
    dtypes: `${NUMERIC} Integers wrap around.`,
    gradient: 'd/da = 1, d/db = -1',
    errors: 'DTypeError for bool.',
    example: 'mt.sub([1, 2], 3); // [-2, -1]',
  },
  mul: {
    summary: 'a * b',
    shapes: BROADCAST,
    dtypes: `${PROMOTED} Integers wrap around; of bool it is "and".`,
    gradient: 'd/da = b, d/db = a',
    example: 'mt.mul([1, 2], [3, 4]); // [3, 8]',
  },
  div: {
    summary: 'a / b',
    shapes: BROADCAST,
    dtypes: FLOAT,
    gradient: 'd/da = 1 / b, d/db = -a / b²',
    source: 'IEEE 754: x / 0 is an infinity, 0 / 0 is NaN.',
    example: 'mt.div([1, 2], [4, 0]); // [0.25, Infinity]',
  },
  neg: {
    summary: '-x',
    shapes: SAME,
    dtypes: `${NUMERIC} Integers wrap around.`,
    gradient: '-1',
    errors: 'DTypeError for bool.',
    example: 'mt.neg([1, -2]); // [-1, 2]',
  },
  exp: {
    summary: 'e^x',
    shapes: SAME,
    dtypes: FLOAT,
    gradient: 'e^x',
    example: 'mt.exp([0, -Infinity]); // [1, 0]',
  },
  tanh: {
    summary: '(e^x - e^-x) / (e^x + e^-x)',
    shapes: SAME,
    dtypes: FLOAT,
    gradient: '1 - tanh(x)²',
    example: 'mt.tanh([0, Infinity]); // [0, 1]',
  },
  sigmoid: {
    summary: '1 / (1 + e^-x)',
    shapes: SAME,
    dtypes: `${FLOAT} No x overflows.`,
    gradient: 'sigmoid(x) (1 - sigmoid(x))',
    example: 'mt.sigmoid([0, Infinity]); // [0.5, 1]',
  },
  relu: {
    summary: 'max(x, 0)',
    shapes: SAME,
    dtypes: `${NUMERIC} NaN stays NaN.`,
    gradient: '1 where x > 0, else 0',
    errors: 'DTypeError for bool.',
    example: 'mt.relu([-1, 2]); // [0, 2]',
  },
};
