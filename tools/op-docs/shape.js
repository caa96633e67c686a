import { FROM_THE_END, KEPT, RESULT_DTYPE, VIEW } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

/** @type {Record<string, OpDoc>} */
export const shapeDocs = {
  reshape: {
    summary: 'the same elements in row-major order under another shape; one size may be -1',
    shapes: 'As given. A view where the strides allow it, else a copy.',
    dtypes: KEPT,
    gradient: 'reshaped back',
    errors: 'ShapeError for a shape of another number of elements.',
    attributes: { shape: 'the sizes; one may be -1 and is then what fits' },
    example: 'mt.reshape([1, 2, 3, 4], { shape: [2, -1] }); // [[1, 2], [3, 4]]',
  },
  transpose: {
    summary: 'the axes in another order; none given: reversed',
    shapes: `The sizes in the order of axes. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'transposed back',
    errors: 'ShapeError unless axes is a permutation.',
    attributes: { axes: `for each axis of the result its place in x; ${FROM_THE_END}; an empty list: reversed` },
    example: 'mt.transpose([[1, 2], [3, 4]]); // [[1, 3], [2, 4]]',
  },
  broadcastTo: {
    summary: 'axes of size 1 repeated, and axes added in front, up to a shape',
    shapes: `As given. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'summed over the repeated axes',
    errors: 'ShapeError when x does not broadcast to the shape.',
    attributes: { shape: 'the sizes' },
    example: 'mt.broadcastTo([1, 2], { shape: [2, 2] }); // [[1, 2], [1, 2]]',
  },
  slice: {
    summary: 'the elements from start to stop (not included) in steps, along axes',
    shapes: 'Along the first axes, unless axes says which. Python\'s slices, clamped alike; negative positions count '
      + `from the end. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'zeros beside the slice',
    errors: 'ShapeError for an axis that is out of range or given twice; ValueError for a step of 0.',
    source: 'Python, slice.indices',
    attributes: {
      start: `the first position: one number, or one for each axis; ${FROM_THE_END}`,
      stop: `where to stop, not included; ${FROM_THE_END}; left out: everything in that direction`,
      step: 'from each position to the next, not 0; negative: backwards; left out: 1',
      axes: `for which axes these are; ${FROM_THE_END}; left out: the first ones`,
    },
    example: 'mt.slice([1, 2, 3, 4, 5], { start: 4, step: -2 }); // [5, 3, 1]',
  },
  cast: {
    summary: 'the elements in another dtype',
    shapes: 'That of x.',
    dtypes: 'Any. A floating-point number loses its fraction and is limited to the integer dtype\'s range, and NaN '
      + 'becomes 0; an integer is taken modulo 2^bits; bool is whether it is not 0.',
    gradient: '1, between floating-point dtypes',
    attributes: { dtype: RESULT_DTYPE },
    example: 'mt.cast([1.7, -1.7, 1e10], { dtype: \'int32\' }); // [1, -1, 2147483647]',
  },
};
