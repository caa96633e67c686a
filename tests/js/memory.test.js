import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, test } from '@jest/globals';

import { builderFor, instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { Tensor, plugins } = mt;

describe('memory', () => {
  test('counts what is alive, of each kind', () => {
    const layer = new plugins.CustomLayer('l');
    layer.setForward(([x]) => x);
    const x = new Tensor([1, 2, 3], { dtype: 'float64' });
    const registry = new plugins.PluginRegistry();
    const plugin = builderFor(mt, 'p').build();
    plugin.setCustomOperationsFn(() => [{ name: 'op', numInputs: 1, forward: ([y]) => y }]);
    registry.register(plugin);
    expect(mt.memory()).toEqual({ tensors: 1, bytes: 24, layers: 1, ops: 1, plugins: 1, callbacks: 3 });
    registry.unregister('p');
    layer.dispose();
    x.dispose();
    expect(mt.memory()).toEqual({ tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 });
  });

  test('counts elements once, however many views share them', () => {
    mt.tidy(() => {
      const x = new Tensor(new Float32Array(100), { shape: [10, 10] });
      for (let i = 0; i < 10; i++) x.transpose();
      expect(mt.memory()).toMatchObject({ tensors: 11, bytes: 400 });
    });
  });

  test('is flat over a hundred thousand tensors, made and disposed', () => {
    for (let i = 0; i < 100_000; i++) new Tensor([i]).dispose();
  });
});

test('what is dropped without dispose is released when JavaScript collects it, but for what is in use', async () => {
  const script = fileURLToPath(new URL('./support/dropped_objects.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script]);
  expect(JSON.parse(stdout)).toEqual({
    before: { tensors: 2100, bytes: 8400, layers: 100, ops: 1, plugins: 1, callbacks: 102 },
    after: { tensors: 0, bytes: 0, layers: 0, ops: 1, plugins: 1, callbacks: 2 },
    result: 2,
  });
});
