import { describe, expect, test } from '@jest/globals';
import { DTypeError, MiniTensorError, NotImplementedError, ShapeError, ValueError } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

/** @typedef {import('minitensor').Tensor} Tensor */

const mt = await instanceForTests();
const { Tensor } = mt;

/** @param {import('minitensor').Tensor} tensor */
function gradient(tensor) {
  const { grad } = tensor;
  const values = grad?.toArray() ?? null;
  grad?.dispose();
  return values;
}

describe('backward', () => {
  test('leaves the gradient at the leaves, and adds to it', () => {
    mt.tidy(() => {
      const x = new Tensor([1, 2, 3], { requiresGrad: true });
      expect([x.requiresGrad, x.grad, x.neg().requiresGrad]).toEqual([true, null, true]);
      x.mul(x).sum().backward();
      expect(gradient(x)).toEqual([2, 4, 6]);
      x.mul(10).backward([1, 0, 1]);
      expect(gradient(x)).toEqual([12, 4, 16]);
      x.grad = null;
      expect(gradient(x)).toBe(null);
    });
  });

  test('that fails leaves gradients and graph as they were', () => {
    const thrown = new Error('not now');
    let isWilling = false;
    mt.customOps.register({
      name: 'reluctant',
      numInputs: 1,
      forward: ([x]) => x.mul(2),
      backward: ({ gradOutput }) => {
        if (isWilling) return [gradOutput.mul(2)];
        throw thrown;
      },
    });
    mt.tidy(() => {
      const x = new Tensor([1, 2], { requiresGrad: true });
      x.mul(10).sum().backward();
      const y = mt.add(mt.customOps.execute('reluctant', [x.mul(x)]), x.exp()).sum();
      expect(thrownBy(() => y.backward())).toBe(thrown);
      expect(gradient(x)).toEqual([10, 10]);
      isWilling = true;
      y.backward();
      const expected = [10 + 4 + Math.E, 10 + 8 + Math.E ** 2];
      /** @type {number[]} */ (gradient(x)).forEach((value, i) => expect(value).toBeCloseTo(Number(expected[i]), 5));
      expectError(thrownBy(() => y.backward()), ValueError, /released by an earlier backward/);
    });
    mt.customOps.unregister('reluctant');
  });

  test('refuses what a backward that is running works on', () => {
    /** @type {Tensor | undefined} */
    let root;
    /** @type {unknown} */
    let error;
    mt.customOps.register({
      name: 'asks_again',
      numInputs: 1,
      forward: ([x]) => x.mul(2),
      backward: ({ gradOutput }) => {
        error = thrownBy(() => root?.backward());
        return [gradOutput.mul(2)];
      },
    });
    mt.tidy(() => {
      const x = new Tensor([1, 2], { requiresGrad: true });
      root = mt.customOps.execute('asks_again', [x.mul(x)]).sum();
      root.backward();
      expectError(error, ValueError, /a backward that is running works on/);
      expect(gradient(x)).toEqual([4, 8]);
    });
    mt.customOps.unregister('asks_again');
  });

  test('outlives the tensors on the way', () => {
    mt.tidy(() => {
      const x = new Tensor(2, { requiresGrad: true });
      const y = mt.tidy(() => x.mul(x).mul(x));
      y.backward();
      expect(gradient(x)).toBe(12);
    });
  });

  test('says what is wrong', () => {
    mt.tidy(() => {
      const x = new Tensor([1, 2], { requiresGrad: true });
      expectError(thrownBy(() => new Tensor(1).backward()), ValueError, 'requires no gradient');
      expectError(thrownBy(() => x.exp().backward()), ShapeError, 'backward: the tensor has shape [2]');
      expectError(thrownBy(() => x.exp().backward([1])), ShapeError, '[1]');
      expectError(thrownBy(() => x.exp().backward(undefined, wrong(1))), TypeError, 'options');
      const y = x.mul(x).sum();
      y.backward(1, { retainGraph: true });
      y.backward();
      expectError(thrownBy(() => y.backward()), ValueError, /released by an earlier backward/);
      const z = x.mul(x).sum();
      x.assign([5, 6]);
      expectError(thrownBy(() => z.backward()), ValueError, 'an input was changed');
      expectError(thrownBy(() => x.mul(2).assign([0, 0])), ValueError, 'assign: the tensor was computed from others');
      expect(mt.noGrad(() => x.mul(2)).assign([0, 0]).toArray()).toEqual([0, 0]);
      expectError(thrownBy(() => x.sum().backward(1, wrong({ retaingraph: true }))), ValueError, 'known are: retainGraph');
      expectError(thrownBy(() => new Tensor([1n], { requiresGrad: true })), DTypeError, 'int64');
      expectError(thrownBy(() => new Tensor([1], { requiresGrad: wrong('yes') })), TypeError, 'requiresGrad');
    });
  });

  test('goes through ops of JavaScript, whose own computing is not recorded', () => {
    mt.customOps.register({
      name: 'cube',
      numInputs: 1,
      forward: ([x]) => x.mul(x).mul(x),
      backward: ({ inputs: [x], gradOutput }) => [gradOutput.mul(x.mul(x).mul(3))],
    });
    mt.customOps.register({ name: 'opaque', numInputs: 1, forward: ([x]) => x.mul(2) });
    try {
      mt.tidy(() => {
        const x = new Tensor([1, 2], { dtype: 'float64' });
        mt.gradcheck((input) => mt.customOps.execute('cube', [input]).mul(input), [x]);
        x.requiresGrad = true;
        const y = mt.customOps.execute('opaque', [x]).sum();
        expectError(thrownBy(() => y.backward()), NotImplementedError, '"opaque" has no gradient');
      });
    } finally {
      mt.customOps.unregister('cube');
      mt.customOps.unregister('opaque');
    }
  });

  test('reaches the parameters of a layer', () => {
    mt.tidy(() => {
      const layer = new mt.plugins.CustomLayer('scale');
      layer.addParameter('w', new Tensor([2, 3], { requiresGrad: true }));
      layer.setForward(([x]) => x.mul(layer.getParameter('w')));
      layer.forward([[10, 20]]).sum().backward();
      expect(gradient(layer.getParameter('w'))).toEqual([10, 20]);
      layer.dispose();
    });
  });
});

