import { AXES_RANGE, REDUCED_AXES } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const SHAPES = 'x without the reduced axes; with keepDims they stay, with size 1. No axis given: all; an empty list: '
  + 'none.';
const DTYPES = 'Any; bool and integers become float32. Computed in float64 and rounded once.';
const CORRECTION = 'what is subtracted from the number of elements: 0 for a population, 1 for a sample';

/** @type {Record<string, OpDoc>} */
export const statisticsDocs = {
  var: {
    summary: 'the variance over axes: sum (x - mean)² / (n - correction); none given: over all',
    shapes: SHAPES,
    dtypes: `${DTYPES} Where n - correction is not positive, it counts as 0: NaN or Infinity comes out, as in NumPy.`,
    gradient: '2 (x - mean) / (n - correction)',
    errors: AXES_RANGE,
    source: 'The Python array API has this correction: 0 for a population, 1 for a sample.',
    attributes: { ...REDUCED_AXES, correction: CORRECTION },
    example: 'mt.var([[1, 3], [2, 8]], { axis: 1 }); // [1, 9]\nmt.var([1, 3], { correction: 1 }); // 2',
  },
  std: {
    summary: 'the standard deviation over axes: the square root of var; none given: over all',
    shapes: SHAPES,
    dtypes: `${DTYPES} Where n - correction is not positive, it counts as 0: NaN or Infinity comes out, as in NumPy.`,
    gradient: '(x - mean) / ((n - correction) std); 0 where std is 0',
    errors: AXES_RANGE,
    attributes: { ...REDUCED_AXES, correction: CORRECTION },
    example: 'mt.std([[1, 3], [2, 8]], { axis: 1 }); // [1, 3]',
  },
  norm: {
    summary: 'the length over axes: ord 1, sum |x|; 2, sqrt(sum x²); Infinity, max |x|; none given: over all',
    shapes: SHAPES,
    dtypes: `${DTYPES} Of no elements it is 0. Squares of float64 beyond 1e154 overflow.`,
    gradient: 'ord 1: sign(x); 2: x / norm, and 0 where that is 0; Infinity: sign(x), in equal parts among ties',
    errors: `${AXES_RANGE} ValueError for another ord.`,
    attributes: { ...REDUCED_AXES, ord: '1, 2 or Infinity' },
    example: 'mt.norm([[3, 4], [6, 8]], { axis: 1 }); // [5, 10]\nmt.norm([3, -4], { ord: Infinity }); // 4',
  },
};
