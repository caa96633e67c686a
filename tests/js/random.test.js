import { expect, test } from '@jest/globals';
import { DTypeError, ValueError, init } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();

/** @param {import('minitensor').MiniTensor} instance */
const draw = (instance) => instance.tidy(() =>
  [instance.rand([3]), instance.randn([3]), instance.randint(0, 99, [2])].map((x) => x.toArray()));

test('manualSeed begins the stream anew, and without it the stream goes on', () => {
  mt.manualSeed(7);
  const [first, second] = [draw(mt), draw(mt)];
  expect(second).not.toEqual(first);
  mt.manualSeed(7);
  expect([draw(mt), draw(mt)]).toEqual([first, second]);
  mt.manualSeed(8);
  expect(draw(mt)).not.toEqual(first);
});

test('an instance begins with seed 0 and has a stream of its own', async () => {
  const other = await init();
  const first = draw(other);
  other.close();
  mt.manualSeed(0);
  expect(draw(mt)).toEqual(first);
});

test('an op with a seed leaves the stream of the instance as it is', () => {
  mt.manualSeed(7);
  const first = draw(mt);
  mt.manualSeed(7);
  mt.rand([100], { seed: 1 }).dispose();
  expect(draw(mt)).toEqual(first);
});

test.each([-1, 0.5, NaN, 2 ** 53, '1', 1n, undefined])('manualSeed refuses %p', (seed) => {
  expectError(thrownBy(() => mt.manualSeed(wrong(seed))), ValueError, 'manualSeed: the seed must be an integer');
});

test('arguments of an op without inputs can be left out, and options stand behind them or in their place', () => {
  mt.tidy(() => {
    expect(mt.arange(2, 4).toArray()).toEqual([2, 3]);
    expect(mt.arange(2, { dtype: 'uint8' }).dtype).toBe('uint8');
    expect(mt.arange(2, 8, 3, { dtype: 'int32' }).toArray()).toEqual([2, 5]);
    expect(mt.arange(4, undefined, 2).toArray()).toEqual([0, 2]);
    expect(mt.full(2, 1, Object.assign(Object.create(null), { dtype: 'bool' })).toArray()).toEqual([true, true]);
    expect(mt.zeros([]).toArray()).toBe(0);
    expect(mt.zeros(wrong({ shape: [1] })).toArray()).toEqual([0]);
  });
});

test('what is no option of an op without inputs is refused', () => {
  expectError(thrownBy(() => mt.zeros([2], wrong('float64'))), ValueError, 'zeros: unknown attribute "options"');
  expectError(thrownBy(() => mt.zeros([2], wrong(new Date(0)))), TypeError, 'zeros: attribute "options"');
  expectError(thrownBy(() => mt.zeros([2], wrong({ type: 'float64' }))), ValueError, 'zeros: unknown attribute "type"');
  expectError(thrownBy(() => mt.zeros(wrong(undefined))), ValueError, 'zeros: attribute "shape" is required');
  expectError(thrownBy(() => mt.zeros([2], wrong({ dtype: 'float16' }))), DTypeError, 'float16');
});
