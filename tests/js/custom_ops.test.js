import { describe, expect, test } from '@jest/globals';
import { DTypeError, MiniTensorError, ShapeError, ValueError, init } from 'minitensor';

import { coreExportNames } from './support/core_files.js';
import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

/** @typedef {import('./support/instance.js').MiniTensor} MiniTensor */
/** @typedef {Parameters<MiniTensor['customOps']['register']>[0]} OpDefinition */
/** @typedef {InstanceType<MiniTensor['Tensor']>} Tensor */

const mt = await instanceForTests();
const { customOps, Tensor } = mt;

/**
 * Runs a body while an op is registered.
 * @template T
 * @param {OpDefinition} definition
 * @param {() => T} body
 */
function withOp(definition, body) {
  customOps.register(definition);
  try {
    return body();
  } finally {
    if (customOps.isRegistered(definition.name)) customOps.unregister(definition.name);
  }
}

/** @param {Partial<OpDefinition>} [parts] @returns {OpDefinition} */
const opWith = (parts) => ({ name: 'op', numInputs: 1, forward: ([x]) => x.add(1), ...parts });

/** @param {readonly unknown[]} [inputs] @param {object} [attributes] */
const run = (inputs = [[1, 2]], attributes) =>
  mt.tidy(() => customOps.execute('op', wrong(inputs), wrong(attributes)).toArray());

