/** @typedef {import('./index.js').OpDoc} OpDoc */

const SHAPES = 'x without the reduced axes; with keepDims they stay, with size 1. No axis given: all; an empty list: '
  + 'none.';
const ERRORS = 'ShapeError for an axis that is out of range or given twice.';

/** @type {Record<string, OpDoc>} */
export const reduceDocs = {
  sum: {
    summary: 'the sum over axes; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; bool and integers become int64. Floating-point sums are pairwise, in float64, and rounded once.',
    gradient: '1',
    errors: ERRORS,
    example: 'mt.sum([[1, 2], [3, 4]], { axis: 0 }); // [4, 6]',
  },
  mean: {
    summary: 'the arithmetic mean over axes; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; bool and integers become float32. Of no elements it is NaN.',
    gradient: '1 / n, for a mean of n elements',
    errors: ERRORS,
    example: 'mt.mean([[1, 2], [3, 4]], { axis: -1, keepDims: true }); // [[1.5], [3.5]]',
  },
};
