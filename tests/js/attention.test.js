/*
 * The example plugin attention in the package, against the built-in ops that it takes the place of.
 */
import { afterAll, describe, expect, test } from '@jest/globals';

import { instanceForTests } from './support/instance.js';
import { examplePlugin } from './support/plugin_files.js';

/** @typedef {import('minitensor').Tensor} Tensor */

const mt = await instanceForTests();
await mt.plugins.loadPlugin(examplePlugin('attention'));
afterAll(() => mt.plugins.unloadPlugin('attention'));

/** Numbers in [-1, 1) that do not repeat soon. @param {number} seed @param {number[]} shape */
function random(seed, ...shape) {
  let state = seed;
  const values = Float64Array.from({ length: shape.reduce((product, size) => product * size, 1) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  return new mt.Tensor(values, { shape });
}

/** @param {Tensor[]} inputs @param {{ causal?: boolean, scale?: number }} [attributes] */
const attention = (inputs, attributes) => mt.customOps.execute('attention', inputs, attributes);

/** @typedef {[Tensor, Tensor, Tensor]} Inputs */

/**
 * softmax(q * k^T / sqrt(d) + mask) * v by built-in ops. The mask is far below every score where a query does not see.
 * @param {Inputs} inputs
 * @param {boolean} causal
 */
function composition([q, k, v], causal) {
  const axes = q.shape.map((_, axis) => axis);
  const [n = 0, m = 0] = [q.shape.at(-2), k.shape.at(-2)];
  const isSeen = (/** @type {number} */ i, /** @type {number} */ j) => !causal || j <= i + m - n;
  const mask = Array.from({ length: n }, (_, i) => Array.from({ length: m }, (__, j) => (isSeen(i, j) ? 0 : -1e4)));
  const keys = k.transpose({ axes: [...axes.slice(0, -2), axes.length - 1, axes.length - 2] });
  const weights = q.matmul(keys).div(Math.sqrt(q.shape.at(-1) ?? 1)).add(new mt.Tensor(mask, { dtype: 'float64' })).exp();
  return weights.div(weights.sum({ axis: [-1], keepDims: true })).matmul(v);
}

/** @param {Tensor} a @param {Tensor} b */
const largestDifference = (a, b) =>
  Array.from(a.sub(b).toTypedArray()).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

/** @type {[number[], number, number, number, number, boolean][]} */
const SIZES = [
  [[], 1, 1, 1, 1, false],
  [[], 5, 33, 7, 9, false],
  [[2, 3], 37, 50, 8, 6, true],
  [[2], 64, 64, 64, 64, false],
  [[], 33, 100, 3, 17, true],
];

describe.each(SIZES)('with axes %j, %d queries, %d keys of %d, values of %d, causal %p', (batch, n, m, d, e, causal) => {
  /** @returns {Inputs} */
  const inputs = () => [random(1, ...batch, n, d), random(2, ...batch, m, d), random(3, ...batch, m, e)];

  test('attention is the composition of built-in ops', () => {
    mt.tidy(() => {
      const given = inputs();
      const result = attention(given, { causal });
      expect(result.shape).toEqual([...batch, n, e]);
      expect(largestDifference(result, composition(given, causal))).toBeLessThan(1e-14);
      const narrow = given.map((input) => new mt.Tensor(input.toTypedArray(), { shape: input.shape, dtype: 'float32' }));
      expect(largestDifference(attention(narrow, { causal }), result)).toBeLessThan(2e-6);
    });
  });

  test('its gradient along a direction is the difference of the composition along it', () => {
    mt.tidy(() => {
      const given = inputs();
      const dy = random(4, ...batch, n, e);
      const gradients = mt.customOps.gradients('attention', given, dy, { causal });
      expect(gradients.map(({ shape }) => shape)).toEqual(given.map(({ shape }) => shape));
      const step = 1e-5;
      for (const [which, input] of given.entries()) {
        const direction = random(5 + which, ...input.shape);
        const loss = (/** @type {number} */ by) => {
          /** @type {Inputs} */
          const moved = [...given];
          moved[which] = input.add(direction.mul(by));
          return composition(moved, causal).mul(dy).sum().item();
        };
        const slope = (loss(step) - loss(-step)) / (2 * step);
        const along = /** @type {Tensor} */ (gradients[which]).mul(direction).sum().item();
        expect(Math.abs(along - slope)).toBeLessThan(1e-7 * Math.max(1, Math.abs(slope)));
      }
    });
  });
});