describe('register and execute', () => {
  test('an op runs by its name, on tensors and on numbers', () => {
    withOp(opWith({ numInputs: 2, forward: ([a, b]) => a.mul(b).add(a) }), () => {
      expect(run([[1, 2], [10, 20]])).toEqual([11, 42]);
      expect(run([2, 3])).toBe(8);
      expect(run([new Float64Array([2]), [[3], [4]]])).toEqual([[8], [10]]);
    });
  });

  test('numbers take the dtype of the first tensor', () => {
    withOp(opWith({ numInputs: 2, forward: ([a, b]) => a.add(b) }), () => {
      mt.tidy(() => {
        const x = new Tensor([1], { dtype: 'float64' });
        expect(customOps.execute('op', [[0.1], x]).dtype).toBe('float64');
        expect(customOps.execute('op', [[0.1], x]).item()).toBe(1.1);
      });
    });
  });

  test('list gives the names in order of registration, without the engine\'s own', () => {
    for (const name of ['z', 'a', 'm']) customOps.register(opWith({ name }));
    expect(customOps.list()).toEqual(['z', 'a', 'm']);
    for (const name of ['a', 'z', 'm']) customOps.unregister(name);
  });

  test('isRegistered knows custom ops only', () => {
    expect(['op', 'add'].map((name) => customOps.isRegistered(name))).toEqual([false, false]);
    withOp(opWith(), () => expect(customOps.isRegistered('op')).toBe(true));
  });

  test('describe says what an op takes', () => {
    const attributes = { scale: 2, text: 'x', flag: true, list: [1, 2], needed: /** @type {const} */ ({ type: 'number' }) };
    withOp(opWith({ summary: 'Says it all', attributes, backward: ({ gradOutput }) => [gradOutput] }), () => {
      expect(customOps.describe('op')).toEqual({
        name: 'op',
        owner: '',
        summary: 'Says it all',
        inputs: ['x0'],
        attributes: [
          { name: 'scale', type: 'number', default: 2 },
          { name: 'text', type: 'string', default: 'x' },
          { name: 'flag', type: 'boolean', default: true },
          { name: 'list', type: 'integers', default: [1, 2] },
          { name: 'needed', type: 'number' },
        ],
        hasGradient: true,
      });
    });
    expect(customOps.describe('add')).toMatchObject({ owner: 'minitensor', inputs: ['a', 'b'] });
  });

  test('execute runs the engine\'s own ops, too', () => {
    expect(mt.tidy(() => customOps.execute('sum', [[[1, 2], [3, 4]]], { axis: [0] }).toArray())).toEqual([4, 6]);
  });

  test('execute gives all outputs of an op that has several, as the op\'s function does', () => {
    const before = mt.memory();
    mt.tidy(() => {
      const top = customOps.execute('topk', [[1, 3, 2]], { k: 2 });
      expect(Object.keys(top)).toEqual(['values', 'indices']);
      expect([top.values.toArray(), top.indices.toArray()]).toEqual([[3, 2], [1, 2]]);
      const { counts } = customOps.execute('unique', [[5, 4, 5]]);
      expect(counts.toArray()).toEqual([1, 2]);
      for (const sections of [1, 2, 4]) {
        const parts = customOps.execute('split', [[1, 2, 3, 4]], { sections });
        expect(parts.map((part) => part.size)).toEqual(Array(sections).fill(4 / sections));
        expect(mt.concat(parts).toArray()).toEqual([1, 2, 3, 4]);
      }
      const places = customOps.execute('nonzero', [[[0, 1], [1, 0]]]);
      expect(places.map((place) => place.toArray())).toEqual([[0, 1], [1, 0]]);
      expectError(thrownBy(() => customOps.execute('topk', [[1, 2]], { k: 3 })), ValueError, 'topk: ');
      expectError(thrownBy(() => customOps.execute('topk', wrong(3))), TypeError, 'topk: inputs');
    });
    expect(mt.memory()).toEqual(before);
  });

  test('gradients flow through an op with several outputs that is run by its name', () => {
    mt.tidy(() => {
      const x = new Tensor([1, 3, 2], { requiresGrad: true });
      customOps.execute('topk', [x], { k: 2 }).values.mul([10, 20]).sum().backward();
      expect(x.grad?.toArray()).toEqual([0, 10, 20]);
    });
  });

  test('an op without inputs makes a tensor of its own', () => {
    withOp(opWith({ numInputs: 0, forward: () => new Tensor([7]) }), () => expect(run([])).toEqual([7]));
  });

  test('an op takes up to 64 inputs', () => {
    const forward = (/** @type {readonly Tensor[]} */ inputs) => inputs.reduce((sum, x) => sum.add(x));
    withOp(opWith({ numInputs: 64, forward }), () => expect(run(Array.from({ length: 64 }, (_, i) => i))).toBe(2016));
    expectError(thrownBy(() => customOps.register(opWith({ numInputs: 65 }))), TypeError, 'from 0 to 64');
  });

  test('a name that is taken is refused, and the message names the owner', () => {
    withOp(opWith(), () => {
      expectError(thrownBy(() => customOps.register(opWith())), ValueError, /"op".*registered already/);
    });
    expectError(thrownBy(() => customOps.register(opWith({ name: 'add' }))), ValueError, /"add".*engine/);
  });

  test('an unknown name is a ValueError that lists the custom ones', () => {
    withOp(opWith(), () => {
      for (const call of [customOps.execute, customOps.describe, customOps.unregister]) {
        expectError(thrownBy(() => Reflect.apply(call, customOps, ['nobody', []])), ValueError, /"nobody".*"op"/);
      }
    });
  });

  test('the engine\'s own ops cannot be unregistered', () => {
    expectError(thrownBy(() => customOps.unregister('add')), ValueError, 'engine');
    expect(mt.tidy(() => mt.add(1, 2).item())).toBe(3);
  });

  test('what happens to the definition afterwards has no effect', () => {
    const list = [1, 2];
    const definition = opWith({ attributes: { list } });
    withOp(definition, () => {
      definition.forward = () => {
        throw new Error('not this one');
      };
      list.push(3);
      expect(run([[1]])).toEqual([2]);
      expect(customOps.describe('op').attributes[0]?.default).toEqual([1, 2]);
    });
  });

  test('a name of another language or of odd characters is a name', () => {
    for (const name of ['умножить', '掛ける', '🧮', 'a b', '__proto__', 'constructor', 'x'.repeat(10_000), '\u0000']) {
      withOp(opWith({ name }), () => expect(mt.tidy(() => customOps.execute(name, [1]).item())).toBe(2));
    }
  });
});

