/*
 * How things come to their end: scopes, instances that are closed, and what is left alive.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MiniTensorError, ValueError, init } from 'minitensor';

const run = promisify(execFile);
const nothing = { tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 };

/** @type {import('minitensor').MiniTensor} */
let mt;

beforeEach(async () => {
  mt = await init({ debug: true });
});

describe('asyncTidy', () => {
  afterEach(() => {
    expect(mt.memory()).toEqual(nothing);
  });

  test('releases what was given to use, across await, but not what it resolves to', async () => {
    const result = await mt.asyncTidy(async (use) => {
      const a = use(new mt.Tensor([1, 2]));
      await Promise.resolve();
      const b = use(a.add(1));
      return use(b.mul(2));
    });
    expect(result.toArray()).toEqual([4, 6]);
    expect(mt.memory().tensors).toBe(1);
    result.dispose();
  });

  test('leaves alone what other code makes meanwhile', async () => {
    const outer = mt.asyncTidy(async (use) => {
      use(new mt.Tensor([1]));
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const mine = new mt.Tensor([2]);
    await outer;
    expect(mine.toArray()).toEqual([2]);
    mine.dispose();
  });

  test('releases when its function rejects, and rejects with the same error', async () => {
    const boom = new Error('boom');
    const failing = mt.asyncTidy(async (use) => {
      use(new mt.Tensor([1]));
      await Promise.resolve();
      throw boom;
    });
    await expect(failing).rejects.toBe(boom);
  });

  test('finds results in arrays and objects', async () => {
    const { pair } = await mt.asyncTidy(async (use) => ({ pair: [use(new mt.Tensor([1])), use(new mt.Tensor([2]))] }));
    expect(pair.map((tensor) => tensor.item())).toEqual([1, 2]);
    for (const tensor of pair) tensor.dispose();
  });
});

describe('liveHandles', () => {
  test('says where each living tensor and layer was made', () => {
    const tensor = new mt.Tensor([1]);
    const layer = new mt.plugins.CustomLayer('scale');
    const handles = mt.liveHandles();
    expect(handles.map(({ kind }) => kind)).toEqual(['tensor', 'layer']);
    for (const { stack } of handles) {
      expect(stack.split('\n')[0]).toMatch(/lifetime\.test\.js/);
    }
    tensor.dispose();
    layer.dispose();
    expect(mt.liveHandles()).toEqual([]);
  });

  test('is refused by an instance that records nothing', async () => {
    const plain = await init();
    expect(() => plain.liveHandles()).toThrow(ValueError);
    expect(() => plain.liveHandles()).toThrow('debug: true');
  });
});

describe('close', () => {
  const swish = new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm'));

  test('makes everything of the instance throw an error that says so', async () => {
    await mt.plugins.loadPlugin(swish);
    const tensor = new mt.Tensor([1]);
    const layer = new mt.plugins.CustomLayer('scale');
    const registry = new mt.plugins.PluginRegistry();
    expect(tensor.shape).toEqual([1]);
    mt.close();
    expect(mt.isClosed).toBe(true);
    const uses = [
      () => mt.memory(),
      () => mt.liveHandles(),
      () => new mt.Tensor([1]),
      () => mt.add(1, 2),
      () => tensor.toArray(),
      () => tensor.shape,
      () => tensor.add(1),
      () => layer.forward([1]),
      () => layer.listParameters(),
      () => new mt.plugins.CustomLayer('other'),
      () => registry.listPlugins(),
      () => new mt.plugins.PluginRegistry(),
      () => mt.customOps.list(),
      () => mt.customOps.execute('swish', [1]),
      () => mt.plugins.listPlugins(),
      () => mt.plugins.unloadPlugin('swish'),
      () => mt.plugins.createLayer('RMSNorm'),
    ];
    for (const use of uses) {
      expect(use).toThrow(MiniTensorError);
      expect(use).toThrow('this instance of MiniTensor is closed');
    }
    await expect(mt.plugins.loadPlugin(swish)).rejects.toThrow('this instance of MiniTensor is closed');
    await expect(mt.plugins.inspectPlugin(swish)).rejects.toThrow('this instance of MiniTensor is closed');
  });

  test('may be called again, and disposing afterwards is harmless', () => {
    const tensor = new mt.Tensor([1]);
    mt.close();
    mt.close();
    tensor.dispose();
    expect(tensor.isDisposed).toBe(true);
  });

  test('ends a load that is under way', async () => {
    const loading = mt.plugins.loadPlugin(swish);
    mt.close();
    await expect(loading).rejects.toThrow('this instance of MiniTensor is closed');
  });

  test('leaves other instances as they are', async () => {
    const other = await init();
    const tensor = new other.Tensor([1, 2]);
    mt.close();
    expect(tensor.add(1).toArray()).toEqual([2, 3]);
  });

  test('is what Symbol.dispose does, where the engine has it', () => {
    if (!Symbol.dispose) return;
    mt[/** @type {'close'} */ (/** @type {unknown} */ (Symbol.dispose))]();
    expect(mt.isClosed).toBe(true);
  });

  test('gives the memory of a thousand instances back', async () => {
    const script = path.join(import.meta.dirname, 'support/thousand_instances.js');
    const { stdout } = await run(process.execPath, ['--expose-gc', script]);
    const { early, late } = JSON.parse(stdout);
    // A leak of one instance's 16 MB each would be 12 GB.
    expect(late - early).toBeLessThan(64 * 2 ** 20);
  }, 120_000);
});
