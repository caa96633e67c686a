/*
 * Which dtypes an op is tried with.
 */
import { isFloating } from './inputs.js';

/** @typedef {import('minitensor').DType} DType */

/** @type {readonly DType[]} */
export const DTYPES = ['float32', 'float64', 'int32', 'int64', 'uint8', 'bool'];

/**
 * Those that an op declares, which its refusal of another one lists.
 * @param {(dtype: DType) => unknown} refusalOf why it does not take inputs of a dtype
 * @returns {readonly DType[]} all, when it declares all
 */
export function declaredDtypes(refusalOf) {
  // The rarest first, so that little is called that does not tell.
  for (const dtype of DTYPES.toReversed()) {
    const refusal = refusalOf(dtype);
    const [, list] = (refusal instanceof Error && /: does not take \w+; it takes ([\w, ]+)$/.exec(refusal.message)) || [];
    if (list) return DTYPES.filter((known) => list.split(', ').includes(known));
  }
  return DTYPES;
}

/**
 * @param {readonly DType[]} declared
 * @param {number} count of inputs
 * @returns {DType[][]} floating-point numbers with integers: of several inputs, one that is unlike the others
 */
export function mixesOf(declared, count) {
  if (count < 2) return [];
  const floats = declared.filter(isFloating);
  const others = declared.filter((dtype) => !isFloating(dtype));
  const places = Array.from({ length: count }, (_, place) => place);
  return floats.flatMap((float) => others.flatMap((other) => {
    const oneOther = places.toReversed().map((odd) => places.map((place) => (place === odd ? other : float)));
    const oneFloat = places.map((odd) => places.map((place) => (place === odd ? float : other)));
    return count === 2 ? oneOther : [...oneOther, ...oneFloat];
  }));
}
