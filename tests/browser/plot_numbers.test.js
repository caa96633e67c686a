/*
 * What the page computes for its curve and its table.
 */
import { describe, expect, test } from '@jest/globals';

import { rangeOf, stretchesOf, thin } from '../../web/curve.js';
import { columnFormat } from '../../web/format_numbers.js';
import { linspace, randomNormal } from '../../web/generate.js';
import { numbersText } from '../../web/numbers_text.js';
import { ticksOf } from '../../web/ticks.js';

describe('ticksOf', () => {
  test.each(/** @type {const} */ ([
    [-6, 6, 6, '-6 -4 -2 0 2 4 6'],
    [0, 1, 5, '0 0.2 0.4 0.6 0.8 1.0'],
    [-0.003, 0.002, 5, '-0.003 -0.002 -0.001 0 0.001 0.002'],
    [0, 3e8, 3, '0 1e8 2e8 3e8'],
    [9, 9.5, 2, '9.0 9.5'],
  ]))('gives round numbers from %d to %d', (low, high, wanted, labels) => {
    expect(ticksOf(low, high, wanted).map((tick) => tick.label).join(' ')).toBe(labels);
  });

  test('ends for ranges at the edges of what numbers can be', () => {
    expect(ticksOf(-Number.MAX_VALUE, Number.MAX_VALUE, 5).length).toBeLessThan(50);
    expect(ticksOf(1e16, 1e16 + 2, 5).length).toBeLessThan(50);
    expect(ticksOf(0, Number.MIN_VALUE, 5).length).toBeLessThan(50);
  });
});

describe('stretchesOf', () => {
  test('takes the index where there is no x', () => {
    expect(stretchesOf([5, 6], undefined)).toEqual([[{ x: 0, y: 5 }, { x: 1, y: 6 }]]);
  });

  test('is in the order of x', () => {
    expect(stretchesOf([5, 6, 7], [2, 0, 1]).flat().map(({ x }) => x)).toEqual([0, 1, 2]);
  });

  test('breaks where a number is not finite, and after each row', () => {
    expect(stretchesOf([1, NaN, 2, 3, Infinity], undefined).map((points) => points.length)).toEqual([1, 2]);
    expect(stretchesOf([1, 2, 3, 4], undefined, 2).map((points) => points.length)).toEqual([2, 2]);
  });
});

test('thin keeps the lowest and the highest point, in their order', () => {
  const points = Array.from({ length: 10_000 }, (_, x) => ({ x, y: x === 5000 ? 9 : x === 5001 ? -9 : 0 }));
  const kept = thin(points);
  expect(kept.length).toBeLessThanOrEqual(2000);
  expect(kept.filter(({ y }) => y !== 0).map(({ x }) => x)).toEqual([5000, 5001]);
});

test('rangeOf widens a range of one number', () => {
  expect(rangeOf([1, -2])).toEqual([-2, 1]);
  expect(rangeOf([4])).toEqual([2, 6]);
  expect(rangeOf([0, 0])).toEqual([-1, 1]);
  expect(rangeOf([])).toEqual([0, 1]);
});

test.each([
  [[1, 2, 300], ['1', '2', '300']],
  [[-5.900000095367432, 6], ['-5.9', '6.0']],
  [[0.123456789, -1.5], ['0.123457', '-1.500000']],
  [[1e-9, 1], ['1.00000e-9', '1']],
  [[1e12, 0.5], ['1.00000e+12', '0.5']],
  [[NaN, Infinity, 0.25], ['NaN', 'Infinity', '0.25']],
])('columnFormat writes %j so that they line up', (values, expected) => {
  expect(values.map(columnFormat(values))).toEqual(expected);
});

test('numbersText is short, exact JSON', () => {
  const values = new Float32Array([0.1, -2, 1 / 3, 1e-30]);
  const text = numbersText({ name: 'result', shape: [2, 2], dtype: 'float32', values });
  expect(text).toBe('[[0.1, -2],\n[0.33333334, 1e-30]]');
  expect(new Float32Array(JSON.parse(text).flat())).toEqual(values);
});

test('linspace meets both ends', () => {
  expect(linspace(-1, 1, 5)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(linspace(3, 9, 1)).toEqual([3]);
});

test('randomNormal has mean 0 and variance 1, and is the same for the same seed', () => {
  const values = randomNormal(10_000, 7);
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  expect(Math.abs(mean)).toBeLessThan(0.05);
  expect(Math.abs(variance - 1)).toBeLessThan(0.05);
  expect(randomNormal(3, 7)).toEqual(values.slice(0, 3));
  expect(randomNormal(3, 8)).not.toEqual(values.slice(0, 3));
});
