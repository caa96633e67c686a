import { DIAGONAL, GIVEN_SHAPE, RESULT_DTYPE, SAME, SIZES } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const ASKED = 'The one that is asked for.';
const LIKE = 'Any; that of x comes out, or the one that is asked for.';
const LIKE_DTYPE = `${RESULT_DTYPE}; left out: that of x`;
const MATRICES = 'That of x: matrices are its last two axes.';

/** @type {Record<string, OpDoc>} */
export const creationDocs = {
  zeros: {
    summary: 'A tensor of zeros',
    shapes: GIVEN_SHAPE,
    dtypes: ASKED,
    attributes: { shape: SIZES, dtype: RESULT_DTYPE },
    example: 'mt.zeros([2, 2]); // [[0, 0], [0, 0]]',
  },
  ones: {
    summary: 'A tensor of ones',
    shapes: GIVEN_SHAPE,
    dtypes: ASKED,
    attributes: { shape: SIZES, dtype: RESULT_DTYPE },
    example: "mt.ones([2], { dtype: 'int32' }); // [1, 1]",
  },
  full: {
    summary: 'A tensor of one value',
    shapes: GIVEN_SHAPE,
    dtypes: `${ASKED} The value is converted to it as by cast.`,
    attributes: { shape: SIZES, value: 'that of each element', dtype: RESULT_DTYPE },
    example: 'mt.full([2], 0.5); // [0.5, 0.5]',
  },
  zerosLike: {
    summary: 'zeros of the shape of x',
    shapes: SAME,
    dtypes: LIKE,
    gradient: '0',
    attributes: { dtype: LIKE_DTYPE },
    example: 'mt.zerosLike([1, 2]); // [0, 0]',
  },
  onesLike: {
    summary: 'ones of the shape of x',
    shapes: SAME,
    dtypes: LIKE,
    gradient: '0',
    attributes: { dtype: LIKE_DTYPE },
    example: 'mt.onesLike([[3], [4]]); // [[1], [1]]',
  },
  fullLike: {
    summary: 'one value in the shape of x',
    shapes: SAME,
    dtypes: LIKE,
    gradient: '0',
    attributes: { value: 'that of each element', dtype: LIKE_DTYPE },
    example: 'mt.fullLike([1, 2], { value: 7 }); // [7, 7]',
  },
  arange: {
    summary: 'start, start + step, … up to, but not including, stop',
    formula: 'start + i step for i = 0, 1, …; one argument is stop, and start is 0',
    shapes: '[ceil((stop - start) / step)], or [0].',
    dtypes: `${ASKED} Computed in float64.`,
    errors: 'ValueError for a step of 0 and numbers that are not finite.',
    source: 'NumPy, but for the rounding: each element is start + i step, rounded twice.',
    attributes: {
      start: 'the first number; given alone it is stop',
      stop: 'the end, which is not included',
      step: 'from each number to the next; it may be negative',
      dtype: RESULT_DTYPE,
    },
    example: "mt.arange(3); // [0, 1, 2]\nmt.arange(5, 0, -2, { dtype: 'int64' }); // [5, 3, 1]",
  },
  linspace: {
    summary: 'num numbers at equal distances from start to stop',
    formula: 'start + i (stop - start) / (num - 1); without endpoint / num',
    shapes: '[num].',
    dtypes: `${ASKED} Computed in float64; of an integer dtype rounded down.`,
    errors: 'ValueError for a negative num.',
    source: 'NumPy.',
    attributes: {
      start: 'the first number',
      stop: 'the last number; without endpoint the one that would follow',
      num: 'how many numbers',
      dtype: RESULT_DTYPE,
      endpoint: 'whether stop is the last number',
    },
    example: 'mt.linspace(0, 1, 5); // [0, 0.25, 0.5, 0.75, 1]\nmt.linspace(0, 1, 2, { endpoint: false }); // [0, 0.5]',
  },
  eye: {
    summary: '1 on the k-th diagonal, 0 elsewhere',
    shapes: '[n, m]; without m [n, n].',
    dtypes: ASKED,
    attributes: { n: 'the number of rows', m: 'the number of columns; left out: n', k: DIAGONAL, dtype: RESULT_DTYPE },
    example: 'mt.eye(2); // [[1, 0], [0, 1]]\nmt.eye(2, 3, 1); // [[0, 1, 0], [0, 0, 1]]',
  },
  tril: {
    summary: 'the lower triangle of matrices: 0 above the k-th diagonal',
    shapes: MATRICES,
    dtypes: 'Any; it comes out.',
    gradient: '1 in the triangle, else 0',
    errors: 'ShapeError for a rank below 2.',
    attributes: { k: DIAGONAL },
    example: 'mt.tril([[1, 2], [3, 4]]); // [[1, 0], [3, 4]]',
  },
  triu: {
    summary: 'the upper triangle of matrices: 0 below the k-th diagonal',
    shapes: MATRICES,
    dtypes: 'Any; it comes out.',
    gradient: '1 in the triangle, else 0',
    errors: 'ShapeError for a rank below 2.',
    attributes: { k: DIAGONAL },
    example: 'mt.triu([[1, 2], [3, 4]]); // [[1, 2], [0, 4]]',
  },
};
