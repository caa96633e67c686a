/** @typedef {import('./session.js').Numbers} Numbers */

/**
 * All numbers as nested arrays, in a form that the page's own fields take; JSON does, too, when all are finite.
 * @param {Numbers} numbers
 * @param {string} [newline] what goes between rows
 */
export function numbersText({ shape, dtype, values }, newline = '\n') {
  const format = dtype === 'float32' ? shortestFloat32 : String;
  let offset = 0;
  /** @type {(axis: number) => string} */
  const nest = (axis) => {
    const size = shape[axis];
    if (size === undefined) return format(Number(values[offset++]));
    const items = Array.from({ length: size }, () => nest(axis + 1));
    return `[${items.join(axis === shape.length - 1 ? ', ' : `,${newline}`)}]`;
  };
  return nest(0);
}

/**
 * The shortest decimal that rounds to this number in float32: 0.1, and not 0.10000000149011612.
 * @param {number} value
 */
function shortestFloat32(value) {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}