describe('the checks around an op', () => {
  test.each([0, 2])('%d inputs for an op of one are refused', (count) => {
    withOp(opWith(), () => {
      const error = expectError(thrownBy(() => run(Array(count).fill(1))), ValueError, `takes 1 input, got ${count}`);
      expect(error.code).toBe('MT_VALUE');
    });
  });

  test('validate runs first, and what it throws comes out as it is', () => {
    const error = new ShapeError('not this');
    let ran = false;
    const validate = () => {
      throw error;
    };
    const forward = (/** @type {readonly Tensor[]} */ [x]) => {
      ran = true;
      return /** @type {Tensor} */ (x);
    };
    withOp(opWith({ validate, forward }), () => expect(thrownBy(run)).toBe(error));
    expect(ran).toBe(false);
  });

  test('a result of another shape than outputShape promised is a ShapeError with both', () => {
    withOp(opWith({ outputShape: () => [3] }), () => {
      const error = expectError(thrownBy(run), ShapeError, '"op" promised shape [3] but gave [2]');
      expect(error.code).toBe('MT_SHAPE');
    });
  });

  test('a result of another dtype than outputDtype promised is a DTypeError with both', () => {
    withOp(opWith({ outputDtype: () => 'float64' }), () => {
      expectError(thrownBy(run), DTypeError, '"op" promised dtype float64 but gave float32');
    });
  });

  test('promises that are kept are no trouble', () => {
    const definition = opWith({ outputShape: ([x]) => x.shape, outputDtype: ([x]) => x.dtype });
    withOp(definition, () => expect(run()).toEqual([2, 3]));
  });

  /** @type {[string, unknown, RegExp][]} */
  const shapes = [
    ['null', null, /array/],
    ['undefined', undefined, /array/],
    ['a number', 2, /array/],
    ['a fraction', [1.5], /integers/],
    ['NaN', [NaN], /integers/],
    ['text', ['2'], /integers/],
    ['2 to the 53rd', [2 ** 53], /integers/],
    ['nine axes', Array(9).fill(1), /8|dimensions/],
    ['a negative size', [-1], /promised shape/],
    ['a thousand axes', Array(1000).fill(1), /values|dimensions/],
  ];
  test.each(shapes)('outputShape that gives %s is refused', (_, shape, message) => {
    withOp(opWith({ outputShape: () => wrong(shape) }), () => {
      expectErrorOfAnyClass(thrownBy(run), message);
      expect(mt.tidy(() => mt.add(1, 1).item())).toBe(2);
    });
  });

  test.each([null, undefined, 1, 'int8', 'toString'])('outputDtype that gives %p is refused', (dtype) => {
    withOp(opWith({ outputDtype: () => wrong(dtype) }), () => expectErrorOfAnyClass(thrownBy(run), /outputDtype/));
  });

  test('an array that changes while it is read does no harm', () => {
    let reads = 0;
    const lengthNow = () => (reads++ % 3 === 0 ? 1 : 200);
    const shape = new Proxy([2], { get: (target, key) => (key === 'length' ? lengthNow() : Reflect.get(target, key) ?? 2) });
    withOp(opWith({ outputShape: () => shape }), () => {
      for (let i = 0; i < 500; i++) {
        try {
          run();
        } catch (error) {
          expectErrorOfAnyClass(error, /./);
        }
      }
      expect(mt.tidy(() => mt.add(1, 1).item())).toBe(2);
    });
  });

  test('what validate, outputShape and outputDtype make is released', () => {
    const parts = opWith({
      validate: ([x]) => void x.add(1),
      outputShape: ([x]) => x.add(1).shape,
      outputDtype: ([x]) => x.add(1).dtype,
    });
    withOp(parts, () => {
      const { tensors } = mt.memory();
      const result = customOps.execute('op', [[1, 2]]);
      expect(mt.memory().tensors).toBe(tensors + 1);
      result.dispose();
    });
  });

  test.each(['validate', 'forward'])('an asynchronous %s is refused', (role) => {
    withOp(opWith({ [role]: async () => {} }), () => expectError(thrownBy(run), TypeError, `${role} gave a Promise`));
  });
});

