/*
 * Ops against NumPy, by the cases that the C++ tests read, too: tests/fixtures/generate_ops.py describes their form.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from '@jest/globals';

import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const folder = path.resolve(import.meta.dirname, '../fixtures/ops');

/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {{ dtype: string, shape: number[], values: (number | bigint)[] }} Values */
/**
 * @typedef {object} Case
 * @property {string} op
 * @property {Values[]} inputs
 * @property {Record<string, unknown>} attributes
 * @property {Values[]} outputs
 * @property {number} ulps
 */

/** @param {string} text */
function floatOf(text) {
  return Number(text.replace('inf', 'Infinity').replace('nan', 'NaN'));
}

/** @param {string} text @param {string} dtype */
function element(text, dtype) {
  if (dtype === 'int64') return BigInt(text);
  return dtype === 'bool' ? Number(text === 'true') : floatOf(text);
}

/** @param {string} text @returns {Values} */
function values(text) {
  const [head = '', list = ''] = text.split(' :');
  const [dtype = '', sizes = ''] = head.split(' ');
  const items = list.trim() === '' ? [] : list.trim().split(' ');
  return {
    dtype,
    shape: sizes === '' ? [] : sizes.split('x').map(Number),
    values: items.map((item) => element(item, dtype)),
  };
}

/** @param {string} text @returns {[string, unknown]} */
function attribute(text) {
  const [name = '', type, ...items] = text.split(' ');
  const [item = ''] = items;
  if (type === 'integers') return [name, items.map(Number)];
  if (type === 'boolean') return [name, item === 'true'];
  return [name, type === 'number' ? floatOf(item) : item];
}

/** @param {string} text */
function casesOf(text) {
  /** @type {Case[]} */
  const cases = [];
  for (const line of text.split('\n')) {
    const [, word, rest = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    const last = /** @type {Case} */ (cases.at(-1));
    if (word === 'case') cases.push({ op: rest, inputs: [], attributes: {}, outputs: [], ulps: 0 });
    else if (word === 'input') last.inputs.push(values(rest));
    else if (word === 'output') last.outputs.push(values(rest));
    else if (word === 'ulps') last.ulps = Number(rest);
    else if (word === 'attribute') {
      const [name, value] = attribute(rest);
      last.attributes[name] = value;
    }
  }
  return cases;
}

/** @param {Values} given */
function make({ dtype, shape, values: items }) {
  return new mt.Tensor(/** @type {number[]} */ (items), { shape, dtype: /** @type {'float64'} */ (dtype) });
}

/**
 * Whether a number is as near as the case asks. Whatever that is, zeros have their sign, and what is not finite is what
 * it is.
 *
 * @param {number | bigint} a
 * @param {number | bigint} b
 * @param {number} ulps
 * @param {string} dtype
 */
function isNear(a, b, ulps, dtype) {
  if (Object.is(a, b)) return true;
  if (typeof a === 'bigint' || typeof b === 'bigint' || b === 0 || !Number.isFinite(b)) return false;
  const [epsilon, smallest] = dtype === 'float32' ? [2 ** -23, 2 ** -126] : [Number.EPSILON, 2 ** -1022];
  return Math.abs(a - b) <= ulps * epsilon * Math.max(Math.abs(b), smallest);
}

/**
 * All outputs of an op.
 * @param {string} op
 * @param {Tensor[]} inputs
 * @param {Record<string, unknown>} attributes
 * @returns {Tensor[]}
 */
function run(op, inputs, attributes) {
  const result = mt.customOps.execute(op, inputs, /** @type {{}} */ (attributes));
  return result instanceof mt.Tensor ? [result] : Object.values(result);
}

const families = [
  'activations', 'arithmetic', 'arrays', 'creation', 'division', 'elementary', 'elementwise', 'linalg', 'logic', 'losses',
  'neural', 'normalized', 'products', 'random', 'reduce', 'reductions', 'shape',
];

test('what is not finite, and the sign of zero, are never a matter of ulps', () => {
  const [nan, inf] = [NaN, Infinity];
  const apart = [[5, inf], [-inf, inf], [inf, 5], [nan, inf], [inf, nan], [nan, 1], [-0, 0], [0, -0], [5e-324, 0]];
  for (const [a, b] of apart) {
    expect([a, b, isNear(Number(a), Number(b), 4, 'float64')]).toEqual([a, b, false]);
  }
  for (const x of [inf, -inf, nan, 0, -0, 1]) expect(isNear(x, x, 0, 'float64')).toBe(true);
  expect(isNear(1 + Number.EPSILON, 1, 1, 'float64')).toBe(true);
  expect(isNear(1 + Number.EPSILON, 1, 0, 'float64')).toBe(false);
});

test.each(families)('the cases of %s give what NumPy gives', async (family) => {
  const cases = casesOf(await readFile(path.join(folder, `${family}.txt`), 'utf8'));
  expect(cases.length).toBeGreaterThan(5);
  for (const [number, { op, inputs, attributes, outputs, ulps }] of cases.entries()) {
    mt.tidy(() => {
      const what = `case ${number}: ${op}`;
      const results = run(op, inputs.map(make), attributes);
      expect([what, results.length]).toEqual([what, outputs.length]);
      for (const [place, result] of results.entries()) {
        const expected = /** @type {Values} */ (outputs[place]);
        expect([what, result.dtype, [...result.shape]]).toEqual([what, expected.dtype, expected.shape]);
        const actual = Array.from(/** @type {Float64Array} */ (result.toTypedArray()));
        const wrong = actual.findIndex((value, i) =>
          !isNear(value, /** @type {number} */ (expected.values[i]), ulps, expected.dtype));
        expect([what, wrong, actual[wrong]]).toEqual([what, -1, undefined]);
      }
    });
  }
});
