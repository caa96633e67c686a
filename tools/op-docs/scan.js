import { AXIS_RANGE, FLAT_AXIS } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const PLACES = 'x without the axis; with keepDims it stays, with size 1. No axis given: the place in the flattened x.';
const RUNNING = 'That of x. No axis given: x is flattened first.';

/** @type {Record<string, OpDoc>} */
export const scanDocs = {
  argmax: {
    summary: 'the place of the largest element along an axis: of the first one, or of the first NaN',
    shapes: PLACES,
    dtypes: 'Any; int64 comes out.',
    errors: `${AXIS_RANGE} ValueError when there are no elements.`,
    attributes: { axis: FLAT_AXIS, keepDims: 'whether the axis stays, with size 1' },
    example: 'mt.argmax([[1, 4], [3, 2]], { axis: 1 }); // [1, 0]',
  },
  argmin: {
    summary: 'the place of the smallest element along an axis: of the first one, or of the first NaN',
    shapes: PLACES,
    dtypes: 'Any; int64 comes out.',
    errors: `${AXIS_RANGE} ValueError when there are no elements.`,
    attributes: { axis: FLAT_AXIS, keepDims: 'whether the axis stays, with size 1' },
    example: 'mt.argmin([[1, 4], [3, 2]]); // 0',
  },
  cumsum: {
    summary: 'the sums of the elements up to each one, along an axis',
    shapes: RUNNING,
    dtypes: 'Any; bool and integers become int64. float32 is summed in float64, each sum rounded once.',
    gradient: 'The sum of the gradients from each element on.',
    errors: AXIS_RANGE,
    attributes: { axis: FLAT_AXIS },
    example: 'mt.cumsum([[1, 2], [3, 4]], { axis: 0 }); // [[1, 2], [4, 6]]',
  },
  cumprod: {
    summary: 'the products of the elements up to each one, along an axis',
    shapes: RUNNING,
    dtypes: 'Any; bool and integers become int64. float32 is multiplied in float64, each product rounded once.',
    gradient: 'By the products of the other elements, without a division, so that it is right beside zeros.',
    errors: AXIS_RANGE,
    attributes: { axis: FLAT_AXIS },
    example: 'mt.cumprod([1, 2, 3, 4]); // [1, 2, 6, 24]',
  },
};