/** @param {unknown} error @param {RegExp} message */
function expectErrorOfAnyClass(error, message) {
  expect(error instanceof TypeError || error instanceof RangeError || error instanceof MiniTensorError).toBe(true);
  expect(/** @type {Error} */ (error).message).toMatch(message);
}

describe('what forward gives', () => {
  test.each([undefined, null, 1, 'x', {}, [1], Symbol('x')])('must be a tensor (%#)', (value) => {
    withOp(opWith({ forward: () => wrong(value) }), () => {
      expectError(thrownBy(run), TypeError, /op "op": forward: what it gave must be a Tensor, not /);
    });
  });

  test('may be its input', () => {
    withOp(opWith({ forward: ([x]) => x }), () => {
      mt.tidy(() => {
        const x = new Tensor([1, 2]);
        const y = customOps.execute('op', [x]);
        x.dispose();
        expect(y.toArray()).toEqual([1, 2]);
      });
    });
  });

  test('may be the same tensor that existed before, each time, which stays its owner\'s', () => {
    const fixed = new Tensor([5]);
    withOp(opWith({ forward: () => fixed }), () => {
      for (let i = 0; i < 3; i++) expect(run()).toEqual([5]);
      expect(fixed.toArray()).toEqual([5]);
    });
    fixed.dispose();
  });

  test('must not be disposed', () => {
    const disposed = (/** @type {readonly Tensor[]} */ [x]) => {
      const result = /** @type {Tensor} */ (x).add(1);
      result.dispose();
      return result;
    };
    withOp(opWith({ forward: disposed }), () => {
      expect(expectError(thrownBy(run), MiniTensorError, 'disposed').code).toBe('MT_DISPOSED');
    });
  });

  test('must not be of another instance', async () => {
    const other = await init();
    const foreign = new other.Tensor([1]);
    withOp(opWith({ forward: () => foreign }), () => expectError(thrownBy(run), ValueError, 'another instance'));
    foreign.dispose();
  });

  test('must not be an input of an earlier call', () => {
    /** @type {Tensor[]} */
    const stolen = [];
    const forward = (/** @type {readonly Tensor[]} */ [x]) => {
      stolen.push(/** @type {Tensor} */ (x));
      return /** @type {Tensor} */ (stolen[0]);
    };
    withOp(opWith({ forward }), () => {
      expect(run()).toEqual([1, 2]);
      expect(stolen[0]?.isDisposed).toBe(true);
      expect(expectError(thrownBy(run), MiniTensorError, 'disposed').code).toBe('MT_DISPOSED');
    });
  });

  test('an input that forward disposes is still the caller\'s', () => {
    const forward = (/** @type {readonly Tensor[]} */ inputs) => {
      const y = /** @type {Tensor} */ (inputs[0]).add(1);
      inputs[0]?.dispose();
      return y;
    };
    withOp(opWith({ forward }), () => {
      const x = new Tensor([1]);
      expect(run([x])).toEqual([2]);
      expect(x.toArray()).toEqual([1]);
      x.dispose();
    });
  });
});

