import { KEPT, PROMOTED, VIEW } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const AXIS_ERROR = 'ShapeError for an axis that is out of range';
const AXES_ERROR = `${AXIS_ERROR} or given twice`;
const INDEX_ERROR = 'ValueError for an index that is out of range, DTypeError for indices that are not integers';
const ORDER = 'Stable: equal elements, -0 and 0 among them, stay in their order. NaN is larger than every number.';

/** @type {Record<string, OpDoc>} */
export const arrayDocs = {
  flatten: {
    summary: 'the axes from startAxis to endAxis, both included, as one',
    shapes: 'Their sizes multiplied; of a 0-D tensor [1]. A view where the strides allow it, else a copy.',
    dtypes: KEPT,
    gradient: 'reshaped back',
    errors: `${AXIS_ERROR}, and for a startAxis after endAxis.`,
    example: 'mt.flatten([[1, 2], [3, 4]]); // [1, 2, 3, 4]',
  },
  squeeze: {
    summary: 'x without axes of size 1; none given: without all of them',
    shapes: `Those sizes are left out. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'reshaped back',
    errors: `${AXES_ERROR}, or that has another size.`,
    example: 'mt.squeeze([[[1, 2]]]); // [1, 2]',
  },
  expandDims: {
    summary: 'x with axes of size 1, which have the given places in the result',
    shapes: `With these sizes. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'reshaped back',
    errors: `${AXES_ERROR}.`,
    example: 'mt.expandDims([1, 2], { axis: 1 }); // [[1], [2]]',
  },
  permuteDims: {
    summary: 'the axes in the order of axes',
    shapes: `The sizes in that order. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'the axes put back',
    errors: 'ShapeError unless axes is a permutation.',
    example: 'mt.permuteDims([[1, 2], [3, 4]], { axes: [1, 0] }); // [[1, 3], [2, 4]]',
  },
  moveAxis: {
    summary: 'the axes of source at the places of destination; the others stay in their order',
    shapes: `The sizes in that order. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'the axes moved back',
    errors: `${AXES_ERROR}, and for lists of different lengths.`,
    example: 'mt.moveAxis([[[1, 2]], [[3, 4]]], { source: 0, destination: -1 }).shape; // [1, 2, 2]',
  },
  flip: {
    summary: 'the elements in reverse order along axes; none given: along all',
    shapes: `That of x. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'flipped back',
    errors: `${AXES_ERROR}.`,
    example: 'mt.flip([[1, 2], [3, 4]], { axis: 1 }); // [[2, 1], [4, 3]]',
  },
  concat: {
    summary: 'tensors one behind the other along an axis',
    shapes: 'The sizes along that axis added up; the others are the same for all tensors.',
    dtypes: PROMOTED,
    gradient: 'split',
    errors: `${AXIS_ERROR}, and for shapes that differ beside it; ValueError for no tensors.`,
    example: 'mt.concat([[[1, 2]], [[3, 4], [5, 6]]]); // [[1, 2], [3, 4], [5, 6]]',
  },
  stack: {
    summary: 'tensors of one shape along a new axis, which has the given place in the result',
    shapes: 'Theirs, with their number at that place.',
    dtypes: PROMOTED,
    gradient: 'taken apart',
    errors: `${AXIS_ERROR}, and for shapes that differ; ValueError for no tensors.`,
    example: 'mt.stack([[1, 2], [3, 4]], { axis: 1 }); // [[1, 3], [2, 4]]',
  },
  split: {
    summary: 'x in parts along an axis: equal sections of this number, or parts of these sizes',
    shapes: `A list of tensors. ${VIEW}`,
    dtypes: KEPT,
    gradient: 'concatenated',
    errors: `${AXIS_ERROR}; ValueError for sections that do not divide it and for sizes that do not sum up to it.`,
    example: 'mt.split([1, 2, 3, 4, 5], { sizes: [2, 3] })[1].toArray(); // [3, 4, 5]',
  },
  tile: {
    summary: 'x repeated along each axis',
    shapes: 'Each size times its number of repeats. These are for the last axes; more of them add axes in front.',
    dtypes: KEPT,
    gradient: 'summed over the repeats',
    errors: 'ValueError for a negative number.',
    source: 'NumPy, tile',
    example: 'mt.tile([1, 2], { repeats: [2, 2] }); // [[1, 2, 1, 2], [1, 2, 1, 2]]',
  },
  roll: {
    summary: 'the elements moved on along axes, those that leave at the end coming back at the beginning',
    shapes: 'That of x. No axis given: moved along the flattened tensor.',
    dtypes: KEPT,
    gradient: 'moved back',
    errors: `${AXIS_ERROR}, and for other numbers of shifts than of axes, unless one is a single one.`,
    example: 'mt.roll([1, 2, 3, 4], { shift: 1 }); // [4, 1, 2, 3]',
  },
  pad: {
    summary: 'elements added before and after those along each axis',
    shapes: 'The sizes with these numbers added. One number is for all axes; after is before when left out.',
    dtypes: KEPT,
    formula: 'Of 1 2 3, two on both sides: 0 0 1 2 3 0 0 (constant, of value 0), 1 1 1 2 3 3 3 (edge), '
      + '3 2 1 2 3 2 1 (reflect), 2 1 1 2 3 3 2 (symmetric), 2 3 1 2 3 1 2 (wrap)',
    gradient: 'what was added is added to where it comes from, or left out',
    errors: 'ShapeError for another number of values than of axes; ValueError for a negative one, an unknown mode, and '
      + 'an axis without elements to repeat.',
    source: 'NumPy, pad',
    example: 'mt.pad([1, 2, 3], { before: 2, after: 1, mode: \'reflect\' }); // [3, 2, 1, 2, 3, 2]',
  },
  take: {
    summary: 'the elements at indices along an axis; none given: of the flattened tensor',
    shapes: 'That of x, with the axes of indices in the place of the axis.',
    dtypes: `${KEPT} Indices: integers; negative ones count from the end.`,
    gradient: 'each added where it was taken from',
    errors: `${INDEX_ERROR}; ${AXIS_ERROR}.`,
    example: 'mt.take([[1, 2], [3, 4], [5, 6]], [0, -1], { axis: 0 }); // [[1, 2], [5, 6]]',
  },
  gather: {
    summary: 'for each of indices the element of x at that place along an axis',
    formula: 'y[i, j] = x[indices[i, j], j] for axis 0',
    shapes: 'That of indices. x and indices have as many axes, and broadcast along the others.',
    dtypes: `${KEPT} Indices: integers; negative ones count from the end.`,
    gradient: 'scatterAdd of zeros',
    errors: `${INDEX_ERROR}; ShapeError for shapes that do not fit.`,
    source: 'NumPy, take_along_axis',
    example: 'mt.gather([[1, 2], [3, 4]], [[1], [0]], { axis: 1 }); // [[2], [3]]',
  },
  scatterAdd: {
    summary: 'x with updates added at the places that indices say, along an axis',
    formula: 'y[indices[i, j], j] += updates[i, j] for axis 0, starting from x',
    shapes: 'That of x. indices and updates have as many axes; they broadcast to each other, and to x along the '
      + 'others.',
    dtypes: 'Any; the promoted one of x and updates comes out. Updates of one place are added one after the other, in '
      + 'that dtype; integers wrap around; of bool it is "or".',
    gradient: 'of x: 1; of updates: gather',
    errors: `${INDEX_ERROR}; ShapeError for shapes that do not fit.`,
    example: 'mt.scatterAdd([0, 0, 0], [2, 0, 2], [1, 2, 3]); // [2, 0, 4]',
  },
  where: {
    summary: 'a where the condition is true, else b',
    shapes: 'All three broadcast by NumPy\'s rule.',
    dtypes: 'The condition: bool. a and b: any; the promoted one comes out.',
    gradient: 'of a where the condition is true, of b elsewhere; 0 at the other places',
    errors: 'DTypeError for a condition that is not bool.',
    example: 'mt.where([true, false], [1, 2], 0); // [1, 0]',
  },
  maskedFill: {
    summary: 'x with value in the places where the mask is true',
    shapes: 'That of x; mask and value broadcast to it.',
    dtypes: 'The mask: bool. x and value: any; the promoted one comes out.',
    gradient: 'of x where the mask is false, of value where it is true; 0 at the other places',
    errors: 'DTypeError for a mask that is not bool; ShapeError when mask or value do not broadcast to x.',
    example: 'mt.maskedFill([1, 2, 3], [true, false, true], -1); // [-1, 2, -1]',
  },
  nonzero: {
    summary: 'where the elements stand that are not 0, in row-major order',
    shapes: 'A list with a tensor for each axis, each with a position for each such element.',
    dtypes: 'Any; int64 comes out. NaN is not 0.',
    errors: 'ShapeError for a 0-D tensor.',
    example: 'mt.nonzero([[0, 1], [2, 0]])[1].toArray(); // [1, 0]',
  },
  sort: {
    summary: 'the elements in order along an axis',
    shapes: 'That of x.',
    dtypes: `${KEPT} ${ORDER}`,
    gradient: 'each where it came from',
    errors: `${AXIS_ERROR}.`,
    example: 'mt.sort([3, NaN, 1], { descending: true }); // [NaN, 3, 1]',
  },
  argsort: {
    summary: 'where the elements stand along an axis, in their order',
    shapes: 'That of x.',
    dtypes: `Any; int64 comes out. ${ORDER}`,
    errors: `${AXIS_ERROR}.`,
    example: 'mt.argsort([3, 1, 2]); // [1, 2, 0]',
  },
  topk: {
    summary: 'the k largest elements along an axis, in order, and where they stand; with largest: false, the smallest',
    shapes: '{ values, indices }, of the shape of x with k along the axis.',
    dtypes: `Values: that of x, any. Indices: int64. ${ORDER} Of equal elements the first ones are taken.`,
    gradient: 'each where it came from',
    errors: `${AXIS_ERROR}; ValueError for a k that is negative or more than there is.`,
    example: 'mt.topk([3, 1, 4, 1, 5], { k: 2 }).indices.toArray(); // [4, 2]',
  },
  unique: {
    summary: 'the different elements in order, where each stands first, which of them each element is, and how often '
      + 'each is there',
    shapes: '{ values, indices, inverse, counts }: 1-D, of as many elements as there are different ones; inverse has '
      + 'the shape of x. indices are those of the flattened tensor.',
    dtypes: 'Values: that of x, any. Others: int64. All NaN are one, as are -0 and 0.',
    source: 'NumPy, unique',
    example: 'mt.unique([2, 1, 2]).counts.toArray(); // [1, 2]',
  },
};
