/*
 * Ops of neural networks as JavaScript sees them. Their values are compared with NumPy's in op_fixtures.test.js.
 */
import { expect, test } from '@jest/globals';
import { DTypeError, ShapeError, ValueError } from 'minitensor';

import { expectError, thrownBy } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();

/** @typedef {import('minitensor').Tensor} Tensor */

test('optional inputs are left out, are undefined, or give way to attributes', () => {
  mt.tidy(() => {
    const x = [[1], [3]];
    expect(mt.batchNorm(x, { eps: 0 }).toArray()).toEqual([[-1], [1]]);
    expect(mt.batchNorm(x, [2], undefined, { eps: 0 }).toArray()).toEqual([[-2], [2]]);
    expect(mt.batchNorm(x, undefined, undefined, [1], [4], { eps: 0 }).toArray()).toEqual([[0], [1]]);
    expect(mt.conv1d([[[1, 2, 3]]], [[[1, 1]]], { padding: 1 }).toArray()).toEqual([[[1, 3, 5, 3]]]);
  });
});

test('a bool mask of attention says which keys take part', () => {
  mt.tidy(() => {
    const [query, key, value] = [new mt.Tensor([[1]]), [[1], [1], [1]], [[1], [2], [6]]];
    expect(mt.scaledDotProductAttention(query, key, value, [[true, false, true]]).toArray()).toEqual([[3.5]]);
    expect(mt.scaledDotProductAttention(query, key, value, [[0, -Infinity, -Infinity]]).toArray()).toEqual([[1]]);
  });
});

test('a network of them has the gradients that differences give', () => {
  mt.tidy(() => {
    const values = (/** @type {number[]} */ shape, /** @type {number} */ seed) => {
      const count = shape.reduce((a, b) => a * b, 1);
      const items = Float64Array.from({ length: count }, (_, i) => Math.sin(seed + i * 1.7));
      return new mt.Tensor(items, { shape, dtype: 'float64' });
    };
    /** @type {(...inputs: Tensor[]) => Tensor} */
    const network = (x, kernel, weight, bias) => {
      const features = mt.conv2d(x, kernel, { padding: 1, groups: 2 });
      const normal = mt.groupNorm(features, weight, bias, { groups: 2 });
      const pooled = mt.maxPool2d(normal, { kernelSize: 2 });
      return mt.crossEntropy(pooled.reshape({ shape: [2, -1] }), [1, 6]);
    };
    const inputs = [values([2, 2, 4, 4], 1), values([4, 1, 3, 3], 2), values([4], 3), values([4], 4)];
    expect(() => mt.gradcheck(network, inputs)).not.toThrow();
  });
});

test.each([
  ['conv2d', [[1], [1]], undefined, ShapeError, /conv2d: both need 4 axes: x is \[1\], weight \[1\]/],
  ['maxPool2d', [[[[1]]]], { kernelSize: 2 }, ShapeError, /maxPool2d: a kernel of size 2/],
  ['avgPool2d', [[[[1]]]], undefined, ValueError, /"kernelSize" is required/],
  ['embedding', [[5], [[1]]], undefined, ValueError, /embedding: index 5 is none of the 1 rows/],
  ['dropout', [[1]], { seed: 1, p: 2 }, ValueError, /dropout: p must be a probability, from 0 to 1, not 2/],
  ['crossEntropy', [[[1, 2]], [2]], undefined, ValueError, /crossEntropy: target 2 is none of the 2 classes/],
  ['nll', [[[1, 2]], [0.5]], undefined, DTypeError, /nll: targets must be integers/],
  ['mse', [[1, 2], [1]], undefined, ShapeError, /mse: x and target differ in shape: \[2\] and \[1\]/],
])('%s refuses %j', (name, inputs, attributes, errorClass, message) => {
  expectError(thrownBy(() => mt.customOps.execute(name, inputs, attributes)), errorClass, message);
});