describe('errors of callbacks', () => {
  test.each([null, undefined, 'text', 0, NaN, Symbol('s'), { an: 'object' }, new Error('mine')])(
    'what forward throws comes out as it is (%#)',
    (error) => {
      const forward = () => {
        throw error;
      };
      withOp(opWith({ forward }), () => expect(thrownBy(run)).toBe(error));
    },
  );

  test('the error of an inner op comes out of all that are around it', () => {
    const error = new Error('at the bottom');
    const attributes = { depth: 0 };
    const forward = (/** @type {readonly Tensor[]} */ inputs, /** @type {Record<string, unknown>} */ { depth }) => {
      if (depth === 0) throw error;
      return customOps.execute('op', inputs, { depth: Number(depth) - 1 });
    };
    withOp(opWith({ attributes, forward }), () => expect(thrownBy(() => run([1], { depth: 20 }))).toBe(error));
  });

  test('an error that a callback catches does no harm to a later one', () => {
    const late = new Error('late');
    const forward = () => {
      expectError(thrownBy(() => mt.add([1, 2], [1, 2, 3])), ShapeError, 'broadcast');
      expectError(thrownBy(() => customOps.execute('thrower', [])), RangeError, 'inner');
      throw late;
    };
    const thrower = () => {
      throw new RangeError('inner');
    };
    withOp({ name: 'thrower', numInputs: 0, forward: thrower }, () => {
      withOp(opWith({ forward }), () => expect(thrownBy(run)).toBe(late));
    });
  });

  test('what forward made before it threw is released', () => {
    const forward = (/** @type {readonly Tensor[]} */ [x]) => {
      /** @type {Tensor} */ (x).add(1);
      throw new Error('late');
    };
    withOp(opWith({ forward }), () => {
      const before = mt.memory();
      expect(run).toThrow('late');
      expect(mt.memory()).toEqual(before);
    });
  });
});

