/*
 * What the documentation of ops says in several families.
 */
export const AXES_RANGE = 'ShapeError for an axis that is out of range or given twice.';
export const AXIS_RANGE = 'ShapeError for an axis that is out of range.';
export const BROADCAST = 'The inputs broadcast by NumPy\'s rule.';
export const FLOAT = 'Any; bool and integers become float32.';
export const GIVEN_SHAPE = 'The shape that is given.';
export const KEPT = 'Any; it stays.';
export const NO_BOOL = 'DTypeError for bool.';
export const NUMERIC = 'Any but bool; the promoted one comes out.';
export const PROMOTED = 'Any; the promoted one comes out.';
export const PROMOTED_FLOAT = 'Any; bool and integers become float32. The promoted one comes out.';
export const SAME = 'That of x.';
export const VIEW = 'A view: it shares the elements.';

// What attributes are, which several ops have.
export const FROM_THE_END = 'negative ones count from the end';
export const AXIS = `one axis; ${FROM_THE_END}`;
export const FLAT_AXIS = `${AXIS}; left out: x is flattened`;
export const AXES_OR_ALL = `one axis or several; ${FROM_THE_END}; left out: all`;
/** Of reductions. */
export const REDUCED_AXES = {
  axis: `${AXES_OR_ALL}; an empty list: none`,
  keepDims: 'whether reduced axes stay, with size 1',
};
export const DESCENDING = 'whether the largest comes first';
export const DIAGONAL = '0 for the main diagonal, positive for those above it, negative for those below';
export const RESULT_DTYPE = 'of the result';
export const SIZES = 'the sizes; one number is that of one axis';
export const STREAM_SEED = 'of a stream of its own; left out: the stream of mt.manualSeed goes on';
