import { BROADCAST, SAME } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const PREDICATE = 'Any; bool comes out.';
const BITS = 'Bool and integers; the promoted one comes out.';
const NO_FRACTIONS = 'DTypeError for float32 and float64.';

/** @param {string} summary @param {string} example @returns {OpDoc} */
const comparison = (summary, example) => ({
  summary,
  shapes: BROADCAST,
  dtypes: 'Any, compared in the promoted one; bool comes out. NaN equals nothing, and is neither less nor greater.',
  example,
});

/** @param {string} summary @param {string} example @returns {OpDoc} */
const logical = (summary, example) => ({
  summary,
  shapes: BROADCAST,
  dtypes: `${PREDICATE} 0 is false; everything else, NaN too, is true.`,
  example,
});

/** @param {string} summary @param {string} example @returns {OpDoc} */
const test = (summary, example) => ({ summary, shapes: SAME, dtypes: PREDICATE, example });

/** @param {string} summary @param {string} example @returns {OpDoc} */
const bitwise = (summary, example) => ({
  summary,
  shapes: BROADCAST,
  dtypes: `${BITS} The bits of negative integers are those of two's complement.`,
  errors: NO_FRACTIONS,
  example,
});

/** @param {string} summary @param {string} example @returns {OpDoc} */
const shift = (summary, example) => ({
  summary,
  shapes: BROADCAST,
  dtypes: 'Integers; the promoted one comes out. By a negative number, all bits are shifted out, as in NumPy.',
  errors: 'DTypeError for bool, float32 and float64.',
  example,
});

/** @type {Record<string, OpDoc>} */
export const logicDocs = {
  equal: comparison('a = b', 'mt.equal([1, 2], 2); // [false, true]'),
  notEqual: comparison('whether a and b differ', 'mt.notEqual([1, NaN], [1, NaN]); // [false, true]'),
  less: comparison('a < b', 'mt.less([1, 2, 3], 2); // [true, false, false]'),
  lessEqual: comparison('a <= b', 'mt.lessEqual([1, 2, 3], 2); // [true, true, false]'),
  greater: comparison('a > b', 'mt.greater([1, 2, 3], 2); // [false, false, true]'),
  greaterEqual: comparison('a >= b', 'mt.greaterEqual([1, 2, 3], 2); // [false, true, true]'),
  logicalAnd: logical('whether both are true', 'mt.logicalAnd([1, 2], [0, 4]); // [false, true]'),
  logicalOr: logical('whether one or both are true', 'mt.logicalOr([1, 0], [0, 0]); // [true, false]'),
  logicalXor: logical('whether just one is true', 'mt.logicalXor([1, 2], [0, 4]); // [true, false]'),
  logicalNot: { ...logical('whether x is false', 'mt.logicalNot([0, 2]); // [true, false]'), shapes: SAME },
  isNaN: test('whether x is NaN', 'mt.isNaN([NaN, 1]); // [true, false]'),
  isInf: test('whether x is an infinity', 'mt.isInf([-Infinity, 1]); // [true, false]'),
  isFinite: test('whether x is neither NaN nor an infinity', 'mt.isFinite([NaN, 1]); // [false, true]'),
  bitwiseAnd: bitwise(
    'the bits that both have',
    'mt.bitwiseAnd(new mt.Tensor([5, 6], { dtype: \'int32\' }), 3); // [1, 2]',
  ),
  bitwiseOr: bitwise(
    'the bits that one or both have',
    'mt.bitwiseOr(new mt.Tensor([5, 6], { dtype: \'int32\' }), 3); // [7, 7]',
  ),
  bitwiseXor: bitwise(
    'the bits that just one has',
    'mt.bitwiseXor(new mt.Tensor([5, 6], { dtype: \'int32\' }), 3); // [6, 5]',
  ),
  bitwiseNot: {
    ...bitwise('the bits that x has not', 'mt.bitwiseNot(new mt.Tensor([5, -1], { dtype: \'int32\' })); // [-6, 0]'),
    shapes: SAME,
  },
  leftShift: shift(
    'a 2^b: the bits of a, moved to the left; those beyond the left end are lost',
    'mt.leftShift(new mt.Tensor([1, 3], { dtype: \'int32\' }), 4); // [16, 48]',
  ),
  rightShift: shift(
    'floor(a / 2^b): the bits of a, moved to the right; the sign comes in from the left',
    'mt.rightShift(new mt.Tensor([16, -1], { dtype: \'int32\' }), 2); // [4, -1]',
  ),
};
