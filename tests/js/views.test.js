/*
 * Views: the same elements under other axes. What shares them, what a write does, and how gradients pass.
 */
import { describe, expect, test } from '@jest/globals';
import { ValueError } from 'minitensor';

import { expectError, thrownBy } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { Tensor } = mt;

/** @typedef {import('minitensor').Tensor} TensorType */

/** @param {() => unknown} body a test that leaves no tensor behind */
const tidy = (body) => () => mt.tidy(() => void body());

const values = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]];

/** What each gives of the values above. @type {[string, (x: TensorType) => TensorType, unknown][]} */
const views = [
  ['slice from the end', (x) => x.slice({ start: [-2], stop: [-1] }), [[4, 5, 6, 7]]],
  ['slice backwards', (x) => x.slice({ start: [-1, -1], step: [-2, -3] }), [[11, 8], [3, 0]]],
  ['slice with a step beyond the end', (x) => x.slice({ start: [0], stop: [99], step: [2], axes: [-1] }), [[0, 2], [4, 6], [8, 10]]],
  ['slice of nothing', (x) => x.slice({ start: [2], stop: [1] }), []],
  ['transpose', (x) => x.transpose(), [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]],
  ['permuteDims', (x) => x.permuteDims({ axes: [-1, 0] }), [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]],
  ['moveAxis', (x) => x.moveAxis({ source: 0, destination: 1 }), [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]],
  ['reshape', (x) => x.reshape({ shape: [2, -1] }), [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]],
  ['reshape of an axis of a transposed one', (x) => x.transpose().reshape({ shape: [2, 2, 3] }), [[[0, 4, 8], [1, 5, 9]], [[2, 6, 10], [3, 7, 11]]]],
  ['flatten', (x) => x.flatten(), values.flat()],
  ['squeeze and expandDims', (x) => x.expandDims({ axis: [0, 2] }).squeeze({ axis: 0 }), values.map((row) => [row])],
  ['flip', (x) => x.flip({ axis: 1 }), values.map((row) => [...row].reverse())],
  ['split', (x) => /** @type {TensorType} */ (x.split({ sizes: [1, 3], axis: 1 })[1]), values.map((row) => row.slice(1))],
  ['broadcastTo', (x) => x.broadcastTo({ shape: [2, 3, 4] }), [values, values]],
  ['several, one of the other', (x) => x.flip().transpose().slice({ start: [1, 0], step: [2, 2] }), [[10, 2], [8, 0]]],
];

describe.each(views)('%s', (_, view, expected) => {
  test('shares the elements', tidy(() => {
    const x = new Tensor(values);
    const before = mt.memory().bytes;
    const y = view(x);
    expect(y.toArray()).toEqual(expected);
    expect(mt.memory().bytes).toBe(before);
  }));

  test('sees what is written', tidy(() => {
    const x = new Tensor(values);
    const y = view(x);
    x.assign(values.map((row) => row.map((value) => -value - 1)));
    expect(y.toArray()).toEqual(view(new Tensor(x.toArray())).toArray());
  }));

  test('outlives what it is a view of', tidy(() => {
    const x = new Tensor(values);
    const y = view(x);
    x.dispose();
    expect(y.toArray()).toEqual(expected);
  }));

  test('passes gradients on to the elements that it shows', tidy(() => {
    const x = new Tensor(values, { dtype: 'float64', requiresGrad: true });
    const y = view(x);
    const weights = Float64Array.from({ length: y.size }, (_unused, i) => i + 1);
    y.mul(new Tensor(weights, { shape: y.shape })).sum().backward();
    // Each element of x is its own number.
    const gradient = new Float64Array(12);
    for (const [i, place] of y.toTypedArray().entries()) gradient[place] = (gradient[place] ?? 0) + i + 1;
    expect(x.grad?.shape).toEqual([3, 4]);
    expect(x.grad?.toTypedArray()).toEqual(gradient);
  }));
});

describe('a write', () => {
  test('through a view changes what it shows, and nothing else', tidy(() => {
    const x = new Tensor(values);
    const flipped = x.flip();
    x.slice({ start: [1, -1], step: [1, -2] }).assign([[70, 50], [110, 90]]);
    expect(x.toArray()).toEqual([[0, 1, 2, 3], [4, 50, 6, 70], [8, 90, 10, 110]]);
    expect(flipped.toArray()).toEqual([[110, 10, 90, 8], [70, 6, 50, 4], [3, 2, 1, 0]]);
  }));

  test('of elements to other places of the same tensor reads them first', tidy(() => {
    const x = new Tensor([1, 2, 3, 4]);
    x.slice({ start: [1] }).assign(x.slice({ start: [0], stop: [3] }));
    expect(x.toArray()).toEqual([1, 1, 2, 3]);
    x.flip().assign(x);
    expect(x.toArray()).toEqual([3, 2, 1, 1]);
  }));

  test('to a copy does not come through', tidy(() => {
    const x = new Tensor(values);
    const before = mt.memory().bytes;
    const copy = x.transpose().reshape({ shape: [12] });
    expect(mt.memory().bytes).toBe(before + 48);
    copy.assign(new Float32Array(12));
    expect(x.toArray()).toEqual(values);
  }));

  test('to elements that stand in several places is refused', tidy(() => {
    const x = new Tensor([[1], [2]]);
    const repeated = x.broadcastTo({ shape: [2, 3] });
    expectError(thrownBy(() => repeated.assign([[1, 2, 3], [4, 5, 6]])), ValueError,
      'assign: axis 1 of shape [2,3] repeats the same elements; assign to the tensor that was broadcast');
    expect(repeated.toArray()).toEqual([[1, 1, 1], [2, 2, 2]]);
    expect(repeated.slice({ start: [0], stop: [1], axes: [1] }).assign([[5], [6]]).toArray()).toEqual([[5], [6]]);
    expect(x.toArray()).toEqual([[5], [6]]);
  }));

  test('to a view of what a gradient needs is noticed by backward', tidy(() => {
    const x = new Tensor(values, { requiresGrad: true });
    const y = x.mul(x).sum();
    x.detach().slice({ start: [2] }).assign([[0, 0, 0, 0]]);
    expectError(thrownBy(() => y.backward()), ValueError, 'an input was changed');
    // A view's own gradient needs no elements.
    const z = x.flip().sum();
    x.assign(values);
    z.backward();
    expect(x.grad?.toArray()).toEqual([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]);
  }));
});

test('gradients of views of views agree with differences', tidy(() => {
  const x = new Tensor(values, { dtype: 'float64' }).mul(0.25);
  mt.gradcheck((input) => {
    const left = input.flip({ axis: 0 }).slice({ start: [0, -1], step: [1, -1] }).transpose();
    return left.matmul(input.broadcastTo({ shape: [2, 3, 4] }).reshape({ shape: [2, 3, 4] })).mul(left.matmul(input));
  }, [x]);
}));
