/*
 * A compiled op and a JavaScript op of the same formula pass the same tests: who calls one cannot tell where it is
 * from.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DTypeError, NotImplementedError, ValueError, init } from 'minitensor';

const mt = await init();

/** @param {number} x @param {number} beta */
const swish = (x, beta) => x / (1 + Math.exp(-beta * x));

const origins = {
  'a compiled plugin': {
    name: 'swish',
    add: () => mt.plugins.loadPlugin(new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm'))),
    remove: () => mt.plugins.unloadPlugin('swish'),
  },
  'JavaScript': {
    name: 'jsSwish',
    add: () => mt.customOps.register({
      name: 'jsSwish',
      numInputs: 1,
      summary: 'x * sigmoid(beta * x), element by element',
      attributes: { beta: 1 },
      forward: ([x], { beta }) => x.mul(mt.sigmoid(x.mul(beta))),
      backward: ({ inputs: [x], attributes: { beta }, gradOutput }) => {
        const s = mt.sigmoid(x.mul(beta));
        return [gradOutput.mul(s.add(x.mul(beta).mul(s).mul(s.neg().add(1))))];
      },
      validate: ([x]) => {
        if (x.dtype !== 'float32' && x.dtype !== 'float64') throw new DTypeError('jsSwish: takes float32 and float64');
      },
      outputShape: ([x]) => x.shape,
      outputDtype: ([x]) => x.dtype,
    }),
    remove: () => mt.customOps.unregister('jsSwish'),
  },
};

describe.each(Object.entries(origins))('the op from %s', (_, { name, add, remove }) => {
  beforeAll(async () => {
    await add();
  });

  afterAll(() => {
    remove();
    expect(mt.memory()).toEqual({ tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 });
  });

  const floats = /** @type {const} */ (['float32', 'float64']);

  test.each(floats)('computes its formula in %s, and keeps the dtype', (dtype) => {
    mt.tidy(() => {
      const x = new mt.Tensor([[-30, -1, -0.5], [0, 0.5, 30]], { dtype });
      const y = mt.customOps.execute(name, [x], { beta: 1.5 });
      expect([y.shape, y.dtype]).toEqual([[2, 3], dtype]);
      for (const [i, value] of x.toTypedArray().entries()) {
        const expected = swish(value, 1.5);
        const ulps = dtype === 'float32' ? 2 ** -22 : 2 ** -51;
        expect(Math.abs((y.toTypedArray()[i] ?? NaN) - expected)).toBeLessThanOrEqual(Math.abs(expected) * ulps);
      }
    });
  });

  test.each(floats)('has the gradient of its formula in %s', (dtype) => {
    mt.tidy(() => {
      const x = new mt.Tensor([-3, -0.5, 0, 0.5, 3], { dtype });
      const g = new mt.Tensor([1, 2, 3, 4, 5], { dtype });
      const [gradient] = mt.customOps.gradients(name, [x], g, { beta: 1.5 });
      expect([gradient?.shape, gradient?.dtype]).toEqual([[5], dtype]);
      const h = 1e-5;
      for (const [i, value] of x.toTypedArray().entries()) {
        // The central difference; its error is of the order of h squared.
        const expected = (i + 1) * (swish(value + h, 1.5) - swish(value - h, 1.5)) / (2 * h);
        expect(gradient?.toTypedArray()[i]).toBeCloseTo(expected, dtype === 'float32' ? 5 : 8);
      }
    });
  });

  test('refuses a gradient that is not of the output\'s shape or dtype', () => {
    mt.tidy(() => {
      const double = new mt.Tensor([1], { dtype: 'float64' });
      const given = (/** @type {import('minitensor').TensorLike} */ gradient) =>
        () => mt.customOps.gradients(name, [new mt.Tensor([1])], gradient);
      expect(given([1, 2])).toThrow(`${name}: the gradient has shape [2], the output [1]`);
      expect(given(double)).toThrow(`${name}: the gradient is float64, the output float32`);
    });
  });

  test('takes views, empty tensors, numbers and arrays', () => {
    mt.tidy(() => {
      const x = new mt.Tensor([[1, 2], [3, 4]]);
      expect(mt.customOps.execute(name, [x.transpose()]).toArray()).toEqual(
        mt.customOps.execute(name, [[[1, 3], [2, 4]]]).toArray(),
      );
      expect(mt.customOps.execute(name, [[]]).shape).toEqual([0]);
      expect(mt.customOps.execute(name, [0]).toArray()).toBe(0);
    });
  });

  test('says what it is', () => {
    expect(mt.customOps.describe(name)).toMatchObject({
      summary: 'x * sigmoid(beta * x), element by element',
      attributes: [{ name: 'beta', type: 'number', default: 1 }],
      hasGradient: true,
    });
    expect(mt.customOps.list()).toEqual([name]);
    expect(mt.customOps.isRegistered(name)).toBe(true);
  });

  test('refuses what it does not declare, by name', () => {
    const execute = (/** @type {number[][]} */ inputs, /** @type {Record<string, number | string>} */ attributes) =>
      () => mt.customOps.execute(name, inputs, attributes);
    const unknown = new ValueError(`${name}: unknown attribute "bet"; declared are: "beta"`);
    expect(execute([[1]], { bet: 1 })).toThrow(unknown);
    expect(execute([[1]], { beta: 'a' })).toThrow(/attribute "beta" must be of type number, not string/);
    expect(execute([], {})).toThrow(new ValueError(`${name}: takes 1 input, got 0`));
    expect(execute([[1], [2]], {})).toThrow(new ValueError(`${name}: takes 1 input, got 2`));
  });

  test('is known by its owner when its name is taken again', () => {
    const again = () => mt.customOps.register({ name, numInputs: 1, forward: ([x]) => x });
    expect(again).toThrow(ValueError);
    expect(again).toThrow(name === 'swish' ? 'by plugin "swish"' : 'by the application');
  });
});

test('an op without backward has no gradients, and says so', () => {
  mt.customOps.register({ name: 'plain', numInputs: 1, forward: ([x]) => x.neg() });
  expect(() => mt.customOps.gradients('plain', [1], 1)).toThrow(new NotImplementedError('op "plain" has no gradient'));
  mt.customOps.unregister('plain');
  const gradients = mt.customOps.gradients('mul', [[1, 2], 3], [1, 1]);
  expect(gradients.map((gradient) => gradient.toArray())).toEqual([[3, 3], 3]);
  for (const gradient of gradients) gradient.dispose();
});
