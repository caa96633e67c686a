/*
 * Ops that arrange, join, index and sort, as JavaScript sees them: lists of tensors, several outputs, indices, errors.
 */
import { describe, expect, test } from '@jest/globals';
import { DTypeError, ShapeError, ValueError } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { Tensor } = mt;

/** @param {() => unknown} body a test that leaves no tensor behind */
const tidy = (body) => () => mt.tidy(() => void body());

describe('lists of tensors', () => {
  test('are joined, numbers and arrays among them', tidy(() => {
    const x = new Tensor([[1, 2]], { dtype: 'int32' });
    const joined = mt.concat([x, [[3, 4]], x]);
    expect([joined.dtype, joined.toArray()]).toEqual(['int32', [[1, 2], [3, 4], [1, 2]]]);
    expect(mt.stack([1, new Tensor(2), 3]).toArray()).toEqual([1, 2, 3]);
    expect(mt.concat([x, x], { axis: 1 }).shape).toEqual([1, 4]);
  }));

  test('are asked for where one tensor is given', tidy(() => {
    const x = new Tensor([[1, 2]]);
    for (const join of [mt.concat, mt.stack]) {
      expectError(thrownBy(() => join(wrong(x), wrong(x))), TypeError, 'inputs must be an array');
      expectError(thrownBy(() => join([])), ValueError, 'takes 1 or more inputs, got 0');
    }
    expectError(thrownBy(() => mt.concat([x, [1]])), ShapeError, 'concat: shapes differ beside the axis: [1,2] and [1]');
  }));

  test('pass their gradients on to each', tidy(() => {
    const [a, b] = [new Tensor([1, 2], { requiresGrad: true }), new Tensor([3], { requiresGrad: true })];
    mt.concat([a, b]).mul([10, 20, 30]).sum().backward();
    expect([a.grad?.toArray(), b.grad?.toArray()]).toEqual([[10, 20], [30]]);
  }));
});

describe('several outputs', () => {
  test('are a list, or have names', tidy(() => {
    const x = new Tensor([[5, 1, 5], [2, 9, 2]]);
    const [rows, more] = x.split({ sections: 2 });
    expect([rows?.toArray(), more?.toArray()]).toEqual([[[5, 1, 5]], [[2, 9, 2]]]);
    const { values, indices } = x.topk({ k: 2 });
    expect([values.toArray(), indices.dtype, indices.toArray()]).toEqual([[[5, 5], [9, 2]], 'int64', [[0, 2], [1, 0]]]);
    const found = mt.unique(x);
    expect(found.values.toArray()).toEqual([1, 2, 5, 9]);
    expect(found.counts.toArray()).toEqual([1, 2, 2, 1]);
    expect(found.values.take(found.inverse).toArray()).toEqual(x.toArray());
    expect(x.nonzero().map((positions) => positions.toArray())).toEqual([[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]);
  }));

  test('have gradients, of which some may not be asked for', tidy(() => {
    const x = new Tensor([1, 5, 3], { requiresGrad: true });
    x.topk({ k: 2 }).values.mul([10, 20]).sum().backward();
    expect(x.grad?.toArray()).toEqual([0, 10, 20]);
    const y = new Tensor([1, 5, 3], { requiresGrad: true });
    const [, last] = y.split({ sizes: [1, 2] });
    last?.sum().backward();
    expect(y.grad?.toArray()).toEqual([0, 1, 1]);
  }));

  test('must fit', tidy(() => {
    const x = new Tensor([1, 2, 3]);
    expectError(thrownBy(() => x.split({ sections: 2 })), ValueError, 'an axis of size 3 does not make 2 equal sections; give sizes');
    expectError(thrownBy(() => x.split({ sections: 2 ** 40 })), ValueError, 'equal sections: there are at most 1048576');
    expectError(thrownBy(() => x.split()), ValueError, 'split: give either sections or sizes');
    expectError(thrownBy(() => x.split({ sections: 1, sizes: [3] })), ValueError, 'give either');
    expectError(thrownBy(() => x.topk({ k: 4 })), ValueError, 'topk: k is 4, axis 0 has size 3');
  }));
});

describe('indices and conditions', () => {
  test('are arrays, typed arrays or tensors', tidy(() => {
    const x = new Tensor([10, 20, 30]);
    for (const indices of [[2, -1], new Int32Array([2, 2]), new Uint8Array([2, 2]), new Tensor([2, 2], { dtype: 'int64' })]) {
      expect(x.take(indices).toArray()).toEqual([30, 30]);
    }
    expect(x.take([]).shape).toEqual([0]);
    expect(x.take(1).toArray()).toBe(20);
    expect(mt.where([true, false, true], x, 0).toArray()).toEqual([10, 0, 30]);
  }));

  test('are refused when they are none', tidy(() => {
    const x = new Tensor([10, 20, 30]);
    expectError(thrownBy(() => x.take([3])), ValueError, 'take: index 3 is out of range for axis 0 of size 3');
    expectError(thrownBy(() => x.gather([-4])), ValueError, 'gather: index -4 is out of range for axis 0 of size 3');
    expectError(thrownBy(() => x.take([0.5])), DTypeError, 'take: indices must be integers, not float32');
    expectError(thrownBy(() => mt.where(wrong([1, 0, 1]), x, x)), DTypeError, 'condition must be bool');
    expectError(thrownBy(() => x.maskedFill([[true], [false]], 0)), ShapeError, 'do not broadcast to x: [2,1] and [3]');
  }));

  test('keep int64 whole', tidy(() => {
    const big = new Tensor([2n ** 62n, 1n, 2n ** 62n + 1n]);
    expect(big.sort({ descending: true }).toArray()).toEqual([2n ** 62n + 1n, 2n ** 62n, 1]);
    expect(big.take([2]).toArray()).toEqual([2n ** 62n + 1n]);
    expect(mt.unique(big).values.size).toBe(3);
  }));
});

test('views see what is assigned to their tensor', tidy(() => {
  const x = new Tensor([[1, 2, 3]]);
  const views = [x.flatten(), x.squeeze(), x.expandDims({ axis: 0 }), x.flip(), ...x.split({ sections: 1 })];
  x.assign([[4, 5, 6]]);
  expect(views.map((view) => view.toTypedArray().join())).toEqual(['4,5,6', '4,5,6', '4,5,6', '6,5,4', '4,5,6']);
}));