describe('noGrad', () => {
  test('records nothing, and gives what the function gives', () => {
    mt.tidy(() => {
      const x = new Tensor([1], { requiresGrad: true });
      expect(mt.noGrad(() => mt.noGrad(() => x.exp()).requiresGrad || x.exp().requiresGrad)).toBe(false);
      expect(x.exp().requiresGrad).toBe(true);
      expect(thrownBy(() => mt.noGrad(() => { throw new Error('boom'); }))).toMatchObject({ message: 'boom' });
      expect(x.exp().requiresGrad).toBe(true);
      expect(x.detach().requiresGrad).toBe(false);
    });
  });

  test('is not left on by an exception that goes through the core', () => {
    mt.customOps.register({ name: 'endless', numInputs: 1, forward: ([x]) => mt.customOps.execute('endless', [x]) });
    mt.tidy(() => {
      const x = new Tensor([1], { requiresGrad: true });
      thrownBy(() => mt.customOps.execute('endless', [x]));
      expect(x.exp().requiresGrad).toBe(true);
    });
    mt.customOps.unregister('endless');
  });
});

describe('gradcheck', () => {
  test('says which element differs, and by what', () => {
    mt.customOps.register({
      name: 'wrongGradient',
      numInputs: 1,
      forward: ([x]) => x.mul(2),
      backward: ({ gradOutput }) => [gradOutput.mul(3)],
    });
    mt.tidy(() => {
      const x = new Tensor([1, 2]);
      const error = thrownBy(() => mt.gradcheck((input) => mt.customOps.execute('wrongGradient', [input]), [x]));
      expectError(error, MiniTensorError, /input 0, element 0: the gradient is 3.*, by differences (2|1\.99999|2\.00000)/);
      expectError(thrownBy(() => mt.gradcheck((a) => a, [new Tensor([1n])])), DTypeError, 'input 0 must be floating-point');
      const given = wrong({ tolerance: 1 });
      expectError(thrownBy(() => mt.gradcheck((a) => a, [x], given)), ValueError, 'unknown option "tolerance"');
      mt.gradcheck((a, b) => a.matmul(b).tanh(), [new Tensor([[0.1, 0.2]]), new Tensor([[0.3], [0.4]])]);
    });
    mt.customOps.unregister('wrongGradient');
  });
});

test('a graph as long as no stack is deep comes to its end', () => {
  mt.tidy(() => {
    const x = new Tensor(1, { requiresGrad: true });
    /** @type {Tensor} */
    let y = x;
    for (let i = 0; i < 20_000; i++) {
      const next = y.neg();
      if (y !== x) y.dispose();
      y = next;
    }
    y.backward();
    expect(gradient(x)).toBe(1);
  });
});
