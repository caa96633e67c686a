import { AXES_RANGE, REDUCED_AXES } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const SHAPES = 'x without the reduced axes; with keepDims they stay, with size 1. No axis given: all; an empty list: '
  + 'none.';
const EXTREME_GRADIENT = 'It goes in equal parts to the elements that are equal to the result, as of PyTorch\'s amax.';
const NO_ELEMENTS = 'ValueError when there are no elements.';

/** @type {Record<string, OpDoc>} */
export const reduceDocs = {
  sum: {
    summary: 'the sum over axes; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; bool and integers become int64. Floating-point sums are pairwise, in float64, and rounded once.',
    gradient: '1',
    errors: AXES_RANGE,
    attributes: REDUCED_AXES,
    example: 'mt.sum([[1, 2], [3, 4]], { axis: 0 }); // [4, 6]',
  },
  mean: {
    summary: 'the arithmetic mean over axes; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; bool and integers become float32. Of no elements it is NaN.',
    gradient: '1 / n, for a mean of n elements',
    errors: AXES_RANGE,
    attributes: REDUCED_AXES,
    example: 'mt.mean([[1, 2], [3, 4]], { axis: -1, keepDims: true }); // [[1.5], [3.5]]',
  },
  prod: {
    summary: 'the product over axes; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; bool and integers become int64. Floating-point products are computed in float64 and rounded once. '
      + 'Of no elements it is 1.',
    gradient: 'The product of the other elements, without a division, so that it is right beside zeros.',
    errors: AXES_RANGE,
    attributes: REDUCED_AXES,
    example: 'mt.prod([[1, 2], [3, 4]], { axis: 0 }); // [3, 8]',
  },
  max: {
    summary: 'the largest element over axes; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; it comes out. NaN where one is among the elements.',
    gradient: EXTREME_GRADIENT,
    errors: `${AXES_RANGE} ${NO_ELEMENTS}`,
    attributes: REDUCED_AXES,
    example: 'mt.max([[1, 4], [3, 2]], { axis: 1 }); // [4, 3]',
  },
  min: {
    summary: 'the smallest element over axes; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; it comes out. NaN where one is among the elements.',
    gradient: EXTREME_GRADIENT,
    errors: `${AXES_RANGE} ${NO_ELEMENTS}`,
    attributes: REDUCED_AXES,
    example: 'mt.min([[1, 4], [3, 2]], { axis: 1 }); // [1, 2]',
  },
  any: {
    summary: 'whether an element over axes is not 0; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; bool comes out. NaN is not 0. Of no elements it is false.',
    errors: AXES_RANGE,
    attributes: REDUCED_AXES,
    example: 'mt.any([[0, 1], [0, 0]], { axis: 1 }); // [true, false]',
  },
  all: {
    summary: 'whether every element over axes is not 0; none given: over all',
    shapes: SHAPES,
    dtypes: 'Any; bool comes out. NaN is not 0. Of no elements it is true.',
    errors: AXES_RANGE,
    attributes: REDUCED_AXES,
    example: 'mt.all([[0, 1], [2, 1]], { axis: 1 }); // [false, true]',
  },
};
