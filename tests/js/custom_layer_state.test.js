/*
 * The state of layers, layers as classes, and layers of compiled plugins.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { describe, expect, test } from '@jest/globals';
import { DTypeError, KeyError, NotImplementedError, ShapeError, init } from 'minitensor';

import { instanceForTests } from './support/instance.js';

const run = promisify(execFile);
const mt = await instanceForTests();

/** @param {Record<string, number[]>} parameters */
function layerWith(parameters) {
  const layer = new mt.plugins.CustomLayer('affine');
  mt.tidy(() => {
    for (const [name, values] of Object.entries(parameters)) layer.addParameter(name, new mt.Tensor(values));
  });
  return layer;
}

/** @param {Iterable<[string, import('minitensor').Tensor]>} named */
function arraysOf(named) {
  return mt.tidy(() => [...named].map(([name, value]) => [name, value.toArray()]));
}

describe('the state of a layer', () => {
  test('is iterated in order of addition, and replacing keeps the place', () => {
    const layer = layerWith({ weight: [1, 2], bias: [3] });
    mt.tidy(() => layer.addParameter('weight', new mt.Tensor([5, 6])));
    expect(arraysOf(layer.namedParameters())).toEqual([['weight', [5, 6]], ['bias', [3]]]);
    layer.dispose();
  });

  test('goes from one layer to another', () => {
    const from = layerWith({ weight: [1, 2], bias: [3] });
    const to = layerWith({ bias: [0], weight: [0, 0] });
    mt.tidy(() => to.loadStateDict(from.stateDict()));
    from.dispose();
    mt.tidy(() => {
      expect(arraysOf(Object.entries(to.stateDict()))).toEqual([['bias', [3]], ['weight', [1, 2]]]);
    });
    to.dispose();
  });

  test('is loaded into the tensors that the layer has, which stay leaves, and is not shared', () => {
    mt.tidy(() => {
      const layer = new mt.plugins.CustomLayer('scale');
      const weight = new mt.Tensor([1, 2], { requiresGrad: true });
      layer.addParameter('weight', weight);
      const loaded = new mt.Tensor([3, 4]);
      layer.loadStateDict({ weight: loaded });
      layer.getParameter('weight').mul([10, 20]).sum().backward();
      expect([weight.toArray(), weight.grad?.toArray()]).toEqual([[3, 4], [10, 20]]);
      loaded.assign([7, 8]);
      expect(layer.getParameter('weight').toArray()).toEqual([3, 4]);
      layer.dispose();
    });
  });

  test.each(/** @type {[string, (() => object), Function, string][]} */ ([
    ['a missing name', () => ({ weight: new mt.Tensor([9, 9]) }), KeyError, 'missing: "bias"'],
    [
      'an unknown name',
      () => ({ weight: new mt.Tensor([9, 9]), bias: new mt.Tensor([9]), gamma: new mt.Tensor([9]) }),
      KeyError,
      'no such parameter: "gamma"',
    ],
    [
      'another shape',
      () => ({ weight: new mt.Tensor([9, 9]), bias: new mt.Tensor([9, 9]) }),
      ShapeError,
      '"bias" has shape [1], not [2]',
    ],
    [
      'another dtype',
      () => ({ weight: new mt.Tensor([9, 9]), bias: new mt.Tensor([9], { dtype: 'float64' }) }),
      DTypeError,
      '"bias" is float32, not float64',
    ],
    ['what is no tensor', () => ({ weight: new mt.Tensor([9, 9]), bias: [9] }), TypeError, '"bias" must be a Tensor'],
  ]))('is not loaded with %s, and stays as it was', (_, state, ErrorClass, text) => {
    const layer = layerWith({ weight: [1, 2], bias: [3] });
    mt.tidy(() => {
      const load = () => layer.loadStateDict(/** @type {Record<string, import('minitensor').Tensor>} */ (state()));
      expect(load).toThrow(/** @type {ErrorConstructor} */ (ErrorClass));
      expect(load).toThrow(text);
    });
    expect(arraysOf(layer.namedParameters())).toEqual([['weight', [1, 2]], ['bias', [3]]]);
    layer.dispose();
  });
});

describe('a layer as a class', () => {
  class Scale extends mt.plugins.CustomLayer {
    /** @override @param {readonly import('minitensor').TensorLike[]} inputs */
    forward([x = 0]) {
      return mt.tidy(() => this.getParameter('weight').mul(x));
    }
  }

  test('has a forward of its own', () => {
    const layer = new Scale('scale');
    const [weight, out] = mt.tidy(() => {
      const two = new mt.Tensor([2]);
      layer.addParameter('weight', two);
      return [two, layer.forward([[3]])];
    });
    expect(out.toArray()).toEqual([6]);
    expect([layer.name, layer.listParameters()]).toEqual(['scale', ['weight']]);
    for (const thing of [weight, out, layer]) thing.dispose();
  });
});

describe('a layer of a compiled plugin', () => {
  test('is a CustomLayer like any other', async () => {
    await mt.plugins.loadPlugin(new URL(import.meta.resolve('minitensor/examples/plugins/rmsnorm.wasm')));
    const layer = mt.plugins.createLayer('RMSNorm', { size: 2, epsilon: 0 });
    expect(layer).toBeInstanceOf(mt.plugins.CustomLayer);
    expect([layer.name, layer.listParameters()]).toEqual(['RMSNorm', ['weight']]);
    mt.tidy(() => {
      // The mean of the squares of 3 and 4 is 12.5.
      const expected = [3 / Math.sqrt(12.5), 4 / Math.sqrt(12.5)].map(Math.fround);
      expect(layer.forward([[3, 4]]).toArray()).toEqual(expected);
      layer.loadStateDict({ weight: new mt.Tensor([2, 0]) });
      expect(layer.forward([[3, 4]]).toArray()).toEqual([Math.fround(6 / Math.sqrt(12.5)), 0]);
      layer.setForward(([x]) => x.neg());
      expect(layer.forward([[3, 4]]).toArray()).toEqual([-3, -4]);
    });
    layer.dispose();
    mt.plugins.unloadPlugin('rmsnorm');
  });
});

describe('what is in use', () => {
  test('stays alive in a layer when its tensor is disposed', () => {
    const layer = layerWith({ weight: [7] });
    expect(arraysOf(layer.namedParameters())).toEqual([['weight', [7]]]);
    layer.dispose();
  });

  test('is released by the collector when it is dropped', async () => {
    const { stdout } = await run(process.execPath, [
      '--expose-gc',
      path.join(import.meta.dirname, 'support/dropped_handles.js'),
    ]);
    const { before, after } = JSON.parse(stdout);
    expect(before).toMatchObject({ tensors: 1000, layers: 100 });
    expect(after).toMatchObject({ tensors: 0, bytes: 0, layers: 0, callbacks: 0 });
  });

  test('of a disposed layer says which layer it was', async () => {
    const other = await init();
    const layer = new other.plugins.CustomLayer('scale');
    expect(() => layer.forward([1])).toThrow(NotImplementedError);
    layer.dispose();
    layer.dispose();
    expect(() => layer.forward([1])).toThrow('the CustomLayer "scale" is disposed');
    other.close();
  });
});
