import { GIVEN_SHAPE, SIZES, STREAM_SEED } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const STREAM = 'Philox4x32-10 (Salmon, Moraes, Dror and Shaw, SC 2011); the same numbers on every machine. '
  + 'With a seed, the stream of that seed from its start; else that of mt.manualSeed, which goes on from call to call.';
const FLOATS = 'float32 or float64';
const INTEGERS = 'an integer dtype';
const INTEGER = 'The integer dtype that is asked for.';

/** @type {Record<string, OpDoc>} */
export const randomDocs = {
  rand: {
    summary: 'uniform random numbers in [0, 1)',
    shapes: GIVEN_SHAPE,
    dtypes: 'float32 or float64: multiples of 2^-24 or 2^-53.',
    errors: 'DTypeError for other dtypes.',
    source: STREAM,
    attributes: { shape: SIZES, dtype: FLOATS, seed: STREAM_SEED },
    example: "mt.rand([2], { dtype: 'float64', seed: 42 }).toArray().every((x) => x >= 0 && x < 1); // true",
  },
  randn: {
    summary: 'random numbers of the normal distribution with mean 0 and variance 1',
    shapes: GIVEN_SHAPE,
    dtypes: 'float32 or float64, of magnitudes up to 6.66 or 8.57.',
    errors: 'DTypeError for other dtypes.',
    source: `Box and Muller (Annals of Mathematical Statistics 29, 1958), from ${STREAM}`,
    attributes: { shape: SIZES, dtype: FLOATS, seed: STREAM_SEED },
    example: 'mt.randn([1000], { seed: 42 }).toArray().every((x) => Math.abs(x) < 7); // true',
  },
  randint: {
    summary: 'random integers from low up to, but not including, high, each equally likely',
    shapes: GIVEN_SHAPE,
    dtypes: INTEGER,
    errors: 'ValueError when there are no such integers in the dtype; DTypeError for other dtypes.',
    source: `Lemire (ACM TOMACS 29, 2019), from ${STREAM}`,
    attributes: {
      low: 'the smallest integer',
      high: 'the end, which is not included',
      shape: `${SIZES}; []: a 0-D tensor`,
      dtype: INTEGERS,
      seed: STREAM_SEED,
    },
    example: 'mt.randint(3, 4, [2]); // [3, 3]',
  },
  permutation: {
    summary: 'the numbers 0, 1, …, n - 1 in an order of which each is equally likely',
    shapes: '[n].',
    dtypes: INTEGER,
    errors: 'ValueError for a negative n, or one that the dtype does not count to; DTypeError for other dtypes.',
    source: `Durstenfeld (Algorithm 235, CACM 7, 1964), from ${STREAM}`,
    attributes: { n: 'how many numbers', dtype: INTEGERS, seed: STREAM_SEED },
    example: 'mt.permutation(5).toArray().sort(); // [0, 1, 2, 3, 4]',
  },
};
