import { describe, expect, test } from '@jest/globals';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { Tensor } = mt;

describe('tidy', () => {
  test('releases what was made, and gives what the function gave', () => {
    const { tensors } = mt.memory();
    const y = mt.tidy(() => new Tensor([1, 2]).add(1).mul(2));
    expect(y.toArray()).toEqual([4, 6]);
    expect(mt.memory().tensors).toBe(tensors + 1);
    y.dispose();
  });

  test('spares tensors in arrays and plain objects, however deep', () => {
    const make = () => new Tensor([1]);
    const { a, list, bare } = mt.tidy(() => {
      make();
      return { a: make(), list: [[make()], { b: make() }], bare: Object.assign(Object.create(null), { c: make() }) };
    });
    const kept = [a, list[0], list[1], bare.c].flat().map((x) => (x instanceof Tensor ? x : x.b));
    expect(kept.map((x) => x.isDisposed)).toEqual([false, false, false, false]);
    for (const x of kept) x.dispose();
  });

  test('copes with a result that refers to itself', () => {
    const result = mt.tidy(() => {
      /** @type {{ x: InstanceType<typeof Tensor>, self?: object, list: unknown[] }} */
      const loop = { x: new Tensor([1]), list: [] };
      loop.self = loop;
      loop.list.push(loop.list, loop);
      return loop;
    });
    expect(result.x.isDisposed).toBe(false);
    result.x.dispose();
  });

  test('does not look into other objects', () => {
    class Box {
      x = new Tensor([1]);
    }
    expect(mt.tidy(() => new Box()).x.isDisposed).toBe(true);
    const [inMap] = mt.tidy(() => new Map([[new Tensor([1]), 1]])).keys();
    expect(inMap?.isDisposed).toBe(true);
  });

  test('passes what it spares to the tidy around it', () => {
    const [outer, inner] = mt.tidy(() => {
      const x = mt.tidy(() => new Tensor([1]));
      expect(x.isDisposed).toBe(false);
      return [() => x, x.add(1)];
    });
    if (typeof outer !== 'function' || typeof inner === 'function') throw new Error('not these');
    expect([/** @type {() => typeof inner} */ (outer)().isDisposed, inner?.isDisposed]).toEqual([true, false]);
    inner?.dispose();
  });

  test('releases when the function throws, and that same error comes out', () => {
    const error = new Error('mine');
    const fails = () => {
      new Tensor([1]);
      throw error;
    };
    expect(thrownBy(() => mt.tidy(fails))).toBe(error);
  });

  test('leaves alone what existed before, and what is disposed within', () => {
    const x = new Tensor([1]);
    mt.tidy(() => {
      x.add(1).dispose();
      return x;
    });
    expect(x.isDisposed).toBe(false);
    x.dispose();
  });

  test('takes what is given to keep out of every scope', () => {
    /** @type {InstanceType<typeof Tensor> | undefined} */
    let kept;
    mt.tidy(() => {
      mt.tidy(() => {
        kept = mt.keep(new Tensor([3]));
      });
    });
    expect(kept?.toArray()).toEqual([3]);
    kept?.dispose();
  });

  test('refuses an asynchronous function, and releases what it had made', () => {
    const run = async () => {
      new Tensor([1]);
    };
    expectError(thrownBy(() => mt.tidy(run)), TypeError, 'Promise');
  });

  test.each([undefined, null, 1, 'f', {}])('refuses what is no function (%#)', (fn) => {
    expectError(thrownBy(() => mt.tidy(wrong(fn))), TypeError, 'tidy: fn must be a function');
  });
});

test('an op inside a tidy hands its result to the tidy', () => {
  mt.customOps.register({ name: 'op', numInputs: 1, forward: ([x]) => mt.tidy(() => x.add(1).mul(2)) });
  const result = mt.tidy(() => mt.customOps.execute('op', [[1]]));
  expect(result.toArray()).toEqual([4]);
  result.dispose();
  mt.customOps.unregister('op');
});

test.each([undefined, null, 1, [1], {}])('keep refuses what is no tensor (%#)', (value) => {
  expectError(thrownBy(() => mt.keep(wrong(value))), TypeError, 'keep: tensor must be a Tensor');
});
