import { toValue } from './dtype.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */

const EDGE = 3;
const THRESHOLD = 1000;

/** @param {number | bigint | boolean} value */
function formatValue(value) {
  if (typeof value !== 'number') return String(value);
  return Object.is(value, -0) ? '-0' : String(Number(value.toPrecision(6)));
}

/**
 * `Tensor([2], float32) [1, 2]`. Of a large tensor the middle of each axis is left out, as NumPy does.
 * @param {Tensor} tensor
 */
export function formatTensor(tensor) {
  const { shape, size, dtype } = tensor;
  const values = /** @type {import('./dtype.js').AnyTensorData} */ (tensor.toTypedArray());
  const abbreviate = size > THRESHOLD;
  /** @type {(axis: number, start: number, count: number) => string} */
  const format = (axis, start, count) => {
    const length = shape[axis];
    if (length === undefined) return formatValue(toValue(/** @type {number | bigint} */ (values[start]), dtype));
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
  return `Tensor([${shape}], ${dtype}) ${size === 0 ? '[]' : format(0, 0, size)}`;
}
