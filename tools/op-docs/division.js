import { BROADCAST, NO_BOOL, NUMERIC } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

/** @type {Record<string, OpDoc>} */
export const divisionDocs = {
  pow: {
    summary: 'a^b',
    shapes: BROADCAST,
    dtypes: `${NUMERIC} Integers wrap around.`,
    gradient: 'd/da = b a^(b - 1), d/db = a^b log(a)',
    errors: `ValueError for an integer to a negative power, which is no integer. ${NO_BOOL}`,
    source: 'C: 0^0 is 1, a fractional power of a number below 0 is NaN.',
    example: 'mt.pow([2, 4, -1], [3, 0.5, 0.5]); // [8, 2, NaN]',
  },
  remainder: {
    summary: 'a - b floor(a / b), which has the sign of b',
    shapes: BROADCAST,
    dtypes: `${NUMERIC} By 0 it is NaN; of integers 0.`,
    gradient: 'd/da = 1, d/db = -floor(a / b)',
    errors: NO_BOOL,
    source: 'numpy.remainder, and % of Python',
    example: 'mt.remainder([7, -7], [3, 3]); // [1, 2]',
  },
  floorDivide: {
    summary: 'floor(a / b)',
    shapes: BROADCAST,
    dtypes: `${NUMERIC} By 0 it is an infinity or NaN; of integers 0.`,
    gradient: '0',
    errors: NO_BOOL,
    source: 'numpy.floor_divide, and // of Python',
    example: 'mt.floorDivide([7, -7], 2); // [3, -4]',
  },
};
