import { describe, expect, test } from '@jest/globals';
import { KeyError, MiniTensorError, NotImplementedError, ValueError, init } from 'minitensor';

import { callWith, expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

/** @typedef {import('./support/instance.js').MiniTensor} MiniTensor */
/** @typedef {InstanceType<MiniTensor['plugins']['CustomLayer']>} Layer */

const mt = await instanceForTests();
const { Tensor, plugins } = mt;

/**
 * @param {(layer: Layer) => void} body
 * @param {string} [name]
 */
function withLayer(body, name = 'layer') {
  const layer = new plugins.CustomLayer(name);
  try {
    body(layer);
  } finally {
    layer.dispose();
  }
}

describe('CustomLayer', () => {
  test('runs its forward function on the inputs', () => {
    withLayer((layer) => {
      layer.setForward(([a, b]) => a.mul(b));
      expect(mt.tidy(() => layer.forward([[2, 3], [4, 5]]).toArray())).toEqual([8, 15]);
    });
  });

  test('has a name, of any language', () => {
    withLayer((layer) => expect(layer.name).toBe('слой 層'), 'слой 層');
    expectError(thrownBy(() => new plugins.CustomLayer('')), ValueError, 'name is empty');
  });

  test('without forward is a NotImplementedError that names the layer', () => {
    withLayer((layer) => {
      const error = expectError(thrownBy(() => layer.forward([])), NotImplementedError, '"layer"');
      expect(error.code).toBe('MT_NOT_IMPLEMENTED');
    });
  });

  test('lists parameters in order of addition, and keeps the place of one that is replaced', () => {
    withLayer((layer) => {
      expect(layer.listParameters()).toEqual([]);
      mt.tidy(() => {
        for (const name of ['z', 'a', 'm']) layer.addParameter(name, new Tensor([1]));
        layer.addParameter('a', new Tensor([2]));
      });
      expect(layer.listParameters()).toEqual(['z', 'a', 'm']);
      expect(mt.tidy(() => layer.getParameter('a').toArray())).toEqual([2]);
    });
  });

  test('keeps the elements of a parameter whose tensor is disposed', () => {
    withLayer((layer) => {
      const weight = new Tensor([1, 2]);
      layer.addParameter('weight', weight);
      weight.dispose();
      const got = layer.getParameter('weight');
      expect(got.toArray()).toEqual([1, 2]);
      got.dispose();
      expect(mt.tidy(() => layer.getParameter('weight').toArray())).toEqual([1, 2]);
    });
  });

  test('a missing parameter is a KeyError that lists those that there are', () => {
    withLayer((layer) => {
      expectError(thrownBy(() => layer.getParameter('w')), KeyError, /"w".*none/);
      mt.tidy(() => layer.addParameter('weight', new Tensor([1])));
      const error = expectError(thrownBy(() => layer.getParameter('w')), KeyError, /"w".*"weight"/);
      expect(error.code).toBe('MT_KEY');
    });
  });

  test('forward gets as many inputs as it is given, and may use none', () => {
    withLayer((layer) => {
      layer.setForward((inputs) => new Tensor([inputs.length]));
      for (const count of [0, 1, 9, 100]) {
        expect(mt.tidy(() => layer.forward(Array(count).fill(1)).toArray())).toEqual([count]);
      }
    });
  });

  test('what forward makes besides its result is released, its parameters included', () => {
    withLayer((layer) => {
      mt.tidy(() => layer.addParameter('w', new Tensor([3])));
      layer.setForward(([x]) => x.mul(layer.getParameter('w')).add(layer.getParameter('w')).sub(1));
      const { tensors } = mt.memory();
      const result = layer.forward([[1]]);
      expect(result.toArray()).toEqual([5]);
      expect(mt.memory().tensors).toBe(tensors + 1);
      result.dispose();
    });
  });

  test('forward may give its input, or a parameter', () => {
    withLayer((layer) => {
      mt.tidy(() => layer.addParameter('w', new Tensor([3])));
      layer.setForward(([x]) => x);
      expect(mt.tidy(() => layer.forward([[1]]).toArray())).toEqual([1]);
      layer.setForward(() => layer.getParameter('w'));
      expect(mt.tidy(() => layer.forward([[1]]).toArray())).toEqual([3]);
      expect(mt.tidy(() => layer.getParameter('w').toArray())).toEqual([3]);
    });
  });

  test('forward may be replaced, also by itself', () => {
    withLayer((layer) => {
      layer.setForward(([x]) => {
        layer.setForward(([y]) => y.add(10));
        return x.add(1);
      });
      expect(mt.tidy(() => layer.forward([0]).item())).toBe(1);
      expect(mt.tidy(() => layer.forward([0]).item())).toBe(10);
      expect(mt.memory().callbacks).toBe(1);
    });
  });

  test('layers call layers', () => {
    withLayer((outer) => {
      withLayer((inner) => {
        inner.setForward(([x]) => x.mul(2));
        outer.setForward(([x]) => inner.forward([inner.forward([x])]).add(1));
        expect(mt.tidy(() => outer.forward([[1, 2]]).toArray())).toEqual([5, 9]);
      }, 'inner');
    });
  });

  test('a layer that calls itself for ever ends in an error, and works on', () => {
    withLayer((layer) => {
      layer.setForward(([x]) => layer.forward([x]));
      expectError(thrownBy(() => layer.forward([1])), MiniTensorError, 'deep');
      layer.setForward(([x]) => x.add(1));
      expect(mt.tidy(() => layer.forward([1]).item())).toBe(2);
    });
  });

  test('may be disposed while it runs', () => {
    const layer = new plugins.CustomLayer('brief');
    layer.setForward(([x]) => {
      layer.dispose();
      return x.add(1);
    });
    expect(mt.tidy(() => layer.forward([1]).item())).toBe(2);
    expect(layer.isDisposed).toBe(true);
  });

  const error = new Error('mine');
  test.each([error, null, undefined, 'text'])('what forward throws comes out as it is (%#)', (thrown) => {
    withLayer((layer) => {
      layer.setForward(() => {
        throw thrown;
      });
      expect(thrownBy(() => layer.forward([1]))).toBe(thrown);
    });
  });

  test.each([undefined, null, 1, {}, []])('what forward gives must be a tensor (%#)', (value) => {
    withLayer((layer) => {
      layer.setForward(() => wrong(value));
      expectError(thrownBy(() => layer.forward([1])), TypeError, /layer "layer": forward: what it gave must be a Tensor/);
    });
  });

  test('an asynchronous forward is refused', () => {
    withLayer((layer) => {
      layer.setForward(wrong(async () => {}));
      expectError(thrownBy(() => layer.forward([1])), TypeError, 'gave a Promise');
    });
  });

  test('parameters and inputs of another instance are refused', async () => {
    const other = await init();
    const foreign = new other.Tensor([1]);
    withLayer((layer) => {
      expectError(thrownBy(() => layer.addParameter('w', foreign)), ValueError, 'another instance');
      layer.setForward(([x]) => x);
      expectError(thrownBy(() => layer.forward([foreign])), ValueError, 'another instance');
      expect(layer.listParameters()).toEqual([]);
    });
    foreign.dispose();
  });

  test('every use of a disposed layer is an error that says so', () => {
    const layer = new plugins.CustomLayer('gone');
    layer.dispose();
    layer.dispose();
    const weight = new Tensor([1]);
    /** @type {[string, unknown[]][]} */
    const calls = [
      ['setForward', [() => weight]],
      ['addParameter', ['w', weight]],
      ['getParameter', ['w']],
      ['listParameters', []],
      ['forward', [[1]]],
    ];
    for (const [method, args] of calls) {
      expect(expectError(thrownBy(() => callWith(layer, method, args)), MiniTensorError, 'disposed').code).toBe('MT_DISPOSED');
    }
    expect(layer.name).toBe('gone');
    weight.dispose();
  });

  test('can be extended', () => {
    class Scale extends plugins.CustomLayer {
      /** @param {number} factor */
      constructor(factor) {
        super('scale');
        this.factor = factor;
        this.setForward(([x]) => x.mul(this.factor));
      }
    }
    const scale = new Scale(3);
    expect(mt.tidy(() => scale.forward([[1, 2]]).toArray())).toEqual([3, 6]);
    scale.dispose();
  });
});
