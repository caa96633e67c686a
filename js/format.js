/*
 * Tensors as text, in the form of NumPy's array2string: columns of one width, and of a large tensor only the edges.
 */
import { toValue } from './dtype.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./dtype.js').AnyTensorData} AnyTensorData */

const THRESHOLD = 1000;
const EDGE = [0, 1, 2, -3, -2, -1];
const MIDDLE = EDGE.length / 2;
const LINE_WIDTH = 75;
const PRECISION = 8;
const SEPARATOR = ', ';
const OMITTED = '…';

/**
 * `Tensor([3], float32) [1. , 2.5, 3. ]`. What has several lines begins on one of its own. Differs from NumPy's
 * `array2string(x, separator=', ')` in JavaScript's names (NaN, Infinity, true, false), in … for ..., in that names are
 * no wider than those there are, and in that a digit exactly half way is rounded up.
 *
 * @param {Tensor} tensor
 */
export function formatTensor(tensor) {
  const { shape, size, dtype } = tensor;
  const head = `Tensor([${shape}], ${dtype})`;
  // However many empty arrays the shape asks for.
  if (size === 0) return `${head} []`;
  const values = Array.from(
    /** @type {Iterable<number | bigint>} */ (size > THRESHOLD ? edgesOf(tensor) : tensor.toTypedArray()),
    (value) => toValue(value, dtype),
  );
  const words = dtype.startsWith('float') ? formatFloats(values.map(Number), dtype) : alignRight(values.map(String));
  const body = arrange(words, shape, size > THRESHOLD);
  return `${head}${body.includes('\n') ? '\n' : ' '}${body}`;
}

/**
 * The elements that are shown of a large tensor. Only these are copied.
 * @param {Tensor} tensor
 */
function edgesOf(tensor) {
  let edges = tensor.detach();
  try {
    for (const [axis, length] of tensor.shape.entries()) {
      if (length <= EDGE.length) continue;
      const all = edges;
      edges = all.take(EDGE, { axis });
      all.dispose();
    }
    return /** @type {AnyTensorData} */ (edges.toTypedArray());
  } finally {
    edges.dispose();
  }
}

/** @param {string[]} words */
function alignRight(words) {
  const width = longest(words);
  return words.map((word) => word.padStart(width));
}

/** @param {string[]} words */
function longest(words) {
  return words.reduce((width, { length }) => Math.max(width, length), 0);
}

/**
 * With as few digits as tell each number from others of its dtype, 8 behind the point at most, and the points below one
 * another; with exponents where a number is large or small, or where they are far apart.
 *
 * @param {number[]} values
 * @param {string} dtype
 */
function formatFloats(values, dtype) {
  const sizes = values.map(Math.abs).filter((value) => value > 0 && value < Infinity);
  // Of many axes there are too many edges for the arguments of a call.
  const least = sizes.reduce((a, b) => Math.min(a, b), Infinity);
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  const hasExponent = most >= 1e8 || least < 1e-4 || most / least > 1000;
  const parts = values.map((value) => partsOf(value, hasExponent, fractionDigits(value, dtype, hasExponent)));
  const digits = longest(parts.map(([, fraction = '']) => fraction));
  if (!hasExponent) {
    return alignRight(parts.map(([whole, fraction]) =>
      fraction === undefined ? whole : `${whole}.${fraction.padEnd(digits)}`));
  }
  const all = values.map((value) => partsOf(value, hasExponent, digits));
  const exponentDigits = Math.max(longest(all.map(([, , exponent = '']) => exponent)) - 1, 2);
  return alignRight(all.map(([whole, fraction, exponent = '']) => {
    if (fraction === undefined) return whole;
    const power = exponent.slice(1).padStart(exponentDigits, '0');
    return `${whole}.${fraction.padEnd(digits, '0')}e${exponent[0]}${power}`;
  }));
}

/**
 * What stands before and behind the point, without zeros at the end, and the exponent with its sign; only its name, if
 * the value is no number.
 *
 * @param {number} value
 * @param {boolean} hasExponent
 * @param {number} digits behind the point
 * @returns {[whole: string, fraction?: string, exponent?: string]}
 */
function partsOf(value, hasExponent, digits) {
  if (!Number.isFinite(value)) return [String(value)];
  const size = Math.abs(value);
  const [number = '', exponent] = (hasExponent ? size.toExponential(digits) : size.toFixed(digits)).split('e');
  const [whole = '', fraction = ''] = number.split('.');
  return [(value < 0 || Object.is(value, -0) ? '-' : '') + whole, fraction.replace(/0+$/, ''), exponent];
}

/**
 * How many digits behind the point tell the number from others of its dtype, at most PRECISION.
 *
 * @param {number} value
 * @param {string} dtype
 * @param {boolean} hasExponent
 */
function fractionDigits(value, dtype, hasExponent) {
  const [number = '', power] = shortest(value, dtype).split('e');
  const digits = (number.split('.')[1] ?? '').length;
  return Math.min(Math.max(hasExponent ? digits : digits - Number(power), 0), PRECISION);
}

/**
 * The number with as few digits as tell it from others of its dtype, as 1.5e+3.
 * @param {number} value
 * @param {string} dtype
 */
function shortest(value, dtype) {
  if (dtype === 'float64' || !Number.isFinite(value)) return value.toExponential();
  let digits = 0;
  while (Math.fround(Number(value.toExponential(digits))) !== value) digits++;
  return value.toExponential(digits);
}

/**
 * Nested brackets, with rows broken where they are too long.
 *
 * @param {string[]} words one for each element that is shown
 * @param {readonly number[]} shape
 * @param {boolean} isLarge only the edges of axes are shown
 */
function arrange(words, shape, isLarge) {
  let next = 0;
  /** @type {(axis: number) => string} */
  const nested = (axis) => {
    const length = shape[axis];
    if (length === undefined) return /** @type {string} */ (words[next++]);
    const leavesOut = isLarge && length > EDGE.length;
    const items = Array.from({ length: leavesOut ? EDGE.length : length }, () => nested(axis + 1));
    if (leavesOut) items.splice(MIDDLE, 0, OMITTED);
    const indent = ' '.repeat(axis + 1);
    const isRow = axis === shape.length - 1;
    return `[${isRow ? brokenRow(items, indent) : items.join(`,${'\n'.repeat(shape.length - 1 - axis)}${indent}`)}]`;
  };
  return nested(0);
}

/**
 * @param {string[]} items
 * @param {string} indent of all lines; of the first by what stands before it
 */
function brokenRow(items, indent) {
  const width = LINE_WIDTH - indent.length;
  let text = '';
  let line = indent;
  for (const [i, item] of items.entries()) {
    if (line.length + item.length > width && line.length > indent.length) {
      text += `${line.trimEnd()}\n`;
      line = indent;
    }
    line += i < items.length - 1 ? item + SEPARATOR : item;
  }
  return (text + line).slice(indent.length);
}
