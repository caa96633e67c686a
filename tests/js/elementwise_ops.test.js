/*
 * What the elementwise ops promise beyond the values that tests/fixtures/ops has of NumPy.
 */
import { expect, test } from '@jest/globals';
import { DTypeError, ValueError } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();

/** @param {number[]} values */
const int32 = (values) => new mt.Tensor(values, { dtype: 'int32' });

test('ops stand as functions and as methods, and take numbers beside tensors', () => {
  mt.tidy(() => {
    const x = new mt.Tensor([1, 4, 9]);
    expect(x.sqrt().toArray()).toEqual([1, 2, 3]);
    expect(mt.pow(2, [1, 2]).toArray()).toEqual([2, 4]);
    expect(x.pow(2).toArray()).toEqual([1, 16, 81]);
    expect(x.greater(3).toArray()).toEqual([false, true, true]);
    expect(x.clip(2, 5).toArray()).toEqual([2, 4, 5]);
    expect(x.remainder(4).toArray()).toEqual([1, 0, 1]);
  });
});

test('integers divided by 0 are 0, as in NumPy, and numbers with fractions are what IEEE 754 says', () => {
  mt.tidy(() => {
    expect(mt.floorDivide(int32([7, -7]), 0).toArray()).toEqual([0, 0]);
    expect(mt.remainder(int32([7, -7]), 0).toArray()).toEqual([0, 0]);
    expect(mt.floorDivide([7, -7, 0], 0).toArray()).toEqual([Infinity, -Infinity, NaN]);
    expect(mt.remainder([7], 0).toArray()).toEqual([NaN]);
  });
});

test('an integer to a negative power is refused, and says what to do', () => {
  mt.tidy(() => {
    const message = 'pow: an integer to the power of -1 is no integer; cast one of them to float32 or float64 first';
    expectError(thrownBy(() => mt.pow(int32([2]), -1)), ValueError, message);
    expect(int32([2]).cast({ dtype: 'float64' }).pow(-1).toArray()).toEqual([0.5]);
  });
});

test('int64 is compared and shifted exactly where a number would round', () => {
  mt.tidy(() => {
    const wide = new mt.Tensor([2n ** 60n + 1n]);
    expect(wide.greater(new mt.Tensor([2n ** 60n])).toArray()).toEqual([true]);
    expect(wide.rightShift(1).toArray()).toEqual([2n ** 59n]);
    expect(wide.bitwiseAnd(3).toArray()).toEqual([1]);
  });
});

test('bits are those of integers', () => {
  mt.tidy(() => {
    const message = 'bitwiseOr: takes bool and integers, not float32';
    expectError(thrownBy(() => mt.bitwiseOr([0.5], 1)), DTypeError, message);
    expectError(thrownBy(() => mt.leftShift([true], [true])), DTypeError, 'leftShift: takes integers, not bool');
  });
});

test('gradients go past comparisons, which have none: a mask is a constant', () => {
  mt.tidy(() => {
    const x = new mt.Tensor([1, 2, 3], { requiresGrad: true });
    x.mul(x).mul(mt.less(x, 3)).sum().backward();
    expect(x.grad?.toArray()).toEqual([2, 4, 0]);
  });
});

test('gelu knows two forms', () => {
  mt.tidy(() => {
    const message = 'gelu: approximate must be "none" or "tanh", not "erf"';
    expectError(thrownBy(() => mt.gelu([1], { approximate: 'erf' })), ValueError, message);
    expectError(thrownBy(() => mt.gelu([1], wrong({ approximate: 1 }))), ValueError, 'gelu');
  });
});

test('clip takes either limit, and one at least', () => {
  mt.tidy(() => {
    const x = new mt.Tensor([-2, 0, 2]);
    expect(mt.clip(x, -1).toArray()).toEqual([-1, 0, 2]);
    expect(mt.clip(x, undefined, 1).toArray()).toEqual([-2, 0, 1]);
    expectError(thrownBy(() => mt.clip(x)), ValueError, 'clip: neither min nor max is given');
  });
});