describe('recursion', () => {
  const forward = (/** @type {readonly Tensor[]} */ [x], /** @type {Record<string, unknown>} */ { depth }) =>
    depth === 0
      ? /** @type {Tensor} */ (x)
      : customOps.execute('op', [/** @type {Tensor} */ (x).add(1)], { depth: Number(depth) - 1 });

  test('an op may execute itself 50 deep', () => {
    withOp(opWith({ attributes: { depth: 0 }, forward }), () => expect(run([0], { depth: 50 })).toBe(50));
  });

  test('an op that executes itself for ever ends in an error, again and again, and the instance works on', () => {
    withOp(opWith({ attributes: { depth: 0 }, forward }), () => {
      for (let i = 0; i < 200; i++) {
        expect(expectError(thrownBy(() => run([0], { depth: -1 })), MiniTensorError, 'deep').code).toBe('MT_DEPTH');
      }
      expect(run([0], { depth: 50 })).toBe(50);
    });
  });

  describe('a caller whose own stack runs out', () => {
    /**
     * Calls `act` in each of the innermost 1,500 frames of a stack that is full.
     * @param {() => void} act
     */
    function atTheEndOfTheStack(act) {
      const outcomes = { done: 0, refused: 0 };
      const dive = () => {
        let above = 0;
        try {
          above = dive();
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
        if (above > 1500) return above;
        try {
          act();
          outcomes.done++;
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          outcomes.refused++;
        }
        return above + 1;
      };
      dive();
      return outcomes;
    }

    /**
     * @param {new (message: string) => Error} Expected
     * @param {() => void} act
     */
    function throwUnless(Expected, act) {
      try {
        act();
      } catch (error) {
        if (!(error instanceof Expected)) throw error;
      }
    }

    /**
     * An instance, and the functions of its core through which an exception of the engine has come, but for the one
     * that is there to throw it.
     */
    async function watchedInstance() {
      /** @type {string[]} */
      const crossed = [];
      const { instantiate } = WebAssembly;
      /** @param {string} name @param {Function} call @returns {(...args: unknown[]) => unknown} */
      const watched = (name, call) => (...args) => {
        try {
          return call(...args);
        } catch (error) {
          if (error instanceof RangeError) crossed.push(name);
          throw error;
        }
      };
      WebAssembly.instantiate = /** @type {typeof instantiate} */ (/** @type {unknown} */ (async (
        /** @type {WebAssembly.Module} */ module, /** @type {WebAssembly.Imports} */ imports,
      ) => {
        const instance = await instantiate(module, imports);
        const exports = { ...instance.exports };
        for (const [symbol, name] of coreExportNames('core')) {
          const value = exports[name];
          if (symbol.startsWith('mt_op') && typeof value === 'function') exports[name] = watched(symbol, value);
        }
        return Object.create(instance, { exports: { value: exports } });
      }));
      try {
        return { own: await init(), crossed };
      } finally {
        WebAssembly.instantiate = instantiate;
      }
    }

    test.each(/** @type {[string, (own: MiniTensor, x: Tensor) => void][]} */ ([
      ['a custom op', (own) => own.customOps.execute('op', [[1, 2]]).dispose()],
      ['an op of the engine', (own, x) => own.add(x, x).dispose()],
      ['a kernel with a large frame', (own, x) => own.matmul(x, x).dispose()],
      ['an op that fails', (own, x) => throwUnless(ShapeError, () => own.add(x, [1, 2, 3, 4, 5]))],
      ['a tensor that is made and read', (own) => own.tidy(() => new own.Tensor([[1, 2]]).toArray())],
      ['a gradient', (own, x) => own.tidy(() => own.sum(own.customOps.execute('op', [x])).backward())],
      ['a description', (own) => own.customOps.describe('op')],
    ]))('is told so before the core is entered, which works on: %s', async (_, act) => {
      const { own, crossed } = await watchedInstance();
      own.customOps.register({
        name: 'op', numInputs: 1, forward: ([x]) => x.add(1), backward: ({ gradOutput }) => [gradOutput.mul(2)],
      });
      const x = new own.Tensor([[1, 2], [3, 4]]);
      x.requiresGrad = true;
      // Of several depths, so that the end comes at different places.
      for (let i = 0; i < 5; i++) {
        /** @type {(depth: number) => { done: number, refused: number }} */
        const from = (depth) => (depth === 0 ? atTheEndOfTheStack(() => act(own, x)) : from(depth - 1));
        const { done, refused } = from(i);
        expect(done).toBeGreaterThan(0);
        expect(refused).toBeGreaterThan(0);
      }
      expect(crossed).toEqual([]);
      x.grad = null;
      expect(own.customOps.execute('op', [[1, 2]]).toArray()).toEqual([2, 3]);
      expect(own.matmul(x, x).toArray()).toEqual([[7, 10], [15, 22]]);
      own.sum(own.customOps.execute('op', [x])).backward();
      const gradient = /** @type {Tensor | null} */ (x.grad);
      expect(gradient?.toArray()).toEqual([[2, 2], [2, 2]]);
    });

    test('leaves no callback behind when it registers something', async () => {
      const own = await init();
      const { callbacks } = own.memory();
      const register = () => own.customOps.register({ name: 'op', numInputs: 1, forward: ([x]) => x.add(1) });
      atTheEndOfTheStack(() => throwUnless(ValueError, register));
      own.customOps.unregister('op');
      expect(own.memory().callbacks).toBe(callbacks);
    });
  });
});

describe('an op that changes the ops while it runs', () => {
  test('may unregister itself, and is gone afterwards', () => {
    const forward = (/** @type {readonly Tensor[]} */ [x]) => {
      customOps.unregister('op');
      expectError(thrownBy(() => customOps.execute('op', [1])), ValueError, 'no op "op"');
      return /** @type {Tensor} */ (x).add(1);
    };
    customOps.register(opWith({ forward, outputShape: ([x]) => x.shape }));
    expect(run()).toEqual([2, 3]);
    expect(customOps.list()).toEqual([]);
  });

  test('may put another in its place', () => {
    const forward = () => {
      customOps.unregister('op');
      customOps.register(opWith({ forward: ([x]) => x.mul(10) }));
      return new Tensor([0]);
    };
    withOp(opWith({ forward }), () => {
      expect(run()).toEqual([0]);
      expect(run()).toEqual([10, 20]);
    });
  });
});

test('an op registered again under its name is the new one', () => {
  for (let i = 0; i < 100; i++) withOp(opWith({ forward: ([x]) => x.add(i) }), () => expect(run([1])).toBe(1 + i));
});
