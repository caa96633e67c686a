/** @typedef {import('./tensor.js').Tensor} Tensor */

const EDGE = 3;
const THRESHOLD = 1000;

/** @param {number} value */
function formatNumber(value) {
  return Object.is(value, -0) ? '-0' : String(Number(value.toPrecision(6)));
}

/**
 * `Tensor([2], float32) [1, 2]`. Of a large tensor the middle of each axis is left out, as NumPy does.
 * @param {Tensor} tensor
 */
export function formatTensor(tensor) {
  const { shape, size } = tensor;
  const values = tensor.toTypedArray();
  const abbreviate = size > THRESHOLD;
  /** @type {(axis: number, start: number, count: number) => string} */
  const format = (axis, start, count) => {
    const length = shape[axis];
    if (length === undefined) return formatNumber(/** @type {number} */ (values[start]));
    const step = length === 0 ? 0 : count / length;
    /** @type {string[]} */
    const parts = [];
    for (let i = 0; i < length; i++) {
      if (abbreviate && length > 2 * EDGE && i === EDGE) {
        parts.push('…');
        i = length - EDGE;
      }
      parts.push(format(axis + 1, start + i * step, step));
    }
    const isInner = axis === shape.length - 1;
    return `[${parts.join(isInner ? ', ' : `,\n${' '.repeat(axis + 1)}`)}]`;
  };
  // However many empty arrays the shape asks for.
  return `Tensor([${shape}], ${tensor.dtype}) ${size === 0 ? '[]' : format(0, 0, size)}`;
}
