/*
 * Tensors to try an op with.
 */
import { Random } from './random.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').DType} DType */
/** @typedef {readonly number[]} Shape */

/** @typedef {ReturnType<Tensor['toTypedArray']>} Elements */

/**
 * `indices`: integers that are likely to be places along an axis, as integers among floating-point numbers always are.
 * @typedef {'signed' | 'positive' | 'special' | 'indices'} Values
 * @typedef {{ shapes: readonly Shape[], dtypes: readonly DType[], values: Values, seed: number }} Inputs
 */

/** Ranks 0 to 4, without elements, axes of size 1, and sizes that are no multiple of a SIMD register's. */
const SHAPES = [
  [], [1], [4], [5], [17], [0],
  [3, 4], [4, 5], [1, 5], [5, 1], [0, 4], [4, 0], [9, 33],
  [2, 3, 4], [2, 4, 3], [1, 1, 1], [2, 1, 3, 4], [2, 3, 4, 5],
];
/** For three inputs and more, and for those of different dtypes, of which there are many combinations. */
const FEW_SHAPES = [[], [4], [0], [3, 4], [4, 5], [1, 4], [2, 3, 4], [2, 2, 3, 4]];

/** So that numbers of both signs, and no small ones alone, become integers. */
const INTEGER_SCALE = 50;

/** Such are from 0 to below this: what is larger is beyond the end of many an axis. */
const INDICES_END = 3;

const SPECIAL = [NaN, Infinity, -Infinity, -0, 0, 1e30, -1e30, 1e-40, 3.5, -1];

/**
 * @param {number} count of inputs
 * @param {boolean} [few] whether to leave out some
 * @returns {readonly (readonly Shape[])[]} for each try the shapes of all inputs
 */
export function shapeChoices(count, few = count > 2) {
  if (count === 0) return [[]];
  const shapes = few ? FEW_SHAPES : SHAPES;
  if (count <= 3) return product(shapes, count);
  // All alike, or the first unlike the others, or the last.
  return shapes.flatMap((a) => shapes.flatMap((b) => {
    const rest = Array.from({ length: count - 1 }, () => b);
    return a === b ? [[a, ...rest]] : [[a, ...rest], [...rest, a]];
  }));
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {number} count
 * @returns {T[][]} every sequence of `count` items
 */
function product(items, count) {
  if (count === 0) return [[]];
  return product(items, count - 1).flatMap((head) => items.map((item) => [...head, item]));
}

/** @param {DType} dtype */
export function isFloating(dtype) {
  return dtype.startsWith('float');
}

/** @param {Shape} shape */
export function sizeOf(shape) {
  return shape.reduce((size, length) => size * length, 1);
}

/**
 * Numbers that float32 has, too, so that both dtypes are given the same.
 * @param {Shape} shape
 * @param {Values} values
 * @param {Random} random
 */
function numbers(shape, values, random) {
  return Float64Array.from({ length: sizeOf(shape) }, () => {
    if (values === 'special') return SPECIAL[random.below(SPECIAL.length)] ?? 0;
    return Math.fround(values === 'positive' ? random.positive() : random.signed());
  });
}

/**
 * @param {MiniTensor} mt
 * @param {Inputs} inputs
 * @returns {Tensor[]}
 */
export function makeInputs(mt, { shapes, dtypes, values, seed }) {
  const random = new Random(seed);
  // Beside floating-point numbers, integers are likely to be places in them.
  const isIndexed = values === 'indices' || dtypes.some(isFloating);
  return shapes.map((shape, i) => {
    const dtype = dtypes[i] ?? 'float32';
    if (isIndexed && !isFloating(dtype)) {
      return tensorOf(mt, Float64Array.from({ length: sizeOf(shape) }, () => random.below(INDICES_END)), shape, dtype);
    }
    const scale = dtype.includes('int') ? INTEGER_SCALE : 1;
    return tensorOf(mt, numbers(shape, values, random).map((value) => value * scale), shape, dtype);
  });
}

/**
 * @param {MiniTensor} mt
 * @param {Float32Array | Float64Array} data
 * @param {Shape} shape
 * @param {DType} dtype
 */
export function tensorOf(mt, data, shape, dtype) {
  return new mt.Tensor(data, { shape, dtype });
}

/**
 * The same tensor, whose elements do not lie in the order of its axes.
 * @param {MiniTensor} mt
 * @param {Tensor} tensor
 */
export function transposedTwice(mt, tensor) {
  const axes = tensor.shape.map((_, axis) => tensor.shape.length - 1 - axis);
  const turned = mt.transpose(tensor, { axes });
  return mt.transpose(tensorOf(mt, turned.toTypedArray(), turned.shape, turned.dtype), { axes });
}

/** @param {Inputs} inputs */
export function describeInputs({ shapes, dtypes, values }) {
  const texts = shapes.map((shape, i) => `${dtypes[i]} [${shape.join(', ')}]`);
  return `${texts.join(', ') || 'no inputs'}${values === 'special' ? ', with NaN, infinities and -0' : ''}`;
}

/** @typedef {import('minitensor').OpDescription['attributes'][number]} AttributeSpec */

/** @typedef {number | string | boolean | readonly number[]} AttributeValue */
/** @typedef {Record<string, AttributeValue>} Attributes */

/** @type {Record<AttributeSpec['type'], readonly AttributeValue[]>} For those that must be given. */
const ATTRIBUTE_VALUES = {
  number: [1, 0, 2, 0.5],
  string: [''],
  boolean: [true, false],
  integers: [[0], [], [1], [2, 2]],
  integer: [1, 0, 2],
  dtype: ['float32'],
};

/** @type {Record<AttributeSpec['type'], readonly AttributeValue[]>} What is tried besides. */
const MORE_VALUES = {
  number: [0.5, 2, -1, 0, NaN],
  string: ['', 'unknown'],
  boolean: [true, false],
  integers: [[], [0], [1], [-1], [0, 1], [1000]],
  integer: [1, 0, 2],
  dtype: ['float32'],
};

/**
 * @param {readonly AttributeSpec[]} specs
 * @returns {Attributes[]} values for those that must be given
 */
export function attributeChoices(specs) {
  return specs
    .filter((spec) => spec.default === undefined)
    .reduce(
      (/** @type {Attributes[]} */ choices, { name, type }) =>
        choices.flatMap((choice) => ATTRIBUTE_VALUES[type].map((value) => ({ ...choice, [name]: value }))).slice(0, 64),
      [{}],
    );
}

/**
 * @param {readonly AttributeSpec[]} specs
 * @param {Attributes} base that the op takes
 * @returns {Attributes[]} the same, each with another value of one attribute
 */
export function attributeVariations(specs, base) {
  return specs.flatMap(({ name, type }) => MORE_VALUES[type].map((value) => ({ ...base, [name]: value })));
}
